import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBundle } from '../../scripts/bundle.ts'
import { temporaryFolder } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { isFull } from '../support/promises/sizes.ts'
import { root } from '../support/tidy/source.ts'

const BUNDLE_BYTES_MAX = 150 * 2 ** 20
/** A namespace where not even 127.0.0.1 is there until it is brought up. */
const WITHOUT_NETWORK = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** All that the commands of the bundle may find by name: neither Node nor npm nor git. */
function barePath(): string {
  const folder = join(temporaryFolder(), 'bin')
  mkdirSync(folder)
  for (const program of ['readlink', 'dirname', 'mkdir']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), join(folder, program))
  }
  return folder
}

test('the bundle becomes a running plant on a machine without network, git or npm', () => {
  const [program = '', ...words] = WITHOUT_NETWORK
  const tried = spawnSync(program, [...words, 'true'], { encoding: 'utf8' })
  const why = `not run, for no network namespace can be made here: ${tried.error?.message ?? tried.stderr}`
  if (isFull) expect(tried.status, why).toBe(0)
  if (tried.status !== 0) return console.log(why)

  const folder = temporaryFolder()
  const archive = makeBundle(folder)
  const { size } = statSync(archive)
  expect(size).toBeLessThan(BUNDLE_BYTES_MAX)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const unpacked = join(folder, `painel-${version}`)
  // as an administrator would have it: the next version's folder takes its place
  symlinkSync(unpacked, join(folder, 'painel'))
  const driver = join(root, 'test/support/promises/plant-without-network.mjs')
  const { stdout, stderr, status } = spawnSync(
    program,
    [...words, join(unpacked, 'node'), driver, join(folder, 'painel'), temporaryFolder(), barePath()],
    { encoding: 'utf8', timeout: 120_000 },
  )
  expect([status, stderr]).toEqual([0, ''])
  const found = JSON.parse(stdout)
  expect(found).toMatchObject({
    interfaces: ['lo'],
    started: expect.stringMatching(/\nAgora são \d\d:\d\d em America\/Sao_Paulo\.\n/),
    added: { code: 0, stderr: '' },
    ready: { ready: true, database: 'online' },
    page: expect.stringContaining('<title>'),
    login: 200,
    checked: { code: 0, stderr: '' },
    backup: { code: 0, stdout: expect.stringMatching(/^Backup feito em .* e volta ensaiada/) },
    version: { code: 0, stdout: expect.stringContaining(`Painel Industrial ${version}\n`) },
    code: 0,
  })
  report('bundle', { MiB: Math.round(size / 2 ** 20) }, { seconds: found.seconds })
})
