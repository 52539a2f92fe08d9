import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBundle } from '../../scripts/bundle.ts'
import { programId, readIdentity } from '../../src/server/upkeep/identity.ts'
import { temporaryFolder } from '../support/harness.ts'
import { makeCheckout } from '../support/promises/installed-archives.ts'
import { report } from '../support/promises/report.ts'
import { isFull } from '../support/promises/sizes.ts'
import { limitMs } from '../support/slowness.ts'
import { root } from '../support/tidy/source.ts'

const BUNDLE_BYTES_MAX = 150 * 2 ** 20
const COMMANDS_MAX = 4
/** With a person's reading and typing, of which a test has none. */
const MINUTES_MAX = 15
/** A namespace where not even 127.0.0.1 is there until it is brought up. */
const WITHOUT_NETWORK = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** All that the commands of the manual may find by name: neither Node nor npm nor git. */
function barePath(): string {
  const folder = join(temporaryFolder(), 'bin')
  mkdirSync(folder)
  for (const program of ['readlink', 'dirname', 'mkdir', 'tar', 'gzip', 'ln']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), join(folder, program))
  }
  return folder
}

/** Those with which the manual installs, line by line. */
function commandsOfManual(): string[] {
  const page = readFileSync(join(root, 'docs/manual/instalar-em-15-minutos.md'), 'utf8')
  const [, block = ''] = /```\n([^`]+)\n```/.exec(page) ?? []
  return block.split('\n')
}

test('the archive becomes a plant with users, a checked ERP, an alarm by mail that ends with the rehearsed backup, in four commands', () => {
  const [unshare = '', ...words] = WITHOUT_NETWORK
  const tried = spawnSync(unshare, [...words, 'true'], { encoding: 'utf8' })
  const why = `not run, for no network namespace can be made here: ${tried.error?.message ?? tried.stderr}`
  if (isFull) expect(tried.status, why).toBe(0)
  if (tried.status !== 0) return console.log(why)

  const folder = temporaryFolder()
  const archive = makeBundle(folder)
  const { size } = statSync(archive)
  expect(size).toBeLessThan(BUNDLE_BYTES_MAX)
  const elsewhere = temporaryFolder()
  execFileSync('tar', ['-xzf', archive, '-C', elsewhere])
  const program = programId(readIdentity(root))
  const unpacked = join(elsewhere, `painel-${program}`)
  const driver = join(root, 'test/support/promises/plant-without-network.mjs')
  const lines = commandsOfManual()
  expect(lines).toHaveLength(COMMANDS_MAX)
  const { stdout, stderr, status } = spawnSync(
    unshare,
    [...words, join(unpacked, 'node'), driver, folder, unpacked, temporaryFolder(), barePath(), ...lines],
    { encoding: 'utf8', timeout: limitMs(300_000) },
  )
  expect([status, stderr]).toEqual([0, ''])
  const found = JSON.parse(stdout)
  expect(found).toMatchObject({
    interfaces: ['lo'],
    imported: 2,
    role: 'lider',
    alarm: { isSent: true },
    ready: { ready: true, database: 'online', version: program },
    page: expect.stringContaining('<title>'),
    code: 0,
  })
  // how full its disk is says nothing of the product
  const mails = (found.mails as string[]).filter((subject) => !subject.endsWith('Disco quase cheio'))
  // a plant without a backup is an alarm, which the last command ends
  const said = ['Teste: Aviso de teste', 'Alarme: Backup velho', 'Fim: Backup velho']
  expect(mails).toEqual(said.map((text) => `[Chicotes Sul] ${text}`))
  const commands = found.commands as { line: string; code: number; stdout: string; stderr: string; seconds: number }[]
  expect(commands.map(({ line, code, stderr: said }) => [line, code, said])).toEqual(lines.map((line) => [line, 0, '']))
  const [, started, , backup] = commands.map((command) => command.stdout)
  expect(started).toMatch(/\nAgora são \d\d:\d\d em America\/Sao_Paulo\.\n/)
  expect(backup).toMatch(/^Backup feito em .* e volta ensaiada/)
  const versioned = spawnSync(join(unpacked, 'painel'), ['--version'], { env: { PATH: barePath(), DATA_DIR: folder } })
  expect(String(versioned.stdout)).toContain(`Painel Industrial ${program}\n`)
  const minutes = Math.round(found.seconds / 0.6) / 100
  const each = commands.map(({ seconds }) => `${seconds} s`).join(' + ')
  report('bundle', { MiB: Math.round(size / 2 ** 20) }, { commands: commands.length, minutes, each })
  if (isFull) expect(minutes).toBeLessThan(MINUTES_MAX)
})

test('a release that changes only the server leaves the page as it was to the byte, wherever it is built: no tablet reloads', () => {
  const pages = ['2.1.8', '2.1.9'].map((number) => {
    const { folder, change } = makeCheckout()
    change('package.json', /"version": "[^"]+"/, `"version": "${number}"`)
    change('package-lock.json', /"version": "[^"]+"/, `"version": "${number}"`)
    change('src/server/start.ts', /^/, `// ${number}\n`)
    const env = { ...process.env, NODE_ENV: 'production' }
    execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
      cwd: folder,
      env,
    })
    // the worker names all files of the page, each with the hash of its content
    return ['index.html', 'sw.js'].map((name) => readFileSync(join(folder, 'dist', 'web', name), 'utf8'))
  })
  expect(pages[0]?.[0]).toMatch(/<meta name="pagina" content="2\.1\.0-[0-9a-f]{7}">/)
  expect(pages[1]).toEqual(pages[0])
})
