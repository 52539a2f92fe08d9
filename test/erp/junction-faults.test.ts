import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeSampleOrders } from '../../src/erp-simulator/sample-orders.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import {
  BRANCH,
  calls,
  describeJoint,
  type Erp,
  failureOf,
  faults,
  find,
  joint,
  listJoints,
  ORDER,
  POSITION,
  receive,
  recordJoint,
  short,
  startErp,
  UNTOUCHED,
} from '../support/erp.ts'

/** Its customer has accents. */
const ACCENTED_ORDER = '01620302004'

const reads = [
  { operation: 'juncoes', read: (gateway: ErpGateway): Promise<unknown> => listJoints(gateway) },
  { operation: 'juncoes-detalhes', read: (gateway: ErpGateway): Promise<unknown> => describeJoint(gateway) },
] as const

const writes = [
  {
    operation: 'juncoes-apontamentos',
    write: (gateway: ErpGateway, id: string) => recordJoint(gateway, joint(), id),
    stored: ({ simulator }: Erp) => simulator.state.junctionWrites.length,
  },
  {
    operation: 'conferencia',
    write: (gateway: ErpGateway, id: string) => receive(gateway, UNTOUCHED, id),
    stored: ({ simulator }: Erp) => simulator.state.receipts.length,
  },
] as const

describe.each(reads)('the read $operation', ({ operation, read }) => {
  it('F01 slow: an answer within the limit is an answer, after it a time-out', async () => {
    await using erp = await startErp()
    const clean = await read(erp.gateway)
    await faults(erp, { id: 'F01', operation, ms: 50 })
    expect(await read(erp.gateway)).toEqual(clean)
    const hasty = erp.open({ timeouts: { readMs: 150 } })
    await faults(erp, { id: 'F01', operation, ms: 60_000 })
    expect(await failureOf(read(hasty))).toMatchObject({ kind: 'timeout' })
  })

  it.each(['F03', 'F04'] as const)('%s no worker or no licence: busy', async (id) => {
    await using erp = await startErp({ acceptTimeoutMs: 20 })
    await faults(erp, { id, operation })
    expect(await failureOf(read(erp.gateway))).toMatchObject({ kind: 'busy' })
  })

  it.each(['F09', 'F19', 'F20'] as const)('%s an error in another dress: the ERP’s words', async (id) => {
    await using erp = await startErp()
    await faults(erp, { id, operation, message: 'Sem permissão' })
    expect(await failureOf(read(erp.gateway))).toEqual({ kind: 'refused', message: 'Sem permissão' })
  })

  it.each(['F11', 'F12'] as const)('%s unreadable: a bad answer', async (id) => {
    await using erp = await startErp()
    await faults(erp, { id, operation })
    expect(await failureOf(read(erp.gateway))).toMatchObject({ kind: 'bad_answer' })
  })

  it.each([
    { id: 'F13' },
    { id: 'F14' },
    { id: 'F22' },
    { id: 'F26' },
    { id: 'F27' },
    { id: 'F32' },
    ...['capitals', 'array', 'data', 'itens', 'single', 'dataSingle'].map(
      (variant) => ({ id: 'F25', variant }) as const,
    ),
  ] as const)('%j: the same result', async (fault) => {
    await using erp = await startErp()
    const clean = await read(erp.gateway)
    await faults(erp, { ...fault, operation })
    expect(await read(erp.gateway)).toEqual(clean)
    expect(calls(erp, operation).flatMap((call) => call.faults)).toEqual([fault.id])
  })

  it('F24 the other plant’s rows: dropped, and the log says so', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F24', operation })
    const seen = await read(erp.gateway).catch(({ kind }) => kind)
    expect(seen).toEqual(operation === 'juncoes' ? [] : 'not_found')
    expect(erp.logged.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
  })

  it('F31 maintenance: unavailable', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F31', operation })
    expect(await failureOf(read(erp.gateway))).toMatchObject({ kind: 'unavailable' })
    await erp.simulator.close()
    expect(await failureOf(read(erp.gateway))).toMatchObject({ kind: 'unavailable' })
  })
})

it.each(['F10', 'F18'] as const)('%s nothing in the answer: no junctions, and no such junction', async (id) => {
  await using erp = await startErp()
  await faults(erp, { id, operation: 'juncoes' }, { id, operation: 'juncoes-detalhes' })
  expect(await listJoints(erp.gateway)).toEqual([])
  const message = 'Junção não encontrada para os parâmetros informados'
  expect(await failureOf(describeJoint(erp.gateway))).toEqual({ kind: 'not_found', message })
})

it.each([{ id: 'F15' }, { id: 'F16' }, { id: 'F17' }, { id: 'F17', variant: 'cp1252' }] as const)(
  '%j: accents are right',
  async (fault) => {
    await using erp = await startErp()
    const clean = await listJoints(erp.gateway, ACCENTED_ORDER)
    expect(clean[0]?.Z8_CLIENTE + (clean[0]?.Z8_DESCPRO ?? '')).toMatch(/[^\p{ASCII}]/u)
    const each = reads.map(({ operation }) => ({ ...fault, operation }))
    await faults(erp, ...each, { ...fault, operation: 'juncoes-apontamentos' })
    expect(await listJoints(erp.gateway, ACCENTED_ORDER)).toEqual(clean)
    const refused = { outcome: 'refused', message: 'Junção não encontrada' }
    expect(await recordJoint(erp.gateway, joint(1, { POSICAO: 'J9' }))).toEqual(refused)
  },
)

describe.each(writes)('the write $operation', ({ operation, write, stored }) => {
  it('F01 slow: an answer within the limit is an answer', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F01', operation, ms: 50 })
    expect(await write(erp.gateway, randomUUID())).toMatchObject({ outcome: 'confirmed' })
  })

  it.each(['F03', 'F04'] as const)('%s no worker or no licence: not executed, may be repeated', async (id) => {
    await using erp = await startErp({ acceptTimeoutMs: 20 })
    const integrationId = randomUUID()
    await faults(erp, { id, operation })
    expect(await write(erp.gateway, integrationId)).toMatchObject({ outcome: 'not_sent', kind: 'busy' })
    expect(stored(erp)).toBe(0)
    expect(await write(erp.gateway, integrationId)).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
  })

  it('F05 hangs, not stored: unknown, and the look-up says that there is none', async () => {
    await using erp = await startErp({}, short)
    await listJoints(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F05', operation })
    expect(await write(erp.gateway, id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toBeNull()
    expect(stored(erp)).toBe(0)
  })

  it.each([
    { id: 'F06' },
    { id: 'F06', variant: 'reset' },
    { id: 'F07' },
    { id: 'F10' },
    { id: 'F12' },
    { id: 'F18' },
  ] as const)('%j stored without a usable answer: unknown, then found, and never twice', async (fault) => {
    await using erp = await startErp({}, short)
    await listJoints(erp.gateway)
    const id = randomUUID()
    await faults(erp, { ...fault, operation })
    expect(await write(erp.gateway, id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(await write(erp.gateway, id)).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
  })

  it('F08 stored later: unknown, not there, then there', async () => {
    await using erp = await startErp({}, short)
    await listJoints(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F08', operation, ms: 45_000 })
    expect(await write(erp.gateway, id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toBeNull()
    erp.clock.ms += 45_000
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(stored(erp)).toBe(1)
  })

  it('is in process at the ERP while it works', async () => {
    await using erp = await startErp({}, short)
    await listJoints(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F01', operation, ms: 60_000 })
    expect(await write(erp.gateway, id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'processing' })
  })

  it.each(['F09', 'F19', 'F20', 'F21'] as const)('%s: refused in the ERP’s words, not repeated', async (id) => {
    await using erp = await startErp()
    await faults(erp, { id, operation, ms: 20, message: 'Lote bloqueado: ção' })
    const message = id === 'F21' ? 'registro bloqueado por outro usuário' : 'Lote bloqueado: ção'
    expect(await write(erp.gateway, randomUUID())).toEqual({ outcome: 'refused', message })
    expect(calls(erp, operation)).toHaveLength(1)
    expect(stored(erp)).toBe(0)
  })

  it('F11 an error page instead: unknown, and nothing stored', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F11', operation })
    expect(await write(erp.gateway, randomUUID())).toMatchObject({ outcome: 'unknown' })
    expect(stored(erp)).toBe(0)
  })

  it.each(['F13', 'F14', 'F22', 'F32'] as const)('%s: confirmed, once', async (id) => {
    await using erp = await startErp()
    await listJoints(erp.gateway)
    await faults(erp, { id, operation })
    expect(await write(erp.gateway, randomUUID())).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
  })

  it('F31 maintenance: nothing sent where nobody listens, open where a page answers', async () => {
    await using erp = await startErp()
    await listJoints(erp.gateway)
    await faults(erp, { id: 'F31', operation })
    expect(await write(erp.gateway, randomUUID())).toMatchObject({ outcome: 'unknown' })
    await erp.simulator.close()
    expect(await write(erp.gateway, randomUUID())).toMatchObject({ outcome: 'not_sent', kind: 'unavailable' })
    expect(stored(erp)).toBe(0)
  })
})

describe('somebody was faster', () => {
  it.each([
    ['F29', 'Ordem de produção encerrada'],
    ['F30', 'Junção já concluída'],
    ['F33', 'Junção não encontrada'],
  ] as const)('%s: %s', async (id, message) => {
    await using erp = await startErp()
    await faults(erp, { id })
    expect(await recordJoint(erp.gateway)).toEqual({ outcome: 'refused', message })
    expect(erp.simulator.state.junctionWrites).toEqual([])
    const left = (await listJoints(erp.gateway)).map((row) => [row.Z8_POSICAO, row.Z8_PJUNCAO])
    expect(left).toEqual([
      ['J01', 0],
      ['J02', 0],
      ...(id === 'F33' ? [] : [[POSITION, id === 'F30' ? 100 : 25]]),
      ['J03', 100],
    ])
  })

  it('F33 an item that was deleted: its receipt is refused', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F33' })
    expect(await receive(erp.gateway)).toEqual({ outcome: 'refused', message: 'Código de barras não encontrado' })
  })

  it('F29 a closed order still has its wires received', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F29', operation: 'conferencia' })
    expect(await receive(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
  })
})

it('F28 percentages and receipts that are not up to date yet do not hide what the look-up knows', async () => {
  await using erp = await startErp()
  const [joined, received] = [randomUUID(), randomUUID()]
  await recordJoint(erp.gateway, joint(30), joined)
  await receive(erp.gateway, UNTOUCHED, received)
  await faults(erp, { id: 'F28', count: null })
  expect((await listJoints(erp.gateway))[2]).toMatchObject({ Z8_PJUNCAO: 25 })
  const query = { branch: BRANCH, term: ORDER, mode: 'CONFERENCIA_CORTE' } as const
  expect((await erp.gateway.searchItems(query))[0]).toMatchObject({ Z1_CONFERE: 'N' })
  for (const id of [joined, received]) expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
})

it('a hostile ERP: every outcome is true, and what is unknown is found out', async () => {
  const hostile = { profile: 'hostile', seed: 20261121, acceptTimeoutMs: 0, instances: 4 } as const
  await using erp = await startErp(hostile, { maxConcurrent: 4, timeouts: { readMs: 1000, writeMs: 250 } })
  const { state } = erp.simulator
  const outcomes = new Map<string, string>()
  const act = async (write: (id: string) => Promise<{ outcome: string }>) => {
    const id = randomUUID()
    outcomes.set(id, (await write(id)).outcome)
  }
  const orders = makeSampleOrders(hostile.seed).filter(({ branch, closed }) => branch === BRANCH && !closed)
  for (const { number, junctions, rows } of orders) {
    const joints = junctions.slice(0, 3).map(({ row }) => ({
      NUMERO_OP: number,
      POSICAO: row.Z8_POSICAO,
      TERMINAL: row.Z8_TERMINA,
    }))
    const barcodes = rows.slice(0, 4).map(({ Z1_CODBAR }) => Z1_CODBAR)
    await Promise.all([
      ...joints.map((place) => act((id) => recordJoint(erp.gateway, joint(1, place), id))),
      ...barcodes.map((barcode) => act((id) => receive(erp.gateway, barcode, id))),
    ])
    // past the pause of the breaker, and what was to be stored late is stored
    erp.clock.ms += 60_000
  }
  await state.calm()
  const storedIds = [...state.junctionWrites, ...state.receipts].map(({ id }) => id)
  expect(new Set(storedIds).size).toBe(storedIds.length)
  for (const [id, outcome] of outcomes) {
    const isKnown = state.integration(id)?.status === '1'
    if (outcome !== 'unknown') expect([id, isKnown]).toEqual([id, outcome === 'confirmed'])
    const found = await find(erp.gateway, id)
    expect([id, found !== null && found !== 'unsupported' && found.status === 'done']).toEqual([id, isKnown])
  }
  expect([...outcomes.values()]).toEqual(expect.arrayContaining(['confirmed', 'unknown']))
  expect(new Set(state.log.flatMap((entry) => entry.faults)).size).toBeGreaterThan(10)
})
