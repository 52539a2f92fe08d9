// `npm run promises`: every promise at its full size (`-- --size ci`: at a smaller one), then one table.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectPath } from '../../../scripts/project-node.mjs'
import type { ReportLine } from './report.ts'
import { sizeNames } from './sizes.ts'

const args = process.argv.slice(2).flatMap((arg) => (arg.startsWith('--size=') ? arg.split('=') : [arg]))
const named = args.indexOf('--size')
const size = named < 0 ? 'full' : args.splice(named, 2)[1]
if (!sizeNames.some((name) => name === size)) {
  console.error(`No such size: ${size ?? ''}. Sizes: ${sizeNames.join(', ')}.`)
  process.exit(1)
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'painel-promises-'))
const lines = join(folder, 'lines')
const outcomes = join(folder, 'outcomes.json')

type Outcomes = { testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[] }

const run = (program: string, given: string[]): boolean => {
  const { status } = spawnSync(program, given, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      PATH: projectPath(),
      PROMISES: size,
      PROMISES_REPORT: lines,
    },
  })
  return status === 0
}
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outcomes}`]
/** Each of its starts installs anew, and needs the network. */
const ONLY_NAMED = 'first-start'
const left = args.some((arg) => arg.includes(ONLY_NAMED)) ? [] : [`--exclude=test/promises/${ONLY_NAMED}*`]
const havePassed = run('vitest', ['run', '--project=promises', ...reporters, ...left, ...args])
// not where single promises are named
const haveJourneysPassed = args.length > 0 || run('playwright', ['test', '--reporter=list', '--grep=@promise'])

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const reported = read(lines)
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as ReportLine)
const { testResults } = JSON.parse(read(outcomes) || '{"testResults":[]}') as Outcomes
rmSync(folder, { recursive: true, force: true })

/** The test that said it: what it measured counts only when it passed. */
const resultOf = ({ test }: ReportLine) => {
  const found = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ fullName }) => fullName === test)
  return found?.status === 'passed' ? 'ok' : 'FAILED'
}
const table = [
  ['promise', 'size', 'seed', 'result', 'figures'],
  ...reported
    .map((line) => [line.promise, line.size, String(line.seed), resultOf(line), line.figures])
    .sort(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true })),
]
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
console.log()
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  )

/** Tests that a name on the command line leaves out are no failures; any other that did not run is. */
const isByName = args.some((arg) => arg === '-t' || arg.startsWith('--testNamePattern'))
const tests = testResults
  .flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, file: relative(root, name) })))
  .filter(({ status }) => !isByName || status !== 'skipped')
const failed = tests.filter((test) => test.status !== 'passed')
for (const { file, fullName } of failed) console.log(`FAILED ${file}: ${fullName}`)
if (!haveJourneysPassed) console.log('FAILED journeys tagged @promise')
const isGreen = havePassed && haveJourneysPassed && failed.length === 0 && tests.length > 0
console.log(`\n${tests.length - failed.length} passed, ${isGreen ? 0 : Math.max(failed.length, 1)} failed`)
process.exitCode = isGreen ? 0 : 1
