import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findItem } from '../../src/server/store/items.ts'
import { fillCodes } from '../../src/server/store/known-codes.ts'
import {
  crimpOf,
  cutOf,
  type Database,
  databases,
  HALF_CUT,
  joinOf,
  measurementOf,
  ORDER,
  scrapOf,
  UNTOUCHED,
} from '../support/harness.ts'
import { setUp as openPanel, savedOnTablet } from '../support/waiting.ts'

/** With lists, order, junctions and machines read as a plant has them. */
async function setUp(database: Database = 'sqlite') {
  const panel = await openPanel({ database })
  const { ask, admin, token, db } = panel
  const post = async (url: string, payload: object) =>
    expect((await ask(admin, { method: 'POST', url: `/api/${url}`, payload })).statusCode, url).toBeLessThan(300)
  await post('instrumentos', {
    codigo: 'MIC-ALT-01',
    descricao: 'Micrômetro',
    resolucao: 1,
    ativo: true,
  })
  const pair = { terminal: 'T-LOTES', miniaplicator: 'MA-9000' }
  const station = { seal: 'S-LOTES', sealingStationName: 'Seladora 90' }
  await post('miniaplicadores', pair)
  await post('sealingstations', station)
  for (const url of [
    `apontamentos/itens?filial=010101&modo=APONTAMENTO&termo=${ORDER}`,
    `juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}`,
    'maquinas?filial=010101',
  ]) {
    expect((await ask(token, { url: `/api/${url}` })).statusCode, url).toBe(200)
  }
  const copy = await findItem(db.read, '010101', UNTOUCHED)
  if (!copy) throw new Error('no copy of the item')
  const of = async (url: string) => (await ask(token, { url: `/api/${url}` })).json()
  const [machine] = await of('maquinas?filial=010101')
  const { items: junctions } = await of(`juncao/copias?filial=010101&numeroOp=${ORDER}`)
  return { ...panel, item: copy.item, machine, junction: junctions[0], pair, station }
}

type Plant = Awaited<ReturnType<typeof setUp>>

const knownIn = ({ item, machine, junction, pair, station }: Plant): Record<string, string> => ({
  'um item': UNTOUCHED,
  'uma ordem': ORDER,
  'uma máquina': machine.id,
  'um mini aplicador': pair.miniaplicator,
  'uma estação de selo': station.sealingStationName,
  'um instrumento': 'MIC-ALT-01',
  'um terminal': item.Z1_TERML1,
  'um cabo': item.Z1_CODCABO,
  'um produto': item.Z1_PRODUTO,
  'um selo': station.seal,
  terminal: junction.Z8_TERMINA,
})

const framed = (code: string) => [code, code.toLowerCase(), `]C0${code}`, `]E0${code.toLowerCase()}`, `*${code}*`]

describe.each(databases)('a lot on %s', (database) => {
  test('is never the code of something known here, framed or not and in any case: refused at the press', async () => {
    const plant = await setUp(database)
    const { record, token } = plant
    for (const [what, code] of Object.entries(knownIn(plant))) {
      for (const lot of framed(code)) {
        const answer = await record(token, { ...cutOf(1), LOTE_CABO: lot })
        const said = answer.json()
        expect([answer.statusCode, said.code, said.message], `${what} ${lot}: ${answer.body}`).toEqual([
          409,
          'lot_is_code',
          expect.stringContaining(what),
        ])
      }
    }
    expect((await record(token, { ...crimpOf(1), LOTE_TERM_LD1: plant.item.Z1_TERML1 })).json().code).toBe(
      'lot_is_code',
    )
    const { onWay } = plant
    expect(await onWay(), 'nothing is reserved').toEqual({ cabo: 0, l1: 0, l2: 0 })
  })

  test('from a queue is parked, and corrected with another one', async () => {
    const plant = await setUp(database)
    const { record, token, list, decide, stateOf } = plant
    for (const lot of [UNTOUCHED, `L261121001${HALF_CUT}`, `]C0${plant.machine.id}`]) {
      const id = randomUUID()
      const answer = await record(token, savedOnTablet({ ...cutOf(1), LOTE_CABO: lot }), id)
      expect([answer.statusCode, await stateOf(id)], answer.body).toEqual([202, 'parked'])
      expect((await record(token, savedOnTablet({ ...cutOf(1), LOTE_CABO: lot }), id)).statusCode).toBe(202)
      expect((await list()).find((one) => one.id === id)?.motivo).toContain('O lote lido é o código de')
      const again = await decide(token, id, 'correcao', { ...cutOf(1), LOTE_CABO: lot })
      expect([again.statusCode, again.json().code]).toEqual([409, 'lot_is_code'])
      expect((await decide(token, id, 'correcao', { ...cutOf(1), LOTE_CABO: 'L261121001' })).statusCode).toBe(201)
      expect(await stateOf(id)).toBe('superseded')
    }
  })
})

test('a lot may hold a short id of a machine, or look like a frame', async () => {
  const plant = await setUp()
  const { record, token, db } = plant
  await db.transaction((tx) => tx.insertInto('known_codes').values({ code_key: '12', kind: 'maquina' }).execute())
  for (const lot of ['L26112', '1212', 'A12B', ']C0L261121001', '*L261121001*']) {
    const answer = await record(token, { ...cutOf(1), LOTE_CABO: lot })
    expect(answer.statusCode, `${lot}: ${answer.body}`).toBe(201)
  }
  expect((await record(token, { ...cutOf(1), LOTE_CABO: '12' })).statusCode).toBe(409)
})

test('a lot of a junction is judged alike', async () => {
  const plant = await setUp()
  const send = (payload: object) =>
    plant.ask(plant.token, {
      ...{ method: 'POST', url: '/api/juncao/registrar-apontamento', payload },
      headers: { 'idempotency-key': randomUUID() },
    })
  const answer = await send({ ...joinOf(1), LOTE_TERMINAL: plant.machine.id })
  expect([answer.statusCode, answer.json().code], answer.body).toEqual([409, 'lot_is_code'])
})

test('a sample with such a lot is refused at the press; from a queue it is taken, its lot empty and noted', async () => {
  const { ask, token } = await setUp()
  const measure = (captura: object) =>
    ask(token, {
      ...{ method: 'POST', url: '/api/medicoes', payload: measurementOf({ lote: `]C0${UNTOUCHED}`, captura }) },
      headers: { 'idempotency-key': randomUUID() },
    })
  const pressed = await measure({})
  expect([pressed.statusCode, pressed.json().code]).toEqual([409, 'lot_is_code'])
  const queued = await measure({ salvoNoDispositivo: true })
  const [sample] = queued.json().medicoes
  expect([queued.statusCode, sample.lote, sample.apontamentos]).toEqual([201, '', ['lote-retirado']])
})

test('scrap with such a lot is refused at the press; from a queue it counts, its lot empty and noted', async () => {
  const { ask, token } = await setUp()
  const throwAway = (captura: object) =>
    ask(token, {
      ...{ method: 'POST', url: '/api/refugos', payload: scrapOf({ lote: UNTOUCHED, captura }) },
      headers: { 'idempotency-key': randomUUID() },
    })
  const pressed = await throwAway({})
  expect([pressed.statusCode, pressed.json().code]).toEqual([409, 'lot_is_code'])
  const queued = await throwAway({ salvoNoDispositivo: true })
  const { lote, nota } = queued.json().refugo
  expect([queued.statusCode, lote, nota]).toEqual([201, '', 'Lote retirado: não era um lote'])
})

test('what was read before the table of codes is known after a start', async () => {
  const { db, record, token } = await setUp()
  await db.transaction(async (tx) => {
    await tx.deleteFrom('known_codes').execute()
    await tx.deleteFrom('settings').where('name', '=', 'known_codes_filled').execute()
  })
  await fillCodes(db)
  expect((await record(token, { ...cutOf(1), LOTE_CABO: ORDER })).json().code).toBe('lot_is_code')
})
