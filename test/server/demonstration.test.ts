import { describe, expect, test } from 'vitest'
import { SAMPLE_LOT } from '../../demo/history.ts'
import { seedDemonstration } from '../../demo/seed.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { addMonths } from '../../src/domain/plant-time.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { listCrimpCounters } from '../../src/server/store/crimp-counters.ts'
import { databases, openTestPanel, testClock } from '../support/harness.ts'

async function setUp(database: (typeof databases)[number]) {
  const panel = await openTestPanel({ database })
  await seedDemonstration(panel.context)
  return panel
}

describe.each(databases)('the demonstration on %s', (database) => {
  test('past work is in counters, ledger and roll-ups, and wears no tool more than its share', async () => {
    const { db, context } = await setUp(database)
    await seedDemonstration(context)
    expect(await listCounterDeviations(db.read)).toEqual([])
    const counters = await listCrimpCounters(db.read)
    const worn = counters.filter(
      ({ limitOfCrimps, numberOfCrimps }) => limitOfCrimps > 0 && numberOfCrimps >= limitOfCrimps,
    )
    expect(worn.map(({ numberOfCrimps }) => numberOfCrimps)).toEqual([130_000, 112_000, 100_000])
    expect(counters.slice(0, 2).map(({ numberOfCrimps }) => numberOfCrimps)).toEqual([97_000, 0])
    const rolledUp = await db.read
      .selectFrom('daily_production')
      .select(['unit_key', (e) => e.fn.sum<number>('pieces').as('pieces')])
      .where('unit_key', '<>', '')
      .groupBy('unit_key')
      .execute()
    const lifetimes = counters.filter(({ lifetimeCrimps }) => lifetimeCrimps > 0)
    expect(new Map(rolledUp.map((row) => [row.unit_key.toUpperCase(), Number(row.pieces)]))).toEqual(
      new Map(lifetimes.map(({ miniaplicator, lifetimeCrimps }) => [miniaplicator, lifetimeCrimps])),
    )
    const rows = await db.read.selectFrom('recordings').select(['state', 'production_day']).execute()
    expect(rows.length).toBeGreaterThan(250)
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['delivered']))
    // what is recorded today, and yesterday, stands alone
    expect(rows.every((row) => row.production_day < '2026-11-20')).toBe(true)
  })
})

describe('the demonstration', () => {
  test.each(['2026-03-01T03:10:00Z', '2027-01-01T02:00:00Z', '2028-03-31T15:00:00Z'])(
    'begun at %s, no month of two years is without crimps',
    async (begun) => {
      const { db, context } = await openTestPanel({ clock: testClock(Date.parse(begun)) })
      await seedDemonstration(context)
      const rows = await db.read
        .selectFrom('daily_production')
        .select('production_day')
        .where('unit_key', '=', 'ma-0001')
        .orderBy('production_day')
        .execute()
      const days = rows.map(({ production_day: day }) => day)
      const first = `${days[0]?.slice(0, 7)}-01`
      const months = Array.from({ length: 24 }, (_, at) => addMonths(first, at).slice(0, 7))
      expect([...new Set(days.map((day) => day.slice(0, 7)))]).toEqual(months)
    },
  )

  test('a lot leads to items of several orders, and an item to its cable and terminals', async () => {
    const { ask } = await setUp('sqlite')
    const login = await ask('', {
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'operador', password: 'operador' },
    })
    const { token } = login.json() as { token: string }
    const trace = async (termo: string): Promise<Trace> =>
      (await ask(token, { url: `/api/rastreabilidade?${new URLSearchParams({ termo })}` })).json()
    const ofLot = await trace(SAMPLE_LOT)
    expect(ofLot).toMatchObject({ tipo: 'lote', contagens: { ordens: 3, apontamentos: 9 } })
    const crimped = ofLot.linhas.filter(({ etapa }) => etapa !== 'juncao')
    expect(new Set(crimped.map(({ miniaplicador }) => miniaplicador))).toEqual(new Set(['MA-0011']))
    const ofItem = await trace(crimped[0]?.barras ?? '')
    expect(ofItem.linhas.map(({ etapa }) => etapa)).toContain('cabo')
    expect(ofItem.linhas.length).toBeGreaterThan(1)
    expect(ofItem.linhas.every(({ item, lote }) => /^\d{6}$/.test(item) && lote !== '')).toBe(true)
  })
})
