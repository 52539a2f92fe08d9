import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../deploy/galera/processes.ts'
import { recordings } from '../../src/contract/recordings.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { cutOf, ORDER } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { limitMs } from '../support/slowness.ts'
import { root } from '../support/tidy/source.ts'

/** Each Node that the README names with the npm that it ships, then the npm of before and after with the oldest. */
const pairs: [node: string, npm: string][] = [
  ['20.20.2', '10.8.2'],
  ['22.23.3', '10.9.9'],
  ['24', '11'],
  ['latest', 'latest'],
  ['20.20.2', '8'],
  ['20.20.2', '9'],
  ['20.20.2', '11'],
]
/** Whoever is nobody's administrator; as such a person tests run already. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const folder = mkdtempSync(join(tmpdir(), 'painel-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const home = join(folder, 'home')
mkdirSync(home)
chmodSync(folder, 0o755)
/** How this machine reaches a registry is no business of the test; all else of its environment stays outside. */
const reaching = Object.entries(process.env).filter(([name]) => /(_CERTS?|_proxy)$/i.test(name))
const env = { ...Object.fromEntries(reaching), HOME: home, npm_config_cache: join(home, 'cache'), LANG: 'C.UTF-8' }
const person = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
if (isRoot) chownSync(home, NOBODY, NOBODY)

const run = (program: string, args: string[], more: { cwd?: string; PATH?: string } = {}) => {
  const { PATH = process.env.PATH ?? '', cwd = folder } = more
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd, env: { ...env, PATH }, encoding: 'utf8', timeout: limitMs(600_000) },
    ...person,
  })
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout.trim()
}

/** A PATH on which these are called `node` and `npm`, beside the machine's git and shell; needs the network. */
function pathOf(node: string, npm: string): string {
  const tools = join(home, `node-${node}-npm-${npm}`)
  const platform = `${process.platform}-${process.arch}`
  const packages = [`node-${platform}@${node}`, `npm@${npm}`]
  run('npm', ['install', '--prefix', tools, '--no-save', '--ignore-scripts', '--force', ...packages])
  const modules = join(tools, 'node_modules')
  const bin = join(tools, 'bin')
  mkdirSync(bin)
  symlinkSync(join(modules, `node-${platform}`, 'bin', 'node'), join(bin, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(join(modules, 'npm', 'bin', `${name}-cli.js`), join(bin, name))
  return `${bin}:/usr/local/bin:/usr/bin:/bin`
}

/** Logs in as the demonstration says, outside of a browser, and records a piece. */
async function record(origin: string): Promise<number> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ username: 'operador', password: 'operador', deviceName: '' })
  const login = await fetch(`${origin}/api/auth/login`, { ...init, body })
  const { token } = (await login.json()) as Session
  const authorization = `Bearer ${token}`
  const search = `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`
  await fetch(origin + search, { headers: { authorization } })
  const headers = { ...init.headers, authorization, 'idempotency-key': randomUUID() }
  return (await fetch(origin + recordings.createCutCrimp.path, { ...init, headers, body: JSON.stringify(cutOf(1)) }))
    .status
}

const figures: Record<string, string> = {}
afterAll(() => report('first-start', { pairs: pairs.length }, figures))

test('the packages can be had: this run needs the network', () => {
  expect(run('npm', ['view', 'npm', 'version'])).toMatch(/^\d/)
})

test.each(pairs)(
  'Node %s with npm %s: a fresh clone starts with one command, and somebody records',
  async (node, npm) => {
    const PATH = pathOf(node, npm)
    const versions = `Node ${run('node', ['--version'], { PATH })}, npm ${run('npm', ['--version'], { PATH })}`
    const clone = join(home, `um painel é ${randomUUID().slice(0, 4)}`)
    execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks', root, clone])
    if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, clone])
    const port = String(await freePort())
    const begunAt = performance.now()
    const panel = spawn('npm', ['start'], {
      ...{ cwd: clone, env: { ...env, PATH, PORT: port, LOG_LEVEL: 'error' }, detached: true },
      ...person,
    })
    const ended = once(panel, 'exit')
    onTestFinished(async () => {
      if (panel.exitCode === null && panel.signalCode === null) process.kill(-(panel.pid as number), 'SIGTERM')
      await ended
    })
    let said = ''
    for (const stream of [panel.stdout, panel.stderr]) stream.on('data', (text: Buffer) => (said += text))
    const origin = `http://127.0.0.1:${port}`
    const isUp = async () => (await fetch(`${origin}/ready`).catch(() => null))?.ok ?? panel.exitCode !== null
    await expect.poll(isUp, { timeout: limitMs(900_000), interval: 500 }).toBe(true)
    expect(panel.exitCode, said).toBe(null)
    const tookSeconds = Math.round((performance.now() - begunAt) / 1000)
    expect(await record(origin), said).toBe(201)
    expect(readdirSync(join(clone, 'node_modules')).filter((name) => name.startsWith('node-'))).not.toEqual([])
    expect(run('./painel', ['--version'], { cwd: clone, PATH }).split('\n')[0]).toMatch(/^Painel Industrial \d/)
    figures[versions] = `${tookSeconds} s`
  },
)
