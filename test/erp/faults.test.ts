import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  BRANCH,
  calls,
  cut,
  type Erp,
  failureOf,
  faults,
  find,
  ORDER,
  record,
  search,
  short,
  startErp,
  UNTOUCHED,
} from '../support/erp.ts'

/** Its description has Ç and Ã. */
const ACCENTED_ORDER = '01620302004'
const BLOCKED = 'Lote bloqueado'

const stored = (erp: Erp) => erp.simulator.state.writes.length

describe('an ERP that is slow or full', () => {
  it('F01 slow: an answer within the limit is an answer, after it a time-out', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F01', operation: 'itens', ms: 50 })
    expect(await search(erp.gateway)).toHaveLength(24)
    const hasty = erp.open({ timeouts: { readMs: 150 } })
    await faults(erp, { id: 'F01', operation: 'itens', ms: 60_000 })
    expect(await failureOf(search(hasty))).toMatchObject({ kind: 'timeout' })
  })

  it('F02 cold worker: waited for', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F02', ms: 50, count: null })
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
  })

  it.each(['F03', 'F04'] as const)('%s no worker or no licence: busy, a write may be repeated', async (id) => {
    await using erp = await startErp({ acceptTimeoutMs: 20 })
    await faults(erp, { id, operation: 'itens' }, { id, operation: 'apontamentos' }, { id, operation: 'integracoes' })
    const message = 'ERP ocupado. Tente novamente em instantes.'
    expect(await failureOf(search(erp.gateway))).toEqual({ kind: 'busy', message })
    expect(await record(erp.gateway)).toEqual({ outcome: 'not_sent', kind: 'busy', message })
    expect(await failureOf(find(erp.gateway, randomUUID()))).toEqual({ kind: 'busy', message })
    expect(stored(erp)).toBe(0)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
  })

  it('F03 while logging in: busy, nothing sent', async () => {
    await using erp = await startErp({ acceptTimeoutMs: 20 })
    await faults(erp, { id: 'F03', operation: 'token' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'busy' })
    expect(calls(erp, 'apontamentos')).toEqual([])
  })
})

describe('a write whose answer never comes', () => {
  it('F05 hangs, not stored: unknown, and the look-up says that there is none', async () => {
    await using erp = await startErp({}, short)
    await search(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F05' })
    expect(await record(erp.gateway, cut(), id)).toMatchObject({ outcome: 'unknown' })
    expect(stored(erp)).toBe(0)
    expect(await find(erp.gateway, id)).toBeNull()
  })

  it.each([undefined, 'reset'])('F06 stored, then silence or a reset (%s): unknown, then found', async (variant) => {
    await using erp = await startErp({}, short)
    await search(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F06', ...(variant ? { variant } : {}) })
    expect(await record(erp.gateway, cut(), id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(stored(erp)).toBe(1)
    expect(calls(erp, 'apontamentos')).toHaveLength(1)
  })

  it('F07 stored, then a thread error: unknown, then found', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    await faults(erp, { id: 'F07' })
    expect(await record(erp.gateway, cut(), id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(stored(erp)).toBe(1)
  })

  it('F08 stored later: unknown, not there, then there', async () => {
    await using erp = await startErp({}, short)
    await search(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F08', ms: 45_000 })
    expect(await record(erp.gateway, cut(), id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toBeNull()
    erp.clock.ms += 45_000
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(stored(erp)).toBe(1)
  })

  it('is in process at the ERP while it works', async () => {
    await using erp = await startErp({}, short)
    await search(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F01', operation: 'apontamentos', ms: 60_000 })
    expect(await record(erp.gateway, cut(), id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'processing' })
  })
})

describe('errors in many dresses', () => {
  it.each(['F09', 'F19', 'F20'] as const)('%s: refused in the ERP’s words', async (id) => {
    await using erp = await startErp()
    await faults(erp, { id, operation: 'apontamentos', message: 'Lote bloqueado: ção' }, { id, operation: 'itens' })
    expect(await record(erp.gateway)).toEqual({ outcome: 'refused', message: 'Lote bloqueado: ção' })
    expect(await failureOf(search(erp.gateway))).toEqual({ kind: 'refused', message: BLOCKED })
    expect(stored(erp)).toBe(0)
  })

  it.each(['F09', 'F11', 'F12'] as const)('%s on a look-up says nothing of the recording', async (id) => {
    await using erp = await startErp()
    const integrationId = randomUUID()
    await record(erp.gateway, cut(), integrationId)
    await faults(erp, { id, operation: 'integracoes' })
    expect(await failureOf(find(erp.gateway, integrationId))).toMatchObject({ kind: 'bad_answer' })
    expect(await find(erp.gateway, integrationId)).toMatchObject({ status: 'done' })
  })

  it.each(['F10', 'F18'] as const)('%s nothing in the answer: no rows, an open write, no look-up', async (id) => {
    await using erp = await startErp()
    const integrationId = randomUUID()
    const everywhere = (['itens', 'maquinas', 'apontamentos', 'integracoes'] as const).map((operation) => ({
      id,
      operation,
    }))
    await faults(erp, ...everywhere)
    expect(await search(erp.gateway)).toEqual([])
    expect(await erp.gateway.listMachines({ branch: BRANCH })).toEqual([])
    expect(await record(erp.gateway, cut(), integrationId)).toMatchObject({ outcome: 'unknown' })
    expect(await failureOf(find(erp.gateway, integrationId))).toMatchObject({ kind: 'bad_answer' })
    expect(await find(erp.gateway, integrationId)).toMatchObject({ status: 'done' })
    expect(stored(erp)).toBe(1)
  })

  it.each([
    ['F11', 0],
    ['F12', 1],
  ] as const)('%s unreadable: a bad answer, an open write', async (id, storedThen) => {
    await using erp = await startErp()
    await faults(erp, { id, operation: 'itens' }, { id, operation: 'apontamentos' })
    expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'bad_answer' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'unknown' })
    expect(stored(erp)).toBe(storedThen)
  })

  it('F13 two objects in one body: the last counts, and the log says so', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F13', operation: 'itens' }, { id: 'F13', operation: 'apontamentos' })
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed', erpRecord: '000000001' })
    expect(erp.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ repeated: true }) }),
    )
  })

  it('F14 JSON that calls itself HTML: an answer', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F14', count: null })
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
  })

  it('F21 the row is locked in the office: refused in the ERP’s words, not repeated', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F21', ms: 20 })
    const message = 'registro bloqueado por outro usuário'
    expect(await record(erp.gateway)).toEqual({ outcome: 'refused', message })
    expect(calls(erp, 'apontamentos')).toHaveLength(1)
    expect(stored(erp)).toBe(0)
  })

  it.each([
    ['F29', 'Ordem de produção encerrada'],
    ['F30', 'Quantidade excede o saldo da ordem (saldo 0)'],
    ['F33', 'Código de barras não encontrado'],
  ] as const)('%s somebody was faster: %s', async (id, message) => {
    await using erp = await startErp()
    await faults(erp, { id })
    expect(await record(erp.gateway)).toEqual({ outcome: 'refused', message })
    expect(stored(erp)).toBe(0)
  })
})

describe('texts and numbers', () => {
  it.each([{ id: 'F15' }, { id: 'F16' }, { id: 'F17' }, { id: 'F17', variant: 'cp1252' }] as const)(
    '%j: accents are right',
    async (fault) => {
      await using erp = await startErp()
      const clean = await search(erp.gateway, ACCENTED_ORDER)
      expect(clean[0]?.Z1_DESCPRO).toMatch(/[ÇÃ]/)
      await faults(erp, { ...fault, operation: 'itens' }, { ...fault, operation: 'apontamentos' })
      expect(await search(erp.gateway, ACCENTED_ORDER)).toEqual(clean)
      expect(await record(erp.gateway, cut(10, { MAQUINA: 'XX' }))).toEqual({
        outcome: 'refused',
        message: 'Máquina não cadastrada',
      })
    },
  )

  it.each(['capitals', 'array', 'data', 'itens', 'single', 'dataSingle'])('F25 a list as %s', async (variant) => {
    await using erp = await startErp()
    const order = await search(erp.gateway)
    const one = await search(erp.gateway, UNTOUCHED)
    const machines = await erp.gateway.listMachines({ branch: BRANCH })
    await faults(erp, { id: 'F25', variant, count: null })
    expect(await search(erp.gateway)).toEqual(order)
    expect(await search(erp.gateway, UNTOUCHED)).toEqual(one)
    expect(await erp.gateway.listMachines({ branch: BRANCH })).toEqual(machines)
  })

  it('F26 numbers as text: the same numbers', async () => {
    await using erp = await startErp()
    const clean = await search(erp.gateway)
    await faults(erp, { id: 'F26' })
    const limits = { Z1_RMINL1: null, Z1_RMINL2: null, Z1_DECAL1: null, Z1_DECAL2: null }
    const withoutZeroLimits = clean.map((item) => ({
      ...item,
      // Blank is what the ERP writes for a limit of zero.
      ...Object.fromEntries(Object.keys(limits).map((key) => [key, item[key as keyof typeof limits] || null])),
    }))
    expect(await search(erp.gateway)).toEqual(withoutZeroLimits)
  })

  it('F27 the same page again and again: asked twice, each row once', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F27', count: null })
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(calls(erp, 'itens')).toHaveLength(2)
  })

  it('F24 the other plant’s rows: dropped, and the log says so', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F24' })
    expect(await search(erp.gateway)).toEqual([])
    expect(erp.logged.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
  })
})

describe('the login', () => {
  it('F22 a token that dies early: one renewal, one repeat, once stored', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F22', operation: 'apontamentos' }, { id: 'F22', operation: 'itens' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
    expect(calls(erp, 'apontamentos').map(({ outcome }) => outcome)).toEqual([401, 201])
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(calls(erp, 'token')).toHaveLength(3)
  })

  it('F22 again and again: nothing sent twice over, and the password tried next time', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F22', operation: 'apontamentos', count: 2 })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'auth' })
    expect(calls(erp, 'apontamentos')).toHaveLength(2)
    expect(stored(erp)).toBe(0)
    await faults(erp, { id: 'F23' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(calls(erp, 'token').flatMap((call) => call.faults)).toEqual([])
  })

  it('F23 the refresh is refused: the password opens again', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F22', operation: 'apontamentos' }, { id: 'F23' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(calls(erp, 'token').map(({ outcome }) => outcome)).toEqual([201, 401, 201])
    expect(stored(erp)).toBe(1)
  })
})

describe('F31 maintenance', () => {
  const PAUSE_MS = 15_000

  it('connections refused: unavailable, nothing sent, the indicator turns', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await erp.simulator.close()
    const message = 'ERP indisponível. Tente novamente em instantes.'
    expect(await failureOf(search(erp.gateway))).toEqual({ kind: 'unavailable', message })
    expect(await record(erp.gateway)).toEqual({ outcome: 'not_sent', kind: 'unavailable', message })
    expect(erp.gateway.health()).toMatchObject({ online: false, lastOkAt: erp.clock.ms })
  })

  it('503 for a while: after five calls nobody is sent there, until one comes back with an answer', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F31', count: null })
    for (let n = 0; n < 5; n += 1) expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'unavailable' })
    expect(calls(erp, 'itens')).toHaveLength(6)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'unavailable' })
    expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'unavailable' })
    expect(await erp.gateway.probe()).toMatchObject({ online: false })
    expect(erp.simulator.state.log).toHaveLength(7)

    erp.clock.ms += PAUSE_MS
    expect(await erp.gateway.probe()).toMatchObject({ online: false })
    expect(erp.simulator.state.log).toHaveLength(8)

    await faults(erp)
    expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'unavailable' })
    erp.clock.ms += PAUSE_MS
    expect(await erp.gateway.probe()).toMatchObject({ online: true })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(stored(erp)).toBe(1)
  })

  it('a 503 that does not say why leaves a write open', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F31', operation: 'apontamentos' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'unknown' })
    expect(stored(erp)).toBe(0)
  })
})

describe('F32 an idle connection that the ERP dropped', () => {
  it('is not seen by a read, nor by a write', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F32', operation: 'itens' }, { id: 'F32', operation: 'apontamentos' })
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(calls(erp, 'itens').map(({ outcome }) => outcome)).toEqual([200, 'reset', 200])
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(calls(erp, 'apontamentos').map(({ outcome }) => outcome)).toEqual([201])
  })
})

it('F28 rows that are not up to date yet do not hide what the look-up knows', async () => {
  await using erp = await startErp()
  const id = randomUUID()
  await record(erp.gateway, cut(60), id)
  await faults(erp, { id: 'F28', count: null })
  expect((await search(erp.gateway, ORDER))[0]).toMatchObject({ Z1_QTREGCO: 0 })
  expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
})
