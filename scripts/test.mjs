// Runs every check in order and ends with the one line that counts: `N passed, M failed`. Names given on the command
// line (`node scripts/test.mjs unit`) run only those steps. Plain JavaScript, because it is also where types are checked.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const reports = join(root, 'test-results')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const env = {
  ...process.env,
  // The project's own Node and tools, whatever the machine has.
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
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
const oneCheck = (succeeded) => ({ passed: succeeded ? 1 : 0, failures: succeeded ? [] : [''] })

/** A file that could not be loaded has no tests, and a skipped test proves nothing: both are failures. */
function vitestTests(succeeded) {
  const report = readReport(vitestReport)
  if (!report) return { passed: 0, failures: ['no report: vitest did not finish'] }
  const failures = []
  for (const { name, status, assertionResults, message } of report.testResults) {
    const file = name.slice(root.length + 1)
    for (const test of assertionResults) {
      if (test.status !== 'passed') failures.push(`${file}: ${test.fullName} (${test.status})`)
    }
    const isBroken = status === 'failed' && assertionResults.every((test) => test.status === 'passed')
    if (isBroken) failures.push(`${file}: ${message.split('\n')[0]}`)
  }
  if (report.numTotalTests === 0) failures.push('no tests found')
  if (!succeeded && failures.length === 0) failures.push('an error outside of the tests')
  return { passed: report.numPassedTests, failures }
}

function playwrightTests(succeeded) {
  const report = readReport(playwrightReport)
  if (!report) return { passed: 0, failures: ['no report: playwright did not finish'] }
  const failures = report.errors.map((error) => error.message.split('\n')[0])
  const unsteady = []
  const walk = ({ suites = [], specs = [], file }) => {
    for (const spec of specs) {
      for (const test of spec.tests) {
        if (test.status === 'flaky') unsteady.push(`${file}: ${spec.title}`)
        else if (test.status !== 'expected') failures.push(`${file}: ${spec.title} (${test.status})`)
      }
    }
    suites.forEach(walk)
  }
  report.suites.forEach(walk)
  if (report.stats.expected === 0) failures.push('no journeys passed')
  if (!succeeded && failures.length === 0) failures.push('an error outside of the journeys')
  return { passed: report.stats.expected + unsteady.length, failures, unsteady }
}

const steps = [
  { name: 'types', title: 'Types: contract and domain', command: ['tsc', '-p', 'tsconfig.pure.json'] },
  { name: 'types', title: 'Types: server and tests', command: ['tsc', '-p', 'tsconfig.server.json'] },
  { name: 'types', title: 'Types: web', command: ['tsc', '-p', 'tsconfig.web.json'] },
  { name: 'types', title: 'Types: service worker', command: ['tsc', '-p', 'tsconfig.worker.json'] },
  {
    name: 'lint',
    title: 'Format and lint',
    command: ['biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
  },
  { name: 'lint', title: 'Promises', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  {
    name: 'unit',
    title: 'Tidy, unit, property, store and server tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    count: vitestTests,
  },
  {
    name: 'journeys',
    title: 'Journeys in Chromium',
    command: ['playwright', 'test', '--reporter=list,json'],
    count: playwrightTests,
  },
]

function runStep({ title, command: [program, ...args], count = oneCheck }) {
  console.log(`\n== ${title}`)
  const startedAt = performance.now()
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) console.error(error.message)
  const outcome = count(status === 0)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`== ${title}: ${outcome.failures.length === 0 ? 'ok' : 'FAILED'} in ${seconds} s`)
  return { title, ...outcome }
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => steps.every((step) => step.name !== name))
if (unknown.length > 0) {
  console.error(
    `No such step: ${unknown.join(', ')}. Steps: ${[...new Set(steps.map((step) => step.name))].join(', ')}.`,
  )
  process.exit(1)
}
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const outcomes = steps.filter((step) => names.length === 0 || names.includes(step.name)).map(runStep)
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
