import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ErpItem } from '../../src/contract/items.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import {
  BRANCH,
  calls,
  cut,
  type Erp,
  failureOf,
  faults,
  find,
  ORDER,
  PASSWORD,
  record,
  search,
  startErp,
  startRealErp,
  UNTOUCHED,
} from '../support/erp.ts'
import { STEP_MS } from '../support/slowness.ts'

const MINUTE_MS = 60_000

describe.each(['clean', 'realistic', 'dirty'] as const)('with the %s profile', (profile) => {
  it('finds the items of an order', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const items = await search(erp.gateway)
    expect(items).toHaveLength(24)
    for (const item of items) expect(ErpItem.safeParse(item).error).toBeUndefined()
    expect(items[0]).toMatchObject({
      Z1_CODBAR: UNTOUCHED,
      Z1_OP: ORDER,
      Z1_QUANT: 120,
      Z1_COR: 'am/vd',
      Z1_RMINL1: 70,
    })
  })

  it('finds one item by its barcode', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    expect((await search(erp.gateway, UNTOUCHED)).map((item) => item.Z1_CODBAR)).toEqual([UNTOUCHED])
  })

  it('finds all pages of a long order, and none of an unknown one', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const items = await search(erp.gateway, '01622001001')
    expect(new Set(items.map((item) => item.Z1_CODBAR)).size).toBe(250)
    expect(await search(erp.gateway, '99999999999')).toEqual([])
  })

  it('lists machines, of one type or all', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const all = await erp.gateway.listMachines({ branch: BRANCH })
    expect(all).toHaveLength(12)
    const joining = await erp.gateway.listMachines({ branch: BRANCH, type: 'juncao' })
    expect(joining.length).toBeGreaterThan(0)
    expect(joining.length).toBeLessThan(12)
    expect(all).toEqual(expect.arrayContaining(joining))
  })
})

describe('a recording', () => {
  it('is stored once, whatever is sent again, and found by its id', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    const first = await record(erp.gateway, cut(60), id)
    expect(first).toEqual({
      outcome: 'confirmed',
      message: 'Apontamento realizado com sucesso!',
      erpRecord: '000000001',
    })
    expect(await record(erp.gateway, cut(60), id)).toEqual(first)
    expect(erp.simulator.state.writes).toMatchObject([{ id, barcode: UNTOUCHED, section: 'cable', pieces: 60 }])
    expect((await search(erp.gateway, UNTOUCHED))[0]).toMatchObject({ Z1_QTREGCO: 60, Z1_PCORTE: 50 })
    expect(await find(erp.gateway, id)).toEqual({ status: 'done', message: 'Apontamento realizado com sucesso!' })
  })

  it('keeps to itself what is not for the ERP', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    await record(erp.gateway, cut(10, { captura: { dispositivo: 'tablet 3' } }), id)
    // The ERP compares contents: with the block in it, this would be another recording under the same id.
    expect(await record(erp.gateway, cut(10), id)).toMatchObject({ outcome: 'confirmed' })
  })

  it('is refused in the ERP’s words, and found as refused', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    const message = 'Quantidade excede o saldo da ordem (saldo 120)'
    expect(await record(erp.gateway, cut(121), id)).toEqual({ outcome: 'refused', message })
    expect(await find(erp.gateway, id)).toEqual({ status: 'refused', message })
    expect(erp.simulator.state.writes).toEqual([])
  })

  it('is unknown to the ERP when it never came there', async () => {
    await using erp = await startErp()
    expect(await find(erp.gateway, randomUUID())).toBeNull()
  })

  it('cannot be asked for where the ERP has no look-up', async () => {
    await using erp = await startErp({}, { lookup: 'none' })
    expect(await find(erp.gateway, randomUUID())).toBe('unsupported')
    expect(erp.simulator.state.log).toEqual([])
  })
})

describe('a receipt check by barcode', () => {
  it('never reaches the ERP', async () => {
    await using erp = await startErp()
    const query = { branch: BRANCH, mode: 'CONFERENCIA_CORTE' } as const
    expect(await erp.gateway.searchItems({ ...query, term: UNTOUCHED })).toMatchObject({ rows: [] })
    expect(erp.simulator.state.log).toEqual([])
    expect((await erp.gateway.searchItems({ ...query, term: ORDER })).rows).toHaveLength(24)
  })
})

describe('the login', () => {
  const tokensRequested = (erp: Erp) => calls(erp, 'token').length

  it('lasts its hour and is renewed in time', async () => {
    await using erp = await startErp()
    for (const [minutes, expected] of [
      [0, 1],
      [47, 1],
      [59, 2],
      [61, 2],
      [25 * 60, 4],
    ] as const) {
      erp.clock.ms = Date.UTC(2026, 10, 21, 12) + minutes * MINUTE_MS
      expect(await search(erp.gateway)).toHaveLength(24)
      // After 25 hours the refresh is refused and the password asked: two calls.
      expect([minutes, tokensRequested(erp)]).toEqual([minutes, expected])
    }
    const outcomes = erp.simulator.state.log.map(({ operation, outcome }) => `${operation} ${outcome}`)
    expect(outcomes.filter((outcome) => outcome.endsWith(' 401'))).toEqual(['token 401'])
  })

  it.each([
    [59 * MINUTE_MS, ['apontamentos 201']],
    [61 * MINUTE_MS, ['apontamentos 401', 'token 201', 'apontamentos 201']],
    [25 * 60 * MINUTE_MS, ['apontamentos 401', 'token 401', 'token 201', 'apontamentos 201']],
  ])('when only the ERP’s clock goes on by %d ms: renewed, or begun again, and stored once', async (ms, heard) => {
    await using erp = await startErp()
    await search(erp.gateway)
    const before = erp.simulator.state.log.length
    erp.simulator.state.advanceClock(ms)
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    const { log, writes } = erp.simulator.state
    expect(log.slice(before).map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual(heard)
    expect(writes).toHaveLength(1)
  })

  it('is one for many calls at once', async () => {
    await using erp = await startErp()
    await Promise.all([1, 2, 3, 4].map(() => search(erp.gateway)))
    expect(tokensRequested(erp)).toBe(1)
  })

  it.each([{ auth: 'token', tokenParameters: 'query' }, { auth: 'token', tokenParameters: 'form' }, { auth: 'basic' }])(
    'works as %j',
    async (settings) => {
      await using erp = await startErp({}, { settings: ErpSettings.parse(settings) })
      expect(await search(erp.gateway)).toHaveLength(24)
    },
  )

  it.each(['token', 'basic'] as const)('with a wrong password (%s) says so, and nothing is stored', async (auth) => {
    await using erp = await startErp({}, { password: 'errada', settings: ErpSettings.parse({ auth }) })
    const message = 'O ERP recusou o usuário do painel. Avise a TI.'
    expect(await failureOf(search(erp.gateway))).toEqual({ kind: 'auth', message })
    expect(await record(erp.gateway)).toEqual({ outcome: 'not_sent', kind: 'auth', message })
    expect(erp.simulator.state.writes).toEqual([])
  })

  it.each(['token', 'basic'] as const)(
    'that is refused (%s) is tried again after 30 s, 2 min and 10 min',
    async (auth) => {
      const operation = auth === 'token' ? 'token' : 'itens'
      await using erp = await startErp({}, { password: 'errada', settings: ErpSettings.parse({ auth }) })
      for (const [index, pauseMs] of [30_000, 120_000, 600_000, 600_000].entries()) {
        for (let n = 0; n < 20; n += 1) expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'auth' })
        erp.clock.ms += pauseMs - 1
        expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'auth' })
        expect([pauseMs, calls(erp, operation).length]).toEqual([pauseMs, index + 1])
        expect(erp.gateway.health()).toMatchObject({ online: true, access: 'refused' })
        erp.clock.ms += 1
      }
    },
  )

  it('whose renewal and password are refused is not asked for at every search, and opens when the ERP takes it', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    const before = tokensRequested(erp)
    await faults(erp, { id: 'F22', count: null }, { id: 'F20', operation: 'token', count: null })
    for (let n = 0; n < 20; n += 1) expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'auth' })
    // the refresh and the password
    expect(tokensRequested(erp)).toBe(before + 2)
    await faults(erp)
    erp.clock.ms += 30_000
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(erp.gateway.health().access).toBe('ok')
  })

  it('F22 a token that dies early: one renewal, one repeat, once stored', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await faults(erp, { id: 'F22', operation: 'apontamentos' }, { id: 'F22', operation: 'itens' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'confirmed' })
    expect(erp.simulator.state.writes).toHaveLength(1)
    expect(calls(erp, 'apontamentos').map(({ outcome }) => outcome)).toEqual([401, 201])
    expect(await search(erp.gateway)).toHaveLength(24)
    expect(tokensRequested(erp)).toBe(3)
  })

  it('F22 again and again: nothing sent twice over, and the password tried next time', async () => {
    await using erp = await startErp()
    await faults(erp, { id: 'F22', operation: 'apontamentos', count: 2 })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'auth' })
    expect(calls(erp, 'apontamentos')).toHaveLength(2)
    expect(erp.simulator.state.writes).toEqual([])
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
    expect(erp.simulator.state.writes).toHaveLength(1)
  })

  it('leaves no secret in the log', async () => {
    const settings = ErpSettings.parse({ tokenParameters: 'query' })
    await using erp = await startErp({}, { settings })
    await erp.simulator.state.setFaults([
      { id: 'F22' },
      { id: 'F23' },
      { id: 'F11', operation: 'token' },
      { id: 'F12' },
    ])
    await record(erp.gateway)
    await failureOf(search(erp.gateway))
    expect(erp.logged.length).toBeGreaterThan(0)
    expect(JSON.stringify(erp.logged)).not.toMatch(new RegExp(`${PASSWORD}|eyJ|L261118004|Conceição`))
  })
})

describe('capacity', () => {
  it('is never asked for more than configured', async () => {
    await using erp = await startErp({ instances: 2 })
    await erp.simulator.state.setFaults([{ id: 'F01', ms: 20, count: null }])
    const writes = Array.from({ length: 12 }, () => record(erp.gateway, cut(1)))
    const reads = Array.from({ length: 12 }, () => search(erp.gateway, UNTOUCHED))
    expect((await Promise.all(writes)).map(({ outcome }) => outcome)).toEqual(Array(12).fill('confirmed'))
    await Promise.all([...reads, erp.gateway.probe()])
    expect(erp.simulator.state.openCallsMax).toBe(2)
    expect(erp.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(12)
  })

  it('turns away who waited too long, without a call', async () => {
    await using erp = await startErp({}, { maxConcurrent: 1, timeouts: { queueMs: 50 } })
    await search(erp.gateway)
    await erp.simulator.state.setFaults([{ id: 'F01', operation: 'maquinas', ms: STEP_MS }])
    const slow = erp.gateway.listMachines({ branch: BRANCH })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'busy' })
    expect(await slow).toHaveLength(12)
    expect(erp.simulator.state.log.filter(({ operation }) => operation === 'apontamentos')).toEqual([])
  })
})

describe('a write whose turn comes late', () => {
  it('does not leave any more, and the next one may', async () => {
    await using erp = await startErp()
    const late = { branch: BRANCH, payload: cut(), integrationId: randomUUID(), mayLeave: () => false }
    expect(await erp.gateway.recordCutCrimp(late)).toMatchObject({ outcome: 'not_sent' })
    expect(erp.simulator.state.log.filter(({ operation }) => operation === 'apontamentos')).toEqual([])
    expect(await erp.gateway.recordCutCrimp({ ...late, mayLeave: () => true })).toMatchObject({ outcome: 'confirmed' })
  })
})

describe('the indicator', () => {
  it('knows nothing until somebody asked', async () => {
    await using erp = await startErp()
    expect(erp.gateway.health()).toEqual({
      online: false,
      latencyMs: null,
      lastOkAt: null,
      isStandIn: null,
      isOther: false,
      isSpared: false,
      access: 'ok',
      ...{ isAccessKnown: false, isConfigured: true },
      fault: null,
    })
    expect(await erp.gateway.probe()).toEqual({
      online: true,
      latencyMs: expect.any(Number),
      lastOkAt: erp.clock.ms,
      isStandIn: true,
      isOther: false,
      isSpared: false,
      access: 'ok',
      ...{ isAccessKnown: false, isConfigured: true },
      fault: null,
    })
  })

  it('asks at most every 15 s', async () => {
    await using erp = await startErp()
    const probes = () => erp.simulator.state.log.length
    await erp.gateway.probe()
    erp.clock.ms += 14_999
    await erp.gateway.probe()
    expect(probes()).toBe(1)
    erp.clock.ms += 1
    await erp.gateway.probe()
    expect(probes()).toBe(2)
  })

  it('takes an address that is not there for an answer', async () => {
    const settings = ErpSettings.parse({ paths: { probe: '/nowhere' } })
    await using erp = await startErp({}, { settings })
    expect(await erp.gateway.probe()).toMatchObject({ online: true })
  })

  it('follows every other call', async () => {
    await using erp = await startErp({}, { timeouts: { readMs: STEP_MS } })
    await search(erp.gateway)
    expect(erp.gateway.health().online).toBe(true)
    await erp.simulator.state.setFaults([{ id: 'F01', operation: 'itens', ms: 60_000 }])
    await failureOf(search(erp.gateway))
    expect(erp.gateway.health()).toMatchObject({ online: false, lastOkAt: erp.clock.ms })
    await search(erp.gateway)
    expect(erp.gateway.health().online).toBe(true)
  })
})

describe('F31 maintenance', () => {
  const PAUSE_MS = 15_000

  it('turns the indicator once nobody listens any more', async () => {
    await using erp = await startErp()
    await search(erp.gateway)
    await erp.simulator.close()
    expect(await failureOf(search(erp.gateway))).toMatchObject({ kind: 'unavailable' })
    expect(await record(erp.gateway)).toMatchObject({ outcome: 'not_sent', kind: 'unavailable' })
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
    expect(erp.simulator.state.writes).toHaveLength(1)
  })
})

describe('an ERP that is not the one that the database was used with', () => {
  it.each([
    ['token', true],
    ['token', false],
    ['basic', true],
    ['basic', false],
  ] as const)('is read and told nothing (%s, to try things with: %j)', async (auth, isStandIn) => {
    await using erp = await startErp()
    const settings = ErpSettings.parse({ auth })
    const real = await startRealErp(erp.simulator.url)
    const other = erp.open({ settings, isStandIn, url: isStandIn ? real : erp.simulator.url })
    expect(await record(other)).toMatchObject({ outcome: 'not_sent' })
    await other.probe()
    expect(await record(other)).toMatchObject({ outcome: 'not_sent' })
    expect(await failureOf(search(other))).toMatchObject({ kind: 'unavailable' })
    expect(other.health()).toMatchObject({ online: false, isStandIn: !isStandIn, isOther: true })
    expect(erp.simulator.state.writes).toEqual([])
    const same = erp.open({ settings, isStandIn, url: isStandIn ? erp.simulator.url : real })
    await same.probe()
    expect(await record(same)).toMatchObject({ outcome: 'confirmed' })
  })
})
