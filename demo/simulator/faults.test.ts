import { expect, test, vi } from 'vitest'
import { CLASS, cut, startTestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'
import { SOON } from '../../test/support/slowness.ts'
import type { Fault } from './faults.ts'
import type { ErpSimulatorOptions } from './simulator.ts'

/*
 * What the table of test/erp/faults.test.ts cannot see: the bytes and their heads, the working threads, how often and by
 * which chance a fault strikes.
 */

/** Its customer and description have accents. */
const ACCENTED_ORDER = '01621502002'

async function startWith(faults: Fault[], options: ErpSimulatorOptions = {}) {
  const client = await startTestClient(options)
  await client.simulator.state.setFaults(faults)
  return client
}

const refusal = (errorMessage: string, errorCode = 400) => ({ errorCode, errorMessage })

test.each([
  ['F03', 503, 'text/html', 'Server Busy'],
  ['F04', 503, 'text/html', 'Service Unavailable: no license available'],
  ['F07', 500, 'text/html', 'THREAD ERROR'],
  ['F10', 200, 'application/json; charset=utf-8', ''],
  ['F11', 500, 'text/html', 'THREAD ERROR'],
  ['F31', 503, 'text/html', 'Servidor em manutenção'],
] as const)('%s answers %d as %s with %j', async (id, status, contentType, text) => {
  await using client = await startWith([{ id }], { acceptTimeoutMs: 1 })
  const heard = await client.record(cut(UNTOUCHED, 1, 'a'))
  expect([heard.status, heard.contentType]).toEqual([status, contentType])
  if (text === '') expect(heard.bytes).toHaveLength(0)
  else expect(heard.bytes.toString()).toContain(text)
})

test('F39 says of nothing that it is included which the ERP refuses', async () => {
  await using client = await startWith([{ id: 'F39', count: null }])
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).status).toBe(200)
  const refused = await client.record(cut(UNTOUCHED, 1_000_000, 'b'))
  expect([refused.status, client.simulator.state.writes.length]).toEqual([400, 1])
})

test('F02 holds up the first call of a worker only', async () => {
  await using client = await startWith([{ id: 'F02', count: null, ms: 60_000 }], { instances: 1 })
  const cold = client.search('01621401001').catch(() => 'dropped')
  await vi.waitUntil(() => client.simulator.state.log.length === 1, SOON)
  await client.simulator.close()
  expect(await cold).toBe('dropped')

  await using warm = await startTestClient({ instances: 1 })
  await warm.search('01621401001')
  await warm.simulator.state.setFaults([{ id: 'F02', count: null, ms: 60_000 }])
  expect((await warm.search('01621401001')).status).toBe(200)
})

test('unanswered calls do not use up the working threads', async () => {
  await using client = await startWith([{ id: 'F05', count: 3 }], { instances: 1 })
  for (const id of ['a', 'b', 'c']) await client.recordUnanswered(cut(UNTOUCHED, 1, id))
  expect((await client.record(cut(UNTOUCHED, 1, 'd'))).status).toBe(201)
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

test('F31 for a while is over by itself', async () => {
  await using client = await startWith([{ id: 'F31', variant: 'refused', ms: 30 }])
  const failures: unknown[] = []
  const back = async () => {
    const heard = await client.call('GET', `${CLASS}/status`).catch((error: Error) => void failures.push(error))
    return heard?.status === 200
  }
  await vi.waitUntil(back, { ...SOON, interval: 1 })
  expect(failures.length).toBeGreaterThan(0)
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
