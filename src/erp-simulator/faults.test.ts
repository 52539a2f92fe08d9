import { Agent, get } from 'node:http'
import { expect, test, vi } from 'vitest'
import { CLASS, cut, HALF_CUT, hear, startTestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'
import type { Fault } from './faults.ts'
import type { ErpSimulatorOptions } from './simulator.ts'

/** Its customer and description have accents. */
const ACCENTED_ORDER = '01621502002'

async function startWith(faults: Fault[], options: ErpSimulatorOptions = {}) {
  const client = await startTestClient(options)
  await client.simulator.state.setFaults(faults)
  return client
}

const refusal = (errorMessage: string, errorCode = 400) => ({ errorCode, errorMessage })

test('F01 takes its time, then answers', async () => {
  await using client = await startWith([
    { id: 'F01', operation: 'apontamentos', ms: 1 },
    { id: 'F01', operation: 'itens', ms: 60_000 },
  ])
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).status).toBe(201)
  const held = client.search('01621401001').catch(() => 'dropped')
  await vi.waitUntil(() => client.simulator.state.log.length === 2)
  expect((await client.search('01621401001')).status).toBe(200)
  expect(client.simulator.state.log[1]?.outcome).toBe(null)
  await client.simulator.close()
  expect(await held).toBe('dropped')
})

test('F02 holds up the first call of a worker only', async () => {
  await using client = await startWith([{ id: 'F02', count: null, ms: 60_000 }], { instances: 1 })
  const cold = client.search('01621401001').catch(() => 'dropped')
  await vi.waitUntil(() => client.simulator.state.log.length === 1)
  await client.simulator.close()
  expect(await cold).toBe('dropped')

  await using warm = await startTestClient({ instances: 1 })
  await warm.search('01621401001')
  await warm.simulator.state.setFaults([{ id: 'F02', count: null, ms: 60_000 }])
  expect((await warm.search('01621401001')).status).toBe(200)
})

test('F03 and F04 turn a call away unexecuted', async () => {
  await using client = await startWith([
    { id: 'F03', ms: 1 },
    { id: 'F04', count: 2 },
  ])
  const busy = await client.record(cut(UNTOUCHED, 1, 'a'))
  expect([busy.status, busy.contentType, busy.bytes.toString()]).toEqual([503, 'text/html', 'Server Busy'])
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).status).toBe(503)
  expect(client.simulator.state.integration('a')).toBeUndefined()
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).status).toBe(201)
})

test('F05 never answers and stores nothing', async () => {
  await using client = await startWith([{ id: 'F05' }])
  await client.recordUnanswered(cut(UNTOUCHED, 1, 'a'))
  expect(client.simulator.state.writes).toEqual([])
  expect((await client.call('GET', `${CLASS}/integracoes/a`)).status).toBe(404)
})

test('F06 stores and never answers', async () => {
  await using client = await startWith([{ id: 'F06' }])
  await client.recordUnanswered(cut(UNTOUCHED, 1, 'a'))
  expect(client.simulator.state.writes).toMatchObject([{ id: 'a', pieces: 1 }])
  expect((await client.call('GET', `${CLASS}/integracoes/a`)).body()).toMatchObject({ STATUS: '1' })
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).body()).toMatchObject({ repetido: true })
  expect(client.simulator.state.writes).toHaveLength(1)
})

test('F06, the other way, stores and resets the connection', async () => {
  await using client = await startWith([{ id: 'F06', variant: 'reset' }])
  await expect(client.record(cut(UNTOUCHED, 1, 'a'))).rejects.toThrow('fetch failed')
  expect(client.simulator.state.writes).toMatchObject([{ id: 'a' }])
})

test('unanswered calls do not use up the working threads', async () => {
  await using client = await startWith([{ id: 'F05', count: 3 }], { instances: 1 })
  for (const id of ['a', 'b', 'c']) await client.recordUnanswered(cut(UNTOUCHED, 1, id))
  expect((await client.record(cut(UNTOUCHED, 1, 'd'))).status).toBe(201)
})

test('F07 stores and answers a thread error', async () => {
  await using client = await startWith([{ id: 'F07' }])
  const heard = await client.record(cut(UNTOUCHED, 1, 'a'))
  expect([heard.status, heard.contentType]).toEqual([500, 'text/html'])
  expect(heard.bytes.toString()).toContain('THREAD ERROR')
  expect(client.simulator.state.writes).toHaveLength(1)
})

test('F08 stores once its time has come, unless the same id was stored meanwhile', async () => {
  await using client = await startWith([{ id: 'F08', count: 2 }])
  const { state } = client.simulator
  await client.recordUnanswered(cut(UNTOUCHED, 1, 'a'))
  await client.recordUnanswered(cut(UNTOUCHED, 2, 'b'))
  state.advanceClock(44_000)
  expect(state.writes).toEqual([])
  expect((await client.call('GET', `${CLASS}/integracoes/a`)).status).toBe(404)
  expect((await client.record(cut(UNTOUCHED, 2, 'b'))).status).toBe(201)
  state.advanceClock(2_000)
  expect(state.writes).toMatchObject([{ id: 'b' }, { id: 'a' }])
})

test('F08 stores twice where the ERP does not know ids and the sender was hasty', async () => {
  await using client = await startWith([{ id: 'F08' }], { dedup: false })
  await client.recordUnanswered(cut(UNTOUCHED, 2, 'b'))
  await client.record(cut(UNTOUCHED, 2, 'b'))
  client.simulator.state.advanceClock(46_000)
  expect(client.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(4)
})

test.each([
  [{ id: 'F09' }, 200, refusal('Lote bloqueado')],
  [{ id: 'F09', message: 'Máquina parada' }, 200, refusal('Máquina parada')],
  [{ id: 'F19' }, 400, refusal('{"code":"MA0001","message":"Lote bloqueado"}')],
  [{ id: 'F20' }, 400, { code: 'APONTAMENTO-001', message: 'Lote bloqueado', details: [] }],
  [{ id: 'F21', ms: 1 }, 500, refusal('registro bloqueado por outro usuário', 500)],
] as [Fault, number, object][])('%o refuses without storing', async (fault, status, body) => {
  await using client = await startWith([fault])
  const heard = await client.record(cut(UNTOUCHED, 1, 'a'))
  expect([heard.status, heard.body()]).toMatchObject([status, body])
  expect(client.simulator.state.writes).toEqual([])
})

test('F10 answers 200 with nothing, on a read and on a write that was stored', async () => {
  await using client = await startWith([{ id: 'F10', count: 2 }])
  for (const heard of [await client.search('01621401001'), await client.record(cut(UNTOUCHED, 1, 'a'))]) {
    expect([heard.status, heard.bytes.length]).toEqual([200, 0])
  }
  expect(client.simulator.state.writes).toHaveLength(1)
})

test('F11 is an error page of a call that was not executed', async () => {
  await using client = await startWith([{ id: 'F11' }])
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).contentType).toBe('text/html')
  expect(client.simulator.state.writes).toEqual([])
})

test('F12, F13, F14 and F18 spoil the body of an answer', async () => {
  await using client = await startTestClient()
  const good = (await client.search('01621401001')).bytes.toString()
  const spoilt = async (id: 'F12' | 'F13' | 'F14' | 'F18') => {
    await client.simulator.state.setFaults([{ id }])
    const heard = await client.search('01621401001')
    return [heard.bytes.toString(), heard.contentType]
  }
  const type = 'application/json; charset=utf-8'
  expect(await spoilt('F13')).toEqual([`{"message":"Processando"}${good}`, type])
  expect(await spoilt('F14')).toEqual([good, 'text/html'])
  expect(await spoilt('F18')).toEqual(['null', type])
  const [cutOff = ''] = await spoilt('F12')
  expect(good.startsWith(cutOff) && cutOff.length < good.length).toBe(true)
})

test.each([
  [{ id: 'F15' }, 'application/json; charset=cp1252', 'windows-1252'],
  [{ id: 'F16' }, 'application/json; charset=utf-8', 'windows-1252'],
] as [Fault, string, string][])('%o sends CP1252', async (fault, contentType, encoding) => {
  await using client = await startTestClient()
  const good = (await client.search(ACCENTED_ORDER)).bytes.toString()
  expect(good).toContain('São José Carrocerias')
  await client.simulator.state.setFaults([fault])
  const heard = await client.search(ACCENTED_ORDER)
  expect(heard.contentType).toBe(contentType)
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(heard.bytes)).toThrow()
  expect(new TextDecoder(encoding).decode(heard.bytes)).toBe(good)
})

test('F17 encodes twice', async () => {
  await using client = await startWith([{ id: 'F17' }, { id: 'F17', variant: 'cp1252', operation: 'maquinas' }])
  const text = (await client.search(ACCENTED_ORDER)).bytes.toString()
  expect(text).toContain('SÃ£o JosÃ©'.slice(1))
  expect(text).toContain('TRAÃ\u0087Ã\u0083O')
  const machines = (await client.call('GET', `${CLASS}/maquinas?pageSize=100`)).bytes.toString()
  expect(machines).toContain('MANUTENÃ‡ÃƒO')
})

test('F22 refuses tokens before their time, once', async () => {
  await using client = await startTestClient()
  const ask = async () =>
    hear(
      await fetch(`${client.simulator.url}/api/oauth2/v1/token?grant_type=password&username=painel&password=painel`, {
        method: 'POST',
      }),
    )
  const withToken = async (token: unknown) =>
    (await client.call('GET', `${CLASS}/maquinas`, undefined, { authorization: `Bearer ${token}` })).status
  const first = (await ask()).body().access_token
  await client.simulator.state.setFaults([{ id: 'F22' }])
  expect(await withToken(first)).toBe(401)
  expect(await withToken(first)).toBe(401)
  expect(await withToken((await ask()).body().access_token)).toBe(200)
})

test('F23 refuses the refresh, not the password', async () => {
  await using client = await startWith([{ id: 'F23' }])
  const ask = async (query: string) =>
    hear(await fetch(`${client.simulator.url}/api/oauth2/v1/token?${query}`, { method: 'POST' }))
  const granted = await ask('grant_type=password&username=painel&password=painel')
  expect(granted.status).toBe(201)
  const refresh = `grant_type=refresh_token&refresh_token=${granted.body().refresh_token}`
  expect((await ask(refresh)).status).toBe(401)
  expect((await ask(refresh)).status).toBe(201)
})

test('F24 gives rows of the other plant', async () => {
  await using client = await startWith([{ id: 'F24' }])
  const rows = (await client.search('01621401001')).body().items as { Z1_FILIAL: string }[]
  expect(new Set(rows.map((row) => row.Z1_FILIAL))).toEqual(new Set(['020101']))
})

test('F25 wraps a list in every shape of the field', async () => {
  await using client = await startTestClient()
  const all = (await client.search('01621401001', '&pageSize=100')).body().items as unknown[]
  const [one] = (await client.search(UNTOUCHED)).body().items as unknown[]
  const shaped = async (variant: string, term = '01621401001') => {
    await client.simulator.state.setFaults([{ id: 'F25', variant }])
    return (await client.search(term)).body()
  }
  expect(await shaped('array')).toEqual(all)
  expect(await shaped('data')).toEqual({ data: all })
  expect(await shaped('itens')).toEqual({ itens: all, count: 24, offset: 0, limit: 24 })
  expect(await shaped('items')).toEqual({ items: all.slice(0, 10), hasNext: true })
  expect(await shaped('capitals')).toEqual({ Items: all.slice(0, 10), HasNext: 'true' })
  expect(await shaped('single', UNTOUCHED)).toEqual(one)
  expect(await shaped('dataSingle', UNTOUCHED)).toEqual({ data: one })
})

test('F26 writes numbers as text, in both notations, and blank for zero', async () => {
  await using client = await startWith([{ id: 'F26', count: null }])
  const rows = (await client.search('01621401001')).body().items as Record<string, unknown>[]
  expect(rows[0]).toMatchObject({ Z1_QUANT: '120.00', Z1_COMPR: '1250.00', Z1_PCORTE: '' })
  expect(rows[1]).toMatchObject({ Z1_QUANT: '120,00', Z1_COMPR: '840,00', Z1_PCORTE: '50.00' })
  expect(rows.map((row) => row.Z1_COMPR)).toContainEqual(expect.stringMatching(/^\d\.\d{3},\d\d$/))
})

test('F27 gives the same page for ever', async () => {
  await using client = await startWith([{ id: 'F27', count: null }])
  const page = async (n: number) => (await client.search('01621401001', `&page=${n}&pageSize=100`)).body()
  expect(await page(2)).toEqual(await page(1))
  expect((await page(7)).hasNext).toBe(true)
})

test('F28 shows a recording only after a while', async () => {
  await using client = await startWith([{ id: 'F28', count: null }])
  await client.record(cut(UNTOUCHED, 12, 'a'))
  const seen = async () => ((await client.search(UNTOUCHED)).body().items as { Z1_QTREGCO: number }[])[0]?.Z1_QTREGCO
  expect(await seen()).toBe(0)
  client.simulator.state.advanceClock(30_000)
  expect(await seen()).toBe(12)
})

test.each([
  ['F29', 'Ordem de produção encerrada'],
  ['F30', 'Quantidade excede o saldo da ordem (saldo 0)'],
  ['F33', 'Código de barras não encontrado'],
] as const)('%s: somebody else was faster', async (id, message) => {
  await using client = await startWith([{ id }])
  expect((await client.record(cut(HALF_CUT, 1, 'a'))).body()).toEqual(refusal(message))
  expect(client.simulator.state.writes).toEqual([])
})

test('F31 answers maintenance to everything, the probe included', async () => {
  await using client = await startWith([{ id: 'F31', count: null }])
  for (const path of ['/status', '/maquinas']) expect((await client.call('GET', CLASS + path)).status).toBe(503)
  await client.simulator.state.setFaults([])
  expect((await client.call('GET', `${CLASS}/status`)).status).toBe(200)
})

test('F31, the other way, refuses connections until told otherwise', async () => {
  await using client = await startWith([{ id: 'F31', variant: 'refused' }])
  const failure = await client.call('GET', `${CLASS}/status`).catch((error: Error) => error.cause)
  expect(failure).toMatchObject({ code: 'ECONNREFUSED' })
  await client.simulator.state.setFaults([])
  expect((await client.call('GET', `${CLASS}/status`)).status).toBe(200)
})

test('F31 for a while is over by itself', async () => {
  await using client = await startWith([{ id: 'F31', variant: 'refused', ms: 30 }])
  const failures: unknown[] = []
  const back = async () => {
    const heard = await client.call('GET', `${CLASS}/status`).catch((error: Error) => void failures.push(error))
    return heard?.status === 200
  }
  await vi.waitUntil(back, { interval: 1 })
  expect(failures.length).toBeGreaterThan(0)
})

test('F32 breaks a connection that was used before, and no other', async () => {
  await using client = await startWith([{ id: 'F32' }])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const status = (path: string) =>
    new Promise((resolve) => {
      const headers = { authorization: `Basic ${btoa('painel:painel')}` }
      const asked = get(`${client.simulator.url}${CLASS}${path}`, { agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
      asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    })
  const heard = [
    await status('/maquinas'),
    await status('/status'),
    await status('/maquinas'),
    await status('/maquinas'),
  ]
  expect(heard).toEqual([200, 200, 'ECONNRESET', 200])
  agent.destroy()
})

test('a fault strikes as often as told, where told, and beside others', async () => {
  await using client = await startWith([
    { id: 'F11', operation: 'maquinas', count: 2 },
    { id: 'F26', count: null },
    { id: 'F14', operation: 'itens', count: null },
  ])
  const machines = async () => (await client.call('GET', `${CLASS}/maquinas`)).status
  const heard = await client.search('01621401001')
  expect([await machines(), await machines(), await machines()]).toEqual([500, 500, 200])
  expect(heard.contentType).toBe('text/html')
  expect(heard.body().items).toMatchObject([{ Z1_QUANT: '120.00' }, {}, {}, {}, {}, {}, {}, {}, {}, {}])
})

test('a share of the calls is struck by the seed', async () => {
  const outcomes = async (seed: number) => {
    await using client = await startWith([{ id: 'F11', count: null, chance: 0.3 }], { seed })
    for (const _ of Array.from({ length: 60 })) await client.call('GET', `${CLASS}/maquinas`)
    return client.simulator.state.log.map((entry) => entry.outcome)
  }
  const [once, again, other] = [await outcomes(1), await outcomes(1), await outcomes(2)]
  expect(again).toEqual(once)
  expect(other).not.toEqual(once)
  const struck = once.filter((outcome) => outcome === 500).length
  expect(struck).toBeGreaterThan(5)
  expect(struck).toBeLessThan(35)
})
