import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { cutOf, ORDER, temporaryFolder } from '../support/harness.ts'
import { compileCache } from '../support/panel.ts'
import { limitMs } from '../support/slowness.ts'
import { startHere } from '../support/starting.ts'
import { root } from '../support/tidy/source.ts'

/** What these tests look at of any answer. */
type Body = { code?: string; version?: number; runningVersion?: number; items?: unknown[]; pending?: number }

/** As a browser on the server itself, and as programs do. */
const callOf =
  (origin: string) =>
  async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = { method, headers: { 'sec-fetch-site': 'same-origin', ...headers } }
    const json = body && {
      body: JSON.stringify(body),
      headers: { ...init.headers, 'content-type': 'application/json' },
    }
    const answer = await fetch(origin + path, { ...init, ...json, signal: AbortSignal.timeout(limitMs(60_000)) })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

/** A plant in this process, from the code of its start to its first administrator. */
async function enterPlant() {
  const simulator = await startErpSimulator()
  onTestFinished(() => simulator.close())
  const DATA_DIR = temporaryFolder()
  const server = await startHere({ MODE: 'plant', DATA_DIR, LOG_LEVEL: 'error' })
  let isOver = false
  const stop = async () => {
    if (isOver) return
    isOver = true
    await server.stop()
  }
  onTestFinished(stop)
  const call = callOf(server.origin)
  const codigo = /código (\S+)/.exec(server.introduction ?? '')?.[1]
  const password = 'três porcas na bancada'
  const begun = await call('POST', '/api/primeiro-acesso', { codigo, username: 'ana', fullName: 'Ana Lima', password })
  expect(begun.status).toBe(200)
  // a session born outside of a browser: its token alone is enough
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const login = await fetch(`${server.origin}/api/auth/login`, {
    ...init,
    body: JSON.stringify({ username: 'ana', password }),
  })
  const authorization = `Bearer ${((await login.json()) as Session).token}`
  const ask = (method: string, path: string, body?: object, more = {}) =>
    call(method, path, body, { authorization, ...more })
  /** It is away for a moment meanwhile. */
  const untilAnew = () =>
    expect
      .poll(async () => {
        const now = await ask('GET', '/api/instalacao').catch(() => null)
        return now?.status === 200 && now.body.version === now.body.runningVersion
      })
      .toBe(true)
  const nameErp = async () => {
    const values = { ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', SITE_NAME: 'Chicotes Sul' }
    expect((await ask('PUT', '/api/instalacao', { values })).status).toBe(200)
    await untilAnew()
  }
  return { stop, simulator, DATA_DIR, ask, untilAnew, nameErp }
}

test('./painel start is a plant before its ERP is known, and MODE says otherwise', async () => {
  const saidBy = async (env: Record<string, string>) => {
    const base = { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: compileCache }
    const child = spawn('./painel', ['start'], { cwd: root, env: { ...base, DATA_DIR: temporaryFolder(), ...env } })
    const ended = once(child, 'exit')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGTERM')
    await ended
    return String(said)
  }
  expect(await saidBy({})).toContain('Primeiro acesso: abra http://127.0.0.1:')
  expect(await saidBy({ MODE: 'demonstration' })).toContain('Demonstração, com um ERP simulado')
})

const SEARCH = `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`

describe('the server put together anew in its place', () => {
  test('from the code of the first start to an order that its ERP knows, without a start by hand', async () => {
    const { ask, nameErp, stop, DATA_DIR } = await enterPlant()
    expect(await ask('GET', SEARCH)).toMatchObject({ status: 503, body: { code: 'erp_unconfigured' } })
    await nameErp()
    const check = await ask('POST', '/api/sistema/erp/conferencia', { ordem: ORDER })
    expect(check).toMatchObject({ status: 200, body: { isComplete: true } })
    expect((await ask('GET', SEARCH)).body.items?.length).toBeGreaterThan(0)
    expect((await ask('GET', '/api/configuracao')).body).toMatchObject({ siteName: 'Chicotes Sul' })
    await expect
      .poll(async () => (await ask('GET', '/api/status')).body)
      .toMatchObject({ erp: 'online', erpConfigured: true })
    // as after an update: no variable names it
    await stop()
    const again = await startHere({ DATA_DIR, LOG_LEVEL: 'error' })
    onTestFinished(() => again.stop())
    expect(await (await fetch(`${again.origin}/api/status`)).json()).toMatchObject({ erpConfigured: true })
  })

  test('loses nothing and sends nothing twice while recordings are being sent', async () => {
    const { ask, nameErp, untilAnew, simulator } = await enterPlant()
    await nameErp()
    await ask('GET', SEARCH)
    await simulator.state.setFaults([{ id: 'F01', ms: 150, count: null }])
    const ids = Array.from({ length: 24 }, () => randomUUID())
    /** As a tablet sends: again under the same id until it has an answer. */
    const record = async (id: string): Promise<number> => {
      for (;;) {
        const key = { 'idempotency-key': id }
        const answer = await ask('POST', '/api/apontamentos/corte-crimpagem', cutOf(1), key).catch(() => null)
        if (answer !== null && answer.status < 500) return answer.status
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const recording = Promise.all(ids.map(record))
    for (const SHIFTS of ['06:00,18:00', '07:00,19:00']) {
      const put = () => ask('PUT', '/api/instalacao', { values: { SHIFTS } }).catch(() => null)
      await expect.poll(async () => (await put())?.status).toBe(200)
      await untilAnew()
    }
    expect((await recording).filter((status) => ![200, 201, 202].includes(status))).toEqual([])
    await simulator.state.setFaults([])
    await expect.poll(async () => (await ask('GET', '/api/status')).body.pending).toBe(0)
    expect(simulator.state.writes.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
})
