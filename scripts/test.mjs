// Runs every check in order and ends with the one line that counts: `N passed, M failed`. Names given on the command
// line (`node scripts/test.mjs unit`) run only those parts; `quick` is what one runs before a commit. Plain JavaScript,
// because it is also where types are checked.
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneCheck, playwrightTests, run, vitestTests } from './outcomes.mjs'
import { isAlive } from './processes.mjs'
import { projectPath } from './project-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const reports = join(root, 'test-results')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const MEMORY = '/dev/shm'
/** Databases and folders of all tests at once stay far below it. */
const MEMORY_BYTES_MIN = 3 * 2 ** 30

/** A folder in memory, where the machine has one with room and nobody has chosen another: tests write much and keep nothing. */
function folderInMemory() {
  if (process.env.TMPDIR) return null
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < MEMORY_BYTES_MIN) return null
    // what a run that was killed has left behind
    for (const name of readdirSync(MEMORY)) {
      const [, pid] = /^painel-tests-(\d+)$/.exec(name) ?? []
      if (pid && !isAlive(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true })
    }
    const folder = join(MEMORY, `painel-tests-${process.pid}`)
    // the database runs as a user of its own
    mkdirSync(folder, { mode: 0o755 })
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}

const memory = folderInMemory()
const env = {
  ...process.env,
  ...(memory && { TMPDIR: memory }),
  // The project's own Node and tools, whatever the machine has.
  PATH: projectPath(),
  PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
}

const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
const playwright = ['playwright', 'test', '--reporter=list,json']
const countVitest = (ended) => vitestTests(vitestReport, ended, root)
const countPlaywright = (ended) => playwrightTests(playwrightReport, ended)

const checks = [
  { part: 'types', title: 'Types', command: ['tsc', '-b'] },
  {
    part: 'lint',
    title: 'Format and lint',
    command: ['biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
  },
  { part: 'lint', title: 'Promises', command: ['oxlint', '--type-aware', '--deny-warnings'] },
]
const steps = [
  ...checks,
  { part: 'unit', title: 'Tidy, unit, property, store and server tests', command: vitest, count: countVitest },
  { part: 'journeys', title: 'Journeys in Chromium', command: playwright, count: countPlaywright },
]
/** Before a commit: what most changes break, on SQLite, and six journeys of the main job. */
const quick = [
  ...checks,
  {
    part: 'quick',
    title: 'Tidy, contract, domain and server tests on SQLite',
    command: [
      ...vitest,
      '--project=short',
      'test/tidy/',
      'test/server/',
      'src/contract/',
      'src/domain/',
      'src/server/',
    ],
    env: { DATABASES: 'sqlite' },
    count: countVitest,
  },
  {
    part: 'quick',
    title: 'Six journeys in Chromium',
    command: [...playwright, '--grep=@quick'],
    count: countPlaywright,
  },
]

async function runStep({ title, command, env: more, count = oneCheck }) {
  console.log(`\n== ${title}`)
  const startedAt = performance.now()
  const outcome = count(await run(command, { cwd: root, env: { ...env, ...more } }))
  const ms = performance.now() - startedAt
  console.log(`== ${title}: ${outcome.failures.length === 0 ? 'ok' : 'FAILED'} in ${(ms / 1000).toFixed(1)} s`)
  return { title, ms, ...outcome }
}

const parts = process.argv.slice(2)
const known = [...new Set(steps.map(({ part }) => part)), 'quick']
const unknown = parts.filter((part) => !known.includes(part))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. Parts: ${known.join(', ')}.`)
  process.exit(1)
}
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const wanted = parts.includes('quick') ? quick : steps.filter(({ part }) => parts.length === 0 || parts.includes(part))
const outcomes = []
for (const step of wanted) outcomes.push(await runStep(step))

const SLOWEST = 10
const minutes = (ms) => `${(ms / 60_000).toFixed(1).padStart(5)} min`
console.log('\nParts:')
for (const { title, ms } of outcomes) console.log(`${minutes(ms)}  ${title}`)
console.log(`${minutes(outcomes.reduce((sum, { ms }) => sum + ms, 0))}  together`)
const timed = outcomes.flatMap((outcome) => outcome.timed).sort((a, b) => b.ms - a.ms)
if (timed.length > 0) console.log('\nSlowest tests:')
for (const { test, ms } of timed.slice(0, SLOWEST)) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${test}`)

const failed = outcomes.flatMap(({ title, failures }) => failures.map((failure) => [title, failure]))
if (failed.length > 0) {
  console.log('\nFailed:')
  for (const [title, failure] of failed) console.log(`- ${title}${failure ? `: ${failure}` : ''}`)
}
const unsteady = outcomes.flatMap((outcome) => outcome.unsteady ?? [])
if (unsteady.length > 0) {
  console.log('\nPassed only when tried again, so something in them depends on a moment:')
  for (const journey of unsteady) console.log(`- ${journey}`)
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
console.log(`\n${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
