import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../deploy/galera/processes.ts'
import { cutOf, temporaryFolder } from '../support/harness.ts'
import { compileCache, runUserCommand, startPanel } from '../support/panel.ts'
import { expectOneSentence, runMeanwhile } from '../support/starting.ts'

describe('one SQLite has one panel', () => {
  test('whatever its DATA_DIR: a second one with the same key, by a link to its folder, gives up and the first goes on', async () => {
    const [folder, key] = [temporaryFolder(), join(temporaryFolder(), 'secret.key')]
    const env = { SECRET_KEY_FILE: key, DATABASE_URL: `sqlite:${join(folder, 'p.sqlite')}` }
    const first = await startPanel({ env })
    onTestFinished(() => first.stop())
    const link = join(temporaryFolder(), 'ligado')
    symlinkSync(folder, link)
    const linked = { ...env, DATA_DIR: temporaryFolder(), DATABASE_URL: `sqlite:${join(link, 'p.sqlite')}` }
    expectOneSentence(await runMeanwhile(linked), /^Outro painel já usa o banco .*p\.sqlite\. .*DATABASE_URL/)
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    await first.kill('SIGKILL')
    await first.restart()
  })

  test('of another file in the same folder, with another DATA_DIR, there is another panel', async () => {
    const folder = temporaryFolder()
    for (const name of ['a.sqlite', 'b.sqlite']) {
      const panel = await startPanel({ env: { DATABASE_URL: `sqlite:${join(folder, name)}` } })
      onTestFinished(() => panel.stop())
    }
  })
})

const modesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => {
    const path = join(one.parentPath, one.name)
    const mode = statSync(path).mode & 0o777
    const wanted = one.isDirectory() ? 0o700 : 0o600
    return mode === wanted ? [] : [`${path.slice(folder.length + 1)} ${mode.toString(8)}`]
  })

test('all that is written below DATA_DIR is the panel’s own, whatever the umask and whoever wrote it', async () => {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const dataDir = temporaryFolder()
  // as a version before, or a copy, has left it
  writeFileSync(join(dataDir, 'lock.sqlite'), '')
  const env = { DATA_DIR: dataDir }
  const first = await startPanel({ env })
  onTestFinished(() => first.stop())
  expect(readdirSync(join(dataDir, 'documentos')).length).toBeGreaterThan(0)
  const login = await fetch(`${first.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin' }),
  })
  const { token } = (await login.json()) as { token: string }
  // its answer carries a mark
  const recorded = await fetch(`${first.url}/api/apontamentos/corte-crimpagem`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(cutOf(1)),
  })
  expect(recorded.ok).toBe(true)
  await first.kill('SIGTERM')
  const { status } = runUserCommand(['add', 'ana', '--role', 'admin'], env)
  expect(status).toBe(0)
  for (const given of [['backup'], ['rotate-key']]) {
    const child = spawn(process.execPath, ['src/server/commands/database.ts', ...given], {
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: 'ignore',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  const erp = spawn(process.execPath, ['demo/erp-command.ts', '--port', String(await freePort())], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void erp.kill('SIGKILL'))
  await once(erp.stdout, 'data')
  await first.restart()
  expect(modesBelow(dataDir)).toEqual([])
  const names = readdirSync(dataDir)
  const written = [
    'painel.sqlite-wal',
    'painel.sqlite-lock',
    'lock.sqlite',
    'backups',
    'documentos',
    'marcas',
    'erp-de-ensaio',
  ]
  expect(written.filter((name) => !names.includes(name))).toEqual([])
})
