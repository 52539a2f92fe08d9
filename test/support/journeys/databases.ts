import { createDatabase, type MariadbServer, startMariadb } from '../mariadb-server.ts'
import { limitMs } from '../slowness.ts'
import { test as base } from './journey.ts'

/** What the panel keeps its rows in. */
const databases = ['SQLite', 'MariaDB'] as const

type Options = { database: (typeof databases)[number] }
type WorkerFixtures = {
  /** The address of an empty database. The server starts when the first journey asks for one. */
  newMariadb: () => Promise<string>
}

export const test = base.extend<Options, WorkerFixtures>({
  database: ['SQLite', { option: true }],
  newMariadb: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      let started: Promise<MariadbServer> | undefined
      await use(async () => {
        started ??= startMariadb()
        return await createDatabase((await started).url)
      })
      await (await started)?.stop()
    },
    { scope: 'worker', timeout: limitMs(90_000) },
  ],
  panelEnv: async ({ database, newMariadb }, use) =>
    use(database === 'MariaDB' ? { DATABASE_URL: await newMariadb() } : {}),
})

/** The same journey on each database. */
export function testOnEach(title: string, journey: Parameters<typeof test>[2]): void {
  for (const database of databases) {
    test.describe(database, () => {
      test.use({ database })
      test(title, journey)
    })
  }
}
