import { describe, expect, test } from 'vitest'
import { SAMPLE_LOT } from '../../demo/history.ts'
import { seedDemonstration } from '../../demo/seed.ts'
import { workShare } from '../../demo/working-days.ts'
import { moves } from '../../src/contract/containments.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { OCCURRENCE_DAYS } from '../../src/contract/treatments.ts'
import { totalsOf } from '../../src/domain/containments/balances.ts'
import { addDays, addMonths, plantDay } from '../../src/domain/plant/plant-time.ts'
import { gaugeOf } from '../../src/domain/quality/control-plans.ts'
import { readPlan } from '../../src/server/features/maintenance-tasks.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { listAllRows } from '../../src/server/store/containment-steps.ts'
import { listCrimpCounters } from '../../src/server/store/crimp-counters.ts'
import { listCrimpsByDay } from '../../src/server/store/crimps-by-day.ts'
import { findItem } from '../../src/server/store/items.ts'
import { listFindings } from '../../src/server/store/recording-findings.ts'
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
    const days = await listCrimpsByDay(db.read, { from: '2000-01-01', to: '2099-12-31' }, null)
    const rolledUp = Map.groupBy(days, ({ unitKey }) => unitKey.toUpperCase())
    const lifetimes = counters.filter(({ lifetimeCrimps }) => lifetimeCrimps > 0)
    expect(
      new Map([...rolledUp].map(([unit, own]) => [unit, own.reduce((sum, { crimps }) => sum + crimps, 0)])),
    ).toEqual(new Map(lifetimes.map(({ miniaplicator, lifetimeCrimps }) => [miniaplicator, lifetimeCrimps])))
    const plan = await readPlan(context, '')
    const parts = plan.filter(({ kind }) => kind === 'part').map(({ usedPercent }) => usedPercent)
    expect([Math.min(...parts) < 20, Math.max(...parts) > 100, new Set(parts).size > 8], 'of all ages').toEqual([
      true,
      true,
      true,
    ])
    const tasks = plan.filter(({ kind }) => kind === 'task')
    expect(tasks.some(({ isDue }) => isDue) && tasks.some(({ isDue }) => !isDue)).toBe(true)
    const rows = await db.read.selectFrom('recordings').select(['state', 'production_day']).execute()
    expect(rows.length).toBeGreaterThan(250)
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['delivered']))
    // what is recorded today, and yesterday, stands alone
    expect(rows.every((row) => row.production_day < '2026-11-20')).toBe(true)
  })
})

describe('the demonstration', () => {
  test.each(['2026-03-01T03:10:00Z', '2027-01-01T02:00:00Z', '2028-03-31T15:00:00Z'])(
    'begun at %s, no month of two years is without crimps, and the last has findings',
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

      const now = Date.parse(begun)
      const span = { branches: ['010101'], from: now - OCCURRENCE_DAYS * 86_400_000, before: now + 86_400_000 }
      const findings = await listFindings(db.read, span)
      expect(findings.filter(({ em }) => Date.parse(em) < Date.parse(begun)).map(({ achado }) => achado)).toEqual([
        ...['fora-do-plano', 'bloqueio-sem-rede', 'fora-do-plano', 'falta-medir', 'fora-do-plano', 'falta-medir'],
      ])
      expect(findings[0]?.liberadoPor).toBe('Administrador')
    },
  )

  test("its work is a plant's: by the calendar, in shifts, with tools that wear each in its own way", async () => {
    const { db } = await setUp('sqlite')
    const rows = await db.read.selectFrom('daily_production').selectAll().execute()
    const crimped = rows.filter(({ unit_key: unit, order_number: order }) => unit !== '' && order === '')
    expect(rows.filter(({ production_day: day }) => new Date(day).getUTCDay() === 0)).toEqual([])
    expect(crimped.filter(({ production_day: day }) => workShare(day) === 0)).toEqual([])

    const lately = Map.groupBy(
      crimped.filter(({ production_day: day }) => day > '2026-10-20'),
      ({ production_day: day }) => day,
    )
    expect([...lately.keys()].length, 'most of the workdays of a month').toBeGreaterThan(20)
    const mostOn = (share: number) =>
      Math.max(
        ...[...lately].map(([day, own]) => (workShare(day) === share ? own.reduce((n, r) => n + r.pieces, 0) : 0)),
      )
    expect(mostOn(0.4), 'a Saturday').toBeLessThan(mostOn(1))

    const byTool = Map.groupBy(crimped, ({ unit_key: unit }) => unit)
    const monthsOf = (own: typeof crimped) => {
      const months = Map.groupBy(own, ({ production_day: day }) => day.slice(0, 7))
      return [...months.values()].map((month) => month.reduce((sum, { pieces }) => sum + pieces, 0))
    }
    const inUse = [...byTool.values()].map((own) => monthsOf(own).length)
    expect(new Set(inUse).size, 'some are newer than others').toBeGreaterThan(3)
    const months = monthsOf(byTool.get('ma-0001') ?? [])
    expect(Math.max(...months.slice(0, -1))).toBeGreaterThan(2 * Math.min(...months.slice(0, -1)))
    expect(new Set((byTool.get('ma-0003') ?? []).map(({ operator }) => operator)).size).toBeGreaterThan(1)

    const made = await db.read.selectFrom('recordings').select(['recorded_at', 'lot']).execute()
    const hours = new Set(made.map(({ recorded_at: at }) => Math.floor(new Date(at).getUTCHours() / 8)))
    expect(hours.size, 'in all three shifts').toBe(3)
    expect(new Set(made.map(({ lot }) => lot)).size).toBeGreaterThan(60)
  })

  test('its last month has calls of all kinds of ends, some for other teams, and three that are open', async () => {
    const { db, clock } = await setUp('sqlite')
    const calls = await db.read.selectFrom('maintenance_calls').selectAll().execute()
    const byState = Map.groupBy(calls, ({ state }) => state)
    expect(byState.get('resolvido')?.length).toBeGreaterThan(15)
    expect([byState.get('aberto')?.length, byState.get('atendido')?.length]).toEqual([2, 1])
    const others = calls.filter(({ team }) => team !== 'manutencao')
    expect(others.map(({ team, topic, state }) => [team, topic, state])).toEqual([
      ['material', 'terminal-acabando', 'resolvido'],
      ['qualidade', 'medicao-fora', 'aberto'],
    ])
    const follows = others.map(({ act_id: act }) => act).filter((act) => act !== null)
    const acts = await db.read.selectFrom('measurements').select('verdict').where('act_id', 'in', follows).execute()
    expect(acts.map(({ verdict }) => verdict)).toContain('fora')
    expect(byState.get('cancelado')?.length).toBeGreaterThan(0)
    expect(Math.max(...calls.map(({ settled_at: at }) => at ?? 0))).toBeLessThan(clock.now())
    expect(calls.filter(({ opened_day: day }) => workShare(day) < 1 && day !== '2026-11-21')).toEqual([])
    expect(new Set(calls.map(({ symptom }) => symptom)).size).toBeGreaterThan(4)
  })

  test('its last six weeks were measured: one tool drifts, one is steady, some samples were noted or taken out', async () => {
    const { db, clock } = await setUp('sqlite')
    const rows = await db.read.selectFrom('measurements').selectAll().orderBy('measured_at').execute()
    const bySeries = Map.groupBy(rows, ({ unit, characteristic }) => `${unit} ${characteristic}`)
    expect([...bySeries.values()].map((own) => own.length).toSorted((one, other) => other - one)[0]).toBe(62)
    const steady = bySeries.get('MA-0011 altura') ?? []
    expect(
      steady.reduce((sum, { n }) => sum + n, 0),
      'enough for a capability',
    ).toBeGreaterThanOrEqual(125)
    const meanOf = (own: typeof rows) => own.reduce((sum, row) => sum + row.sum_milli / row.n, 0) / own.length
    const drifting = bySeries.get('MA-0001 altura') ?? []
    expect(meanOf(drifting.slice(-8)) - meanOf(drifting.slice(0, 25))).toBeGreaterThan(8)
    expect(
      drifting.every(({ verdict }) => verdict === 'dentro'),
      'seen before any bad piece',
    ).toBe(true)
    const special = bySeries.get('MA-0005 altura') ?? []
    expect(special.filter(({ cause }) => cause !== null)).toHaveLength(2)
    expect(special.filter(({ invalid_at: at }) => at !== null)).toHaveLength(1)
    expect(special.some(({ verdict, action }) => verdict === 'fora' && action !== null)).toBe(true)
    expect(Math.max(...rows.map(({ measured_at: at }) => at))).toBeLessThan(clock.now())
    const valid = addDays(plantDay(clock.now(), 'America/Sao_Paulo'), -12)
    const isPast = (row: (typeof rows)[number]) => row.instrument === 'MIC-ALT-02' && row.measured_day > valid
    expect(rows.filter(({ findings }) => findings === 'instrumento-vencido')).toEqual(rows.filter(isPast))
    expect(rows.filter(isPast).length).toBeGreaterThan(2)
    expect(rows.filter(({ findings }) => findings !== '')).toHaveLength(rows.filter(isPast).length)
  })

  test('each of its samples is of an end that its item has: of its terminal, gauge and reel', async () => {
    const { db } = await setUp('sqlite')
    const rows = await db.read.selectFrom('measurements').selectAll().execute()
    const ends = await db.read
      .selectFrom('recordings')
      .select(['branch', 'barcode', 'part', 'order_number', 'terminal', 'gauge_milli', 'lot'])
      .execute()
    const endOf = (one: Omit<(typeof ends)[number], 'part'> & { part: string }) =>
      [one.branch, one.order_number, one.barcode, one.part, one.terminal, one.gauge_milli, one.lot].join(' ')
    const crimped = new Set(ends.map(endOf))
    expect(rows.length).toBeGreaterThan(400)
    expect(rows.filter((row) => !crimped.has(endOf(row)))).toEqual([])
    for (const { branch, barcode, part, terminal, gauge_milli: gauge } of rows) {
      const item = (await findItem(db.read, branch, barcode))?.item
      expect([part === 'l1' ? item?.Z1_TERML1 : item?.Z1_TERML2, item && gaugeOf(item)]).toEqual([terminal, gauge])
    }
  })

  test('a crimp names the newest good sample that was taken of its end before it', async () => {
    const { db } = await setUp('sqlite')
    const named = await db.read
      .selectFrom('recording_measurements as l')
      .innerJoin('recordings as r', 'r.id', 'l.recording_id')
      .innerJoin('measurements as m', 'm.act_id', 'l.act_id')
      .select(['r.barcode', 'r.part', 'r.recorded_at', 'r.unit_key'])
      .select(['m.barcode as of', 'm.part as side', 'm.measured_at', 'm.unit_key as tool', 'm.verdict', 'm.invalid_at'])
      .execute()
    expect(named.length).toBeGreaterThan(10)
    for (const one of named) {
      expect([one.of, one.side, one.tool]).toEqual([one.barcode, one.part, one.unit_key ?? ''])
      expect([one.measured_at < one.recorded_at, one.verdict, one.invalid_at]).toEqual([true, 'dentro', null])
    }
  })

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
    expect(ofLot).toMatchObject({ tipo: 'lote', contagens: { ordens: 3, apontamentos: 7 } })
    const crimped = ofLot.linhas.filter(({ etapa }) => etapa !== 'juncao')
    expect(new Set(crimped.map(({ miniaplicador }) => miniaplicador))).toEqual(new Set(['MA-0011']))
    const ofItem = await trace(crimped[0]?.barras ?? '')
    expect(ofItem.linhas.map(({ etapa }) => etapa)).toContain('cabo')
    expect(ofItem.linhas.length).toBeGreaterThan(1)
    expect(ofItem.linhas.every(({ item, lote }) => /^\d{6}$/.test(item) && lote !== '')).toBe(true)
  })

  test('holds suspect pieces of one tool, with labels to print, and has decided about those of another', async () => {
    const { db } = await setUp('sqlite')
    const containments = await db.read.selectFrom('containments').selectAll().orderBy('number').execute()
    expect(containments.map(({ number, state, unit }) => [number, state, unit])).toEqual([
      [1, 'encerrada', 'MA-0009'],
      [2, 'aberta', 'MA-0011'],
    ])
    const [closed, open] = containments
    const totals = async (id = '') => totalsOf((await listAllRows(db.read, id)).map(({ balance }) => balance))
    expect(await totals(closed?.id)).toMatchObject({ suspect: 0, rework: 0, scrapped: 32, divergent: 0 })
    expect((await totals(open?.id)).suspect).toBeGreaterThan(100)
    const steps = await db.read.selectFrom('containment_steps').select('kind').distinct().execute()
    expect(steps.map(({ kind }) => kind).toSorted()).toEqual([...moves].toSorted())
  })
})
