import { expect, test, vi } from 'vitest'
import {
  CLASS,
  crimp,
  cut,
  HALF_CUT,
  hear,
  SINGLE,
  startTestClient,
  UNTOUCHED,
} from '../../test/support/simulator-client.ts'
import { SOON } from '../../test/support/slowness.ts'
import { sampleBlockedLot } from './sample-catalogue.ts'
import { startErpSimulator } from './simulator.ts'

const HOUR_MS = 3_600_000
const refusal = (errorMessage: string, errorCode = 400) => ({ errorCode, errorMessage })

test('an order gives its rows, page by page', async () => {
  await using client = await startTestClient()
  const page = async (n: number) => (await client.search('01622001001', `&page=${n}&pageSize=100`)).body()
  const pages = [await page(1), await page(2), await page(3), await page(4)]
  expect(pages.map((p) => [(p.items as unknown[]).length, p.hasNext])).toEqual([
    [100, true],
    [100, true],
    [50, false],
    [0, false],
  ])
  expect((await client.search('01622001001', '&page=5&pageSize=50')).body().hasNext).toBe(false)
})

test('a page holds ten rows unless told, and never more than a hundred', async () => {
  await using client = await startTestClient()
  expect((await client.search('01622001001')).body().items).toHaveLength(10)
  expect((await client.search('01622001001', '&pageSize=900')).body().items).toHaveLength(100)
})

test('a barcode gives one row; the search also takes a POST in upper case', async () => {
  await using client = await startTestClient()
  const byGet = (await client.search(UNTOUCHED, '&tipo=CODBAR')).body()
  expect(byGet.items).toMatchObject([{ Z1_CODBAR: UNTOUCHED, Z1_QUANT: 120 }])
  const request = { FILIAL: '010101', TERMO: UNTOUCHED, TIPO: 'CODBAR', MODO: 'APONTAMENTO', PAGE: 1, PAGESIZE: 100 }
  expect((await client.call('POST', `${CLASS}/itens`, request)).body()).toEqual(byGet)
})

test('nothing found is an empty list', async () => {
  await using client = await startTestClient()
  for (const term of ['99999999999', '01622101001', '0101621401001000010001']) {
    const heard = await client.search(term)
    expect([heard.status, heard.body()]).toEqual([200, { items: [], hasNext: false }])
  }
})

test('the tenant header selects the plant, whatever else the call says', async () => {
  await using client = await startTestClient()
  const found = async (tenantId: string, term: string) =>
    (
      (await client.call('GET', `${CLASS}/itens?filial=010101&termo=${term}`, undefined, { tenantId })).body()
        .items as []
    ).length
  expect(await found('01,020101', '00A3F701002')).toBe(10)
  expect(await found('01,010101', '00A3F701002')).toBe(0)
  expect(await found('01, 020101', '00A3F701002')).toBe(0)
  expect(await found('02,020101', '00A3F701002')).toBe(0)
  expect(await found('', '01621401001')).toBe(10)
})

test('machines by what they can do', async () => {
  await using client = await startTestClient()
  const ids = async (query: string) =>
    ((await client.call('GET', `${CLASS}/maquinas?pageSize=100${query}`)).body().items as { ID: string }[]).map(
      (m) => m.ID,
    )
  expect(await ids('')).toHaveLength(12)
  expect(await ids('&tipo=CABO')).toEqual(['KX0001', 'KX0002', 'KX0003', 'KX0004'])
  expect(await ids('&tipo=JUNCAO')).toEqual(['US0001', 'US0002', 'SP0001', 'SP0002'])
})

test('recordings raise quantities and percentages of their section only', async () => {
  await using client = await startTestClient()
  const first = await client.record(cut(UNTOUCHED, 60, 'a'))
  expect([first.status, first.body()]).toEqual([
    201,
    { message: 'Apontamento realizado com sucesso!', registro: '000000001', ID_INTEGRACAO: 'a', status: '1' },
  ])
  await client.record(crimp(UNTOUCHED, 1, 'T1326030', 30, 'b'))
  expect(client.simulator.state.row(UNTOUCHED)).toMatchObject({
    Z1_QTREGCO: 60,
    Z1_PCORTE: 50,
    Z1_QTREGL1: 30,
    Z1_PCRIML1: 25,
    Z1_QTREGL2: 0,
    Z1_PCRIML2: 0,
  })
  expect((await client.search(UNTOUCHED)).body().items).toMatchObject([{ Z1_PCORTE: 50, Z1_PCRIML1: 25 }])
})

test.each([
  ['more than is open', cut(HALF_CUT, 61, 'x'), 'Quantidade excede o saldo da ordem (saldo 60)'],
  ['an unknown barcode', cut('0101621401001000010001', 1, 'x'), 'Código de barras não encontrado'],
  ['a barcode of the other plant', cut('0200A3F7010020000100BW', 1, 'x'), 'Código de barras não encontrado'],
  ['an unknown machine', cut(UNTOUCHED, 1, 'x', { MAQUINA: 'ZZ0001' }), 'Máquina não cadastrada'],
  ['another terminal', crimp(UNTOUCHED, 1, 'T0925590', 1, 'x'), 'Terminal informado difere da estrutura'],
  ['a side without terminal', crimp(HALF_CUT, 2, '0', 1, 'x'), 'Terminal informado difere da estrutura'],
  ['a blocked lot', cut(UNTOUCHED, 1, 'x', { LOTE_CABO: sampleBlockedLot }), 'Lote bloqueado'],
  ['no quantity', cut(UNTOUCHED, 0, 'x'), 'Quantidade inválida'],
  ['no section', cut(UNTOUCHED, 1, 'x', { COD_CABO: '' }), 'Informe o cabo ou o terminal do apontamento'],
])('%s is refused, and the id table says so', async (_, body, message) => {
  await using client = await startTestClient()
  const heard = await client.record(body)
  expect([heard.status, heard.body()]).toEqual([400, refusal(message)])
  expect(client.simulator.state.writes).toEqual([])
  expect((await client.call('GET', `${CLASS}/integracoes/x`)).body()).toMatchObject({ STATUS: '2', MENSAGEM: message })
})

test('an order closes when all its rows are complete', async () => {
  await using client = await startTestClient()
  const row = client.simulator.state.row(SINGLE)
  const quantity = row?.Z1_QUANT ?? 0
  await client.record(cut(SINGLE, quantity, 'cable'))
  expect((await client.record(cut(SINGLE, 1, 'early'))).body().errorMessage).toContain('saldo 0')
  for (const [side, terminal] of [[1, row?.Z1_TERML1] as const, [2, row?.Z1_TERML2] as const]) {
    if (terminal !== '0') await client.record(crimp(SINGLE, side, terminal ?? '', quantity, `side ${side}`))
  }
  expect((await client.record(cut(SINGLE, 1, 'late'))).body()).toEqual(refusal('Ordem de produção encerrada'))
})

test('the same id again gives the first answer, marked; with other content 409', async () => {
  await using client = await startTestClient()
  const body = cut(UNTOUCHED, 10, 'same')
  const first = await client.record(body)
  const keysTurned = Object.fromEntries(Object.entries(body).reverse())
  for (const again of [body, keysTurned]) {
    const heard = await client.record(again)
    expect([heard.status, heard.body()]).toEqual([200, { ...first.body(), repetido: true }])
  }
  expect((await client.record(cut(UNTOUCHED, 11, 'same'))).status).toBe(409)
  expect(client.simulator.state.writes).toHaveLength(1)
  expect(client.simulator.state.integration('same')?.status).toBe('1')
})

test('without dedup what is sent twice is stored twice', async () => {
  await using client = await startTestClient({ dedup: false })
  for (const _ of [1, 2]) expect((await client.record(cut(UNTOUCHED, 10, 'same'))).status).toBe(201)
  expect(client.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(20)
})

test('the look-up by id tells day and time of the plant', async () => {
  const at = Date.parse('2026-11-22T01:41:07Z')
  await using client = await startTestClient({ now: () => at })
  await client.record(cut(UNTOUCHED, 10, 'x y'))
  expect((await client.call('GET', `${CLASS}/integracoes/x%20y`)).body()).toEqual({
    ID_INTEGRACAO: 'x y',
    STATUS: '1',
    MENSAGEM: 'Apontamento realizado com sucesso!',
    DATA: '20261121',
    HORA: '22:41:07',
  })
  expect((await client.call('GET', `${CLASS}/integracoes/unknown`)).status).toBe(404)
})

test('an ERP without look-up knows no such address', async () => {
  await using client = await startTestClient({ lookup: false })
  await client.record(cut(UNTOUCHED, 10, 'x'))
  const heard = await client.call('GET', `${CLASS}/integracoes/x`)
  expect([heard.status, heard.body()]).toEqual([404, refusal('Not Found', 404)])
})

test.each(['query', 'form'])('a token by %s opens the calls for an hour, its refresh for a day', async (kind) => {
  let at = Date.parse('2026-11-21T12:00:00Z')
  await using client = await startTestClient({ now: () => at, user: 'erp', password: 'segredo' })
  const ask = async (pairs: Record<string, string>) => {
    const text = new URLSearchParams(pairs).toString()
    const url = `${client.simulator.url}/api/oauth2/v1/token`
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    return hear(
      await (kind === 'query'
        ? fetch(`${url}?${text}`, { method: 'POST' })
        : fetch(url, { method: 'POST', headers: form, body: text })),
    )
  }
  const statusWith = async (token: unknown) =>
    (await client.call('GET', `${CLASS}/maquinas`, undefined, { authorization: `Bearer ${token}` })).status
  const granted = await ask({ grant_type: 'password', username: 'erp', password: 'segredo' })
  expect([granted.status, granted.body()]).toMatchObject([201, { token_type: 'Bearer', expires_in: 3600 }])
  const token = granted.body()

  at += HOUR_MS - 60_000
  expect(await statusWith(token.access_token)).toBe(200)
  at += 120_000
  expect(await statusWith(token.access_token)).toBe(401)

  const refresh = { grant_type: 'refresh_token', refresh_token: String(token.refresh_token) }
  const renewed = (await ask(refresh)).body()
  expect(await statusWith(renewed.access_token)).toBe(200)
  expect((await ask(refresh)).status).toBe(401)
  at += 25 * HOUR_MS
  expect((await ask({ ...refresh, refresh_token: String(renewed.refresh_token) })).status).toBe(401)

  const wrong = await ask({ grant_type: 'password', username: 'erp', password: 'errada' })
  expect([wrong.status, wrong.body()]).toEqual([401, refusal('Usuário ou senha inválidos', 401)])
})

test('strangers get no further than the probe', async () => {
  await using client = await startTestClient()
  const as = async (authorization: string, path = '/maquinas') =>
    (await client.call('GET', CLASS + path, undefined, { authorization })).status
  expect(await as('')).toBe(401)
  expect(await as('Bearer eyJwrong')).toBe(401)
  expect(await as(`Basic ${Buffer.from('painel:outra').toString('base64')}`)).toBe(401)
  expect(await as('', '/status')).toBe(200)
})

test('realistic rows come padded and with numbers as text, clean ones tidy', async () => {
  await using clean = await startTestClient()
  await using realistic = await startTestClient({ profile: 'realistic', speed: 0 })
  const [tidy] = (await clean.search('01621401001')).body().items as Record<string, unknown>[]
  const [raw] = (await realistic.search('01621401001')).body().items as Record<string, unknown>[]
  expect(tidy).toMatchObject({ Z1_OP: '01621401001', Z1_BITOLA: '0,50', Z1_COMPR: 1250 })
  expect(raw).toMatchObject({ Z1_OP: '01621401001   ', Z1_BITOLA: '0,50  ', Z1_COMPR: '1250.0' })
  expect(Object.keys(raw ?? {})).toEqual(Object.keys(tidy ?? {}))
  expect(Object.values(raw ?? {}).some((value) => typeof value === 'number')).toBe(true)
})

test('a call that finds no working thread in time is told so, unexecuted', async () => {
  await using client = await startTestClient({ instances: 1, acceptTimeoutMs: 20 })
  await client.simulator.state.setFaults([{ id: 'F01', operation: 'apontamentos', ms: 60_000 }])
  const hanging = client.record(cut(UNTOUCHED, 1, 'held')).catch(() => 'dropped')
  await vi.waitUntil(() => client.simulator.state.integration('held')?.status === '0', SOON)
  const busy = await client.record(cut(HALF_CUT, 1, 'busy'))
  expect([busy.status, busy.contentType, busy.bytes.toString()]).toEqual([503, 'text/html', 'Server Busy'])
  expect(client.simulator.state.integration('busy')).toBeUndefined()
  expect(client.simulator.state.openCallsMax).toBe(2)
  await client.simulator.close()
  expect(await hanging).toBe('dropped')
  expect(client.simulator.state.writes).toEqual([])
})

test('a row under a running recording makes the next one wait, other rows do not', async () => {
  await using client = await startTestClient({ instances: 3 })
  const { state } = client.simulator
  await state.setFaults([{ id: 'F01', operation: 'apontamentos', ms: 60_000 }])
  const hanging = client.record(cut(UNTOUCHED, 1, 'held')).catch(() => 'dropped')
  await vi.waitUntil(() => state.integration('held')?.status === '0', SOON)
  const waiting = client.record(cut(UNTOUCHED, 1, 'waiting')).catch(() => 'dropped')
  await vi.waitUntil(() => state.log.length === 2, SOON)
  expect((await client.record(cut(HALF_CUT, 1, 'other'))).status).toBe(201)
  expect(state.log.map((entry) => [entry.integrationId, entry.outcome])).toEqual([
    ['held', null],
    ['waiting', null],
    ['other', 201],
  ])
  await client.simulator.close()
  expect(await Promise.all([hanging, waiting])).toEqual(['dropped', 'dropped'])
})

test('two recordings of all that is open: one is stored, one refused', async () => {
  await using client = await startTestClient()
  const both = await Promise.all(['a', 'b'].map((id) => client.record(cut(UNTOUCHED, 120, id))))
  expect(both.map((heard) => heard.status).sort()).toEqual([201, 400])
  expect(client.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(120)
})

test('broken bodies and unknown addresses are told apart from outages', async () => {
  await using client = await startTestClient()
  expect((await client.call('POST', `${CLASS}/apontamentos`, '{"a":')).status).toBe(400)
  expect((await client.call('POST', `${CLASS}/apontamentos`, '[]')).status).toBe(400)
  expect((await client.call('GET', `${CLASS}/apontamentos`)).status).toBe(404)
  expect((await client.call('GET', '/p1/outra')).status).toBe(404)
})

test('it listens where told and says so', async () => {
  const first = await startErpSimulator()
  expect(first.url).toBe(`http://127.0.0.1:${first.port}/rest`)
  await expect(startErpSimulator({ port: first.port })).rejects.toThrow('EADDRINUSE')
  await first.close()
})
