import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shows } from '../../demo/faults.ts'
import { faultIds } from '../../demo/simulator/faults.ts'
import type { ErpSimulator } from '../../demo/simulator/simulator.ts'
import { cutOf, temporaryFolder } from '../support/harness.ts'
import { type Panel, startPanel } from '../support/panel.ts'

const exec = promisify(execFile)

/** Every call of the command is a process, and so is the demonstration. */

type SimulatorLog = Pick<ErpSimulator['state'], 'log' | 'writes'>
type CommandResult = { code: number; out: string; error: string }

/** The real command, on the folder of a demonstration. */
async function fault(dataDir: string, ...given: string[]): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATA_DIR: dataDir }
  return await exec(process.execPath, ['demo/fault-command.ts', ...given], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, error: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, error: stderr }),
  )
}

async function openDemonstration(env: Record<string, string> = {}) {
  const panel = await startPanel({ env: { DEMO_ERP_PROFILE: 'clean', ...env } })
  onTestFinished(() => panel.stop())
  const login = await post(panel, '/api/auth/login', { username: 'operador', password: 'operador' })
  const { token } = (await login.json()) as { token: string }
  const record = async (pieces: number) => {
    const answer = await post(panel, '/api/apontamentos/corte-crimpagem', cutOf(pieces), {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
    })
    return { status: answer.status, message: ((await answer.json()) as { message: string }).message }
  }
  return { ...panel, record }
}

const post = (panel: Panel, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(panel.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('npm run fault', () => {
  test('switches a fault of the running demonstration on, lists it, and all off', async () => {
    const panel = await openDemonstration()
    const { dataDir } = panel
    expect(await fault(dataDir, 'f09')).toEqual({
      code: 0,
      out: `  F09  ${shows.F09.seen}   [ligada: 1x]\n`,
      error: '',
    })
    expect(await panel.record(1)).toEqual({ status: 422, message: 'Lote bloqueado' })
    expect((await panel.record(1)).status).toBe(201)

    await fault(dataDir, 'F31')
    await fault(dataDir, 'F19', '--times', '2')
    expect((await panel.record(1)).status).toBe(202)
    const listed = (await fault(dataDir, '--list')).out.split('\n').filter((line) => line.includes('[ligada'))
    expect(listed).toEqual([`  F19  ${shows.F19.seen}   [ligada: 2x]`, `  F31  ${shows.F31.seen}   [ligada]`])

    expect(await fault(dataDir, '--off')).toEqual({ code: 0, out: 'Todas as falhas estão desligadas.\n', error: '' })
    expect((await fault(dataDir, '--list')).out).not.toContain('[ligada')
    expect(panel.logs()).toContain('npm run fault -- --list')
  })

  test('is for whoever may read the folder, and gone with the demonstration', async () => {
    const panel = await openDemonstration()
    const file = join(panel.dataDir, 'erp-simulator-control.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { url, secret } = JSON.parse(readFileSync(file, 'utf8'))
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect((await fetch(`${url}/__sim/faults`)).status).toBe(401)
    const throughPanel = await fetch(`${panel.url}/__sim/faults`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(throughPanel.status).toBe(404)
    expect(panel.logs()).not.toContain(secret)

    await panel.kill('SIGKILL')
    const notRunning = expect.stringMatching(/^A demonstração não está aberta\..*\n$/)
    expect(await fault(panel.dataDir, 'F06')).toEqual({ code: 1, out: '', error: notRunning })
    writeFileSync(file, JSON.stringify({ url, secret }), { mode: 0o644 })
    await panel.restart()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8')).secret).not.toBe(secret)
    expect(await panel.kill('SIGTERM')).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(await fault(panel.dataDir, '--list')).toEqual({ code: 1, out: '', error: notRunning })
  })

  test.each([
    [[], /^Uso: /],
    [['--sempre'], /^Uso: /],
    [['F99'], /^Não há falha F99\./],
    [['F06', '--times', 'muitas'], /^--times espera um número/],
  ])('%j is answered with one clear sentence', async (given, sentence) => {
    const said = await fault(temporaryFolder(), ...given)
    expect([said.code, said.out]).toEqual([1, ''])
    expect(said.error).toMatch(sentence)
    expect(said.error).not.toMatch(/\n\s+at /)
  })
})

test('the demonstration starts with the ERP that is asked for', async () => {
  const panel = await openDemonstration({ DEMO_ERP_LOOKUP: 'none' })
  const { url, secret } = JSON.parse(readFileSync(join(panel.dataDir, 'erp-simulator-control.json'), 'utf8'))
  const headers = { authorization: `Bearer ${secret}` }
  const log = async () => (await (await fetch(`${url}/__sim/log`, { headers })).json()) as SimulatorLog
  await fault(panel.dataDir, 'F07')
  expect((await panel.record(3)).status).toBe(202)
  const lookedUpById = async () => (await log()).log.find(({ operation }) => operation === 'integracoes')?.outcome
  await expect.poll(lookedUpById).toBe(404)
  expect((await log()).writes).toMatchObject([{ pieces: 3 }])

  const [erpUrl = ''] = /(?<=ERP simulado: )\S+/.exec(panel.logs()) ?? []
  const found = await fetch(`${erpUrl}/p1/ApontamentoProducao/maquinas`, {
    headers: { authorization: `Basic ${btoa('painel:painel')}`, tenantId: '01,010101' },
  })
  expect(((await found.json()) as { items: object[] }).items[0]).toMatchObject({ FABRICANTE: 'Komax' })
})

test('the manual shows every fault as the command does', () => {
  const manual = readFileSync('docs/manual/demonstracao.md', 'utf8').replaceAll(/ +/g, ' ')
  for (const id of faultIds) expect(manual).toContain(`| ${shows[id].seen} |`)
})
