import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { limitMs } from './test/support/slowness.ts'

/** Minutes of work for both cores: they run after the others. What they promise stands in test/promises. */
const promises = ['test/simulation/*.test.ts', 'test/promises/**/*.test.ts']
/** Not among the tests of each landing, where a journey shows P6 and no Galera is to be had; `npm run promises` names a size. */
const onlyWithSize = [
  ...['bundle', 'first-start', 'p03', 'p06', 'p07', 'p12-galera'],
  ...['p23-directory', 'p25', 'upgrade', 'version-skew'],
].map((promise) => `test/promises/${promise}*.test.ts`)
/** From 15 s on, longest first: one that begins late would be waited for alone. Vitest itself goes by the size of files. */
const longest = [
  ...['promises/storm', 'p02-kill', 'p01-kill', 'p08', 'simulation/simulation'],
  ...['server/stop', 'server/start', 'live-changes', 'silent-database', 'erp/hostile', 'user-command', 'erp-check'],
  'killed-between',
]
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
const isFull = process.env.PROMISES === 'full'

export default defineConfig({
  test: {
    environment: 'node',
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: limitMs(30_000) } },
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['{src,demo}/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: promises,
          globalSetup: 'test/support/mariadb.ts',
          // no statement about the product: a test that passes never waits for them
          testTimeout: limitMs(300_000),
          hookTimeout: limitMs(180_000),
          // the panel's modules are read once a worker: a test that changes a global thing changes it back
          isolate: false,
          // one more than the two cores that it must be fast on, for many tests wait; a fourth gains a fiftieth
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'promises',
          include: promises,
          exclude: process.env.PROMISES ? [] : onlyWithSize,
          globalSetup: 'test/support/mariadb.ts',
          testTimeout: limitMs(isFull ? 4_800_000 : 1_200_000),
          hookTimeout: limitMs(180_000),
          // they wait: for an ERP that is away, for disks, clocks and dead processes
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
