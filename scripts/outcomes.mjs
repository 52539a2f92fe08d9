// Runs the programs of a test run, and reads what they report. Plain JavaScript, as `test.mjs` is.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const LAST_LINES = 8
const SAID_LENGTH_MAX = 20_000

/** Runs a program, shows what it says meanwhile, and resolves to how it ended. */
export function run([program, ...args], options) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    ...options,
    env: { ...colours, ...options.env },
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let said = ''
  const show = (from, to) =>
    from.on('data', (bytes) => {
      to.write(bytes)
      said = (said + bytes.toString('utf8')).slice(-SAID_LENGTH_MAX)
    })
  show(child.stdout, process.stdout)
  show(child.stderr, process.stderr)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ program, status: null, signal: null, error, said }))
    child.once('close', (status, signal) => resolve({ program, status, signal, error: null, said }))
  })
}

/** Why a run is over that nobody has explained otherwise: how its program ended, and what that said last. */
function explain({ program, status, signal, error, said }) {
  const how = error
    ? `could not be started: ${error.message}`
    : signal
      ? `was ended by ${signal}`
      : `ended with exit code ${status}`
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .filter((line) => line.trim())
    .slice(-LAST_LINES)
  return [`${program} ${how}${lines.length > 0 ? '; it last said' : ''}`, ...lines.map((line) => `    ${line}`)].join(
    '\n',
  )
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** A check without tests of its own counts as one. */
export const oneCheck = (ended) => {
  const succeeded = ended.status === 0
  // what it found stands above, unless something ended it
  const failure = ended.error || ended.signal ? explain(ended) : ''
  return { passed: succeeded ? 1 : 0, failures: succeeded ? [] : [failure], timed: [] }
}

/** A file that could not be loaded has no tests, and a skipped test proves nothing: both are failures. */
export function vitestTests(reportFile, ended, root) {
  const report = readReport(reportFile)
  if (!report) return { passed: 0, failures: [`no report: ${explain(ended)}`], timed: [] }
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
  if (ended.status !== 0 && failures.length === 0) failures.push(`an error outside of the tests: ${explain(ended)}`)
  return { passed: report.numPassedTests, failures, timed }
}

/** Another try tells a slow machine from a defect; a file that needs two has one. */
const RETRIES_OF_A_FILE_MAX = 1

export function playwrightTests(reportFile, ended) {
  const report = readReport(reportFile)
  if (!report) return { passed: 0, failures: [`no report: ${explain(ended)}`], timed: [] }
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
  if (ended.status !== 0 && failures.length === 0) failures.push(`an error outside of the journeys: ${explain(ended)}`)
  return {
    passed: report.stats.expected + unsteady.length,
    failures,
    unsteady: unsteady.map(({ test }) => test),
    timed,
  }
}
