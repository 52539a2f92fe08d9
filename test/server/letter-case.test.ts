import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Trace } from '../../src/contract/traces.ts'
import { crimpOf, cutOf, type Database, databases, measurementOf } from '../support/harness.ts'
import { setUp } from '../support/waiting.ts'

/** Codes and orders with letters; the demonstration's ERP writes them in capitals. */
const LETTERED = '0200A3F7010020000100BW'
const LETTERED_ORDER = '00A3F701002'
const PLANT = '020101'

const inOtherCases = (code: string) => [code.toLowerCase(), code.toUpperCase(), code.replace('A', 'a')]

const codesOf = (answer: { json(): { items: { Z1_CODBAR: string }[] } }) =>
  answer.json().items.map(({ Z1_CODBAR }) => Z1_CODBAR)

describe('a code or an order in another case', () => {
  test.each(inOtherCases(LETTERED))('%s finds its item, and its copy', async (code) => {
    const { ask, token } = await setUp({})
    const of = new URLSearchParams({ filial: PLANT, termo: code })
    expect(codesOf(await ask(token, { url: `/api/apontamentos/itens?${of}&modo=APONTAMENTO` }))).toEqual([LETTERED])
    expect(codesOf(await ask(token, { url: `/api/apontamentos/copias?${of}` }))).toEqual([LETTERED])
    const item = await ask(token, { url: `/api/apontamentos/itens/${code}?filial=${PLANT}` })
    expect(item.json().item.Z1_CODBAR).toBe(LETTERED)
  })

  test.each(inOtherCases(LETTERED_ORDER))('%s finds its items and its junctions', async (code) => {
    const { ask, token } = await setUp({})
    const of = new URLSearchParams({ filial: PLANT, termo: code })
    for (const mode of ['APONTAMENTO', 'CONFERENCIA_CORTE']) {
      expect(codesOf(await ask(token, { url: `/api/apontamentos/itens?${of}&modo=${mode}` }))).toContain(LETTERED)
    }
    expect(codesOf(await ask(token, { url: `/api/apontamentos/copias?${of}` }))).toContain(LETTERED)
    const order = new URLSearchParams({ filial: PLANT, numeroOp: code })
    for (const path of ['obter-juncoes', 'copias']) {
      const { items } = (await ask(token, { url: `/api/juncao/${path}?${order}` })).json()
      expect(items.map(({ ordem }: { ordem: string }) => ordem)).toEqual(items.map(() => LETTERED_ORDER))
      expect(items.length).toBeGreaterThan(0)
    }
    const [first] = (await ask(token, { url: `/api/juncao/copias?${order}` })).json().items
    const details = await ask(token, { url: `/api/juncao/obter-detalhes?${order}&posicao=${first.Z8_POSICAO}` })
    expect(details.statusCode).toBe(200)
  })
})

const findTrace = async ({ ask, token }: Awaited<ReturnType<typeof setUp>>, termo: string): Promise<Trace> =>
  (await ask(token, { url: `/api/rastreabilidade?${new URLSearchParams({ termo })}` })).json()

describe.each(databases)('on %s', (database: Database) => {
  test('a lot is traced by any case, whatever the case in which it was read each time', async () => {
    const panel = await setUp({ database })
    const { record, token, ask } = panel
    for (const [lot, pieces] of [
      ['L261199001', 3],
      ['l261199001', 5],
      ['L261199002', 7],
    ] as const) {
      expect((await record(token, { ...cutOf(pieces), LOTE_CABO: lot })).statusCode).toBe(201)
    }
    const sample = measurementOf({ lote: 'l261199001' })
    const headers = { 'idempotency-key': randomUUID() }
    const measured = await ask(token, { method: 'POST', url: '/api/medicoes', headers, payload: sample })
    expect(measured.statusCode).toBe(201)
    for (const termo of ['L261199001', 'l261199001']) {
      const { contagens, linhas, amostras } = await findTrace(panel, termo)
      expect([contagens.apontamentos, contagens.pecas, amostras?.length]).toEqual([2, 8, 1])
      expect(linhas.map(({ lote }) => lote).toSorted()).toEqual(['L261199001', 'l261199001'])
    }
  })
})

test('a machine, a mini applicator, an instrument and an item are traced by any case', async () => {
  const panel = await setUp({})
  const { record, token, ask } = panel
  expect((await record(token, cutOf(3))).statusCode).toBe(201)
  expect((await record(token, crimpOf(2))).statusCode).toBe(201)
  const headers = { 'idempotency-key': randomUUID() }
  const measured = await ask(token, { method: 'POST', url: '/api/medicoes', headers, payload: measurementOf({}) })
  const [{ instrumento }] = measured.json().medicoes
  const { MAQUINA, COD_BARRA } = cutOf(3)
  for (const term of [MAQUINA.split(' - ')[0], crimpOf(2).MA_LD1, COD_BARRA, instrumento].filter(Boolean)) {
    const found = await Promise.all(inOtherCases(term ?? '').map((one) => findTrace(panel, one)))
    const said = found.map(({ tipo, contagens }) => [tipo, contagens.apontamentos])
    expect(said, term).toEqual(said.map(() => said[1]))
    expect(said[0]?.[0], term).not.toBeNull()
  }
})

describe('what is posted in another case', () => {
  test('goes to the ERP as the ERP writes it, and is stored as it was posted', async () => {
    const panel = await setUp({})
    const { record, ask, token, db } = panel
    const { items } = (
      await ask(token, { url: `/api/apontamentos/itens?filial=${PLANT}&termo=${LETTERED}&modo=APONTAMENTO` })
    ).json()
    const [item] = items
    const of = { EMPRESA: PLANT, COD_BARRA: LETTERED.toLowerCase(), ORDEM_PROD: LETTERED_ORDER.toLowerCase() }
    const id = randomUUID()
    const payload = { ...cutOf(1), ...of, COD_CABO: item.Z1_CODCABO, QTD_ORDEM_PROD: item.Z1_QUANT }
    const answer = await record(token, payload, id)
    expect([answer.statusCode, answer.json().status], answer.body).toEqual([201, 'enviado'])
    expect((await record(token, payload, id)).statusCode).toBe(201)
    const row = await db.read.selectFrom('recordings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect([row.barcode, row.order_number]).toEqual([LETTERED, LETTERED_ORDER])
    expect(JSON.parse(row.payload_json)).toMatchObject(of)
    expect((await findTrace(panel, LETTERED_ORDER.toLowerCase())).contagens.apontamentos).toBe(1)
  })
})
