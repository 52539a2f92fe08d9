// Runs every check in order and ends with the one line that counts: `N passed, M failed`. Names given on the command
// line (`node scripts/test.mjs unit`) run only those parts; `quick` is what one runs before a commit. Plain JavaScript,
// because it is also where types are checked.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** A check without tests of its own counts as one. */
const oneCheck = (succeeded) => ({ passed: succeeded ? 1 : 0, failures: succeeded ? [] : [''], timed: [] })

/** A file that could not be loaded has no tests, and a skipped test proves nothing: both are failures. */
function vitestTests(succeeded) {
  const report = readReport(vitestReport)
  if (!report) return { passed: 0, failures: ['no report: vitest did not finish'], timed: [] }
  const failures = []
  const timed = []
  for (const { name, status, assertionResults, message } of report.testResults) {
    const file = relative(root, name)
    for (const test of assertionResults) {
      timed.push({ test: `${file}: ${test.fullName}`, ms: test.duration ?? 0 })
      if (test.status !== 'passed') failures.push(`${file}: ${test.fullName} (${test.status})`)
    }
    const isBroken = status === 'failed' && assertionResults.every((test) => test.status === 'passed')
    if (isBroken) failures.push(`${file}: ${message.split('\n')[0]}`)
  }
  if (report.numTotalTests === 0) failures.push('no tests found')
  if (!succeeded && failures.length === 0) failures.push('an error outside of the tests')
  return { passed: report.numPassedTests, failures, timed }
}

/** Another try tells a slow machine from a defect; a file that needs two has one. */
const RETRIES_OF_A_FILE_MAX = 1

function playwrightTests(succeeded) {
  const report = readReport(playwrightReport)
  if (!report) return { passed: 0, failures: ['no report: playwright did not finish'], timed: [] }
  const failures = report.errors.map((error) => error.message.split('\n')[0])
  const unsteady = []
  const timed = []
  const walk = ({ suites = [], specs = [] }, file) => {
    for (const spec of specs) {
      for (const test of spec.tests) {
        timed.push({ test: `${file}: ${spec.title}`, ms: Math.max(0, ...test.results.map(({ duration }) => duration)) })
        if (test.status === 'flaky') unsteady.push({ file, test: `${file}: ${spec.title}` })
        else if (test.status !== 'expected') failures.push(`${file}: ${spec.title} (${test.status})`)
      }
    }
    for (const suite of suites) walk(suite, file)
  }
  for (const suite of report.suites) walk(suite, suite.file)
  for (const file of new Set(unsteady.map((one) => one.file))) {
    const count = unsteady.filter((one) => one.file === file).length
    if (count > RETRIES_OF_A_FILE_MAX) failures.push(`${file}: ${count} of its journeys needed another try`)
  }
  if (report.stats.expected === 0) failures.push('no journeys passed')
  if (!succeeded && failures.length === 0) failures.push('an error outside of the journeys')
  return {
    passed: report.stats.expected + unsteady.length,
    failures,
    unsteady: unsteady.map(({ test }) => test),
    timed,
  }
}

const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
const playwright = ['playwright', 'test', '--reporter=list,json']

const checks = [
  { part: 'types', title: 'Types: contract and domain', command: ['tsc', '-p', 'tsconfig.pure.json'] },
  { part: 'types', title: 'Types: server and tests', command: ['tsc', '-p', 'tsconfig.server.json'] },
  { part: 'types', title: 'Types: web', command: ['tsc', '-p', 'tsconfig.web.json'] },
  { part: 'types', title: 'Types: service worker', command: ['tsc', '-p', 'tsconfig.worker.json'] },
  {
    part: 'lint',
    title: 'Format and lint',
    command: ['biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
  },
  { part: 'lint', title: 'Promises', command: ['oxlint', '--type-aware', '--deny-warnings'] },
]
const steps = [
  ...checks,
  { part: 'unit', title: 'Tidy, unit, property, store and server tests', command: vitest, count: vitestTests },
  { part: 'journeys', title: 'Journeys in Chromium', command: playwright, count: playwrightTests },
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
    count: vitestTests,
  },
  {
    part: 'quick',
    title: 'Six journeys in Chromium',
    command: [...playwright, '--grep=@quick'],
    count: playwrightTests,
  },
]

function runStep({ title, command: [program, ...args], env: more, count = oneCheck }) {
  console.log(`\n== ${title}`)
  const startedAt = performance.now()
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env: { ...env, ...more },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) console.error(error.message)
  const outcome = count(status === 0)
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
const outcomes = wanted.map(runStep)

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
