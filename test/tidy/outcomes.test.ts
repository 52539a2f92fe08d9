import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { oneCheck, playwrightTests, run, vitestTests } from '../../scripts/outcomes.mjs'
import { temporaryFolder } from '../support/harness.ts'

const node = (script: string) => run([process.execPath, '-e', script], { env: {} })
const ways: [how: string, script: string, said: RegExp][] = [
  [
    'of an exit code',
    "console.log('of three journeys'); process.exit(7)",
    /ended with exit code 7; .*\n.*of three journeys/,
  ],
  ['of memory', "console.error('heap'); process.kill(process.pid, 'SIGKILL')", /was ended by SIGKILL; .*\n.*heap/],
]

describe('a run that leaves no report says that it ended', () => {
  test.each(ways)('%s', async (_, script, said) => {
    const ended = await node(script)
    const missing = join(temporaryFolder(), 'report.json')
    for (const { passed, failures } of [vitestTests(missing, ended, '/'), playwrightTests(missing, ended)]) {
      expect([passed, failures]).toEqual([0, [expect.stringMatching(said)]])
    }
  })

  test('before it began', async () => {
    const ended = await run(['no-such-program'], {})
    expect(playwrightTests('none', ended).failures).toEqual([
      'no report: no-such-program could not be started: spawn no-such-program ENOENT',
    ])
    expect(oneCheck(ended).failures).toEqual([expect.stringContaining('ENOENT')])
  })
})

test('a report in which all is well does not hide that its program failed', async () => {
  const file = join(temporaryFolder(), 'report.json')
  writeFileSync(file, JSON.stringify({ errors: [], suites: [], stats: { expected: 3 } }))
  expect(playwrightTests(file, await node('')).failures).toEqual([])
  const failed = await node("console.log('a worker was lost'); process.exit(1)")
  expect(playwrightTests(file, failed).failures).toEqual([
    expect.stringMatching(/exit code 1; .*\n.*a worker was lost/),
  ])
})

test('a check that found something says it above, and one that was ended says so here', async () => {
  expect(oneCheck(await node('process.exit(2)')).failures).toEqual([''])
  expect(oneCheck(await node("process.kill(process.pid, 'SIGTERM')")).failures[0]).toContain('was ended by SIGTERM')
})
