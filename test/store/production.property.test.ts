import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Grouping, groupings, type ProductionLine } from '../../src/contract/production-reports.ts'
import { toCutCrimp } from '../../src/server/acts/cut-crimp.ts'
import { toJunction } from '../../src/server/acts/junctions.ts'
import type { Call } from '../../src/server/panel.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { chartOfApplicator, chartOfTerminal, listChartTerminals } from '../../src/server/store/charts.ts'
import { listCrimpCounters, resetCounter } from '../../src/server/store/crimp-counters.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { settlePending } from '../../src/server/store/pending-recordings.ts'
import { productionReport, reportOf } from '../../src/server/store/production-reports.ts'
import {
  deliverRecording,
  insertRecording,
  leaveUncertain,
  promiseRecording,
  type Recording,
  refuseRecording,
  restoreRecording,
} from '../../src/server/store/recordings.ts'
import { spanLines } from '../../src/server/store/shift-reports.ts'
import { crimpOf, cutOf, type Database, joinOf, openStore, testConfig } from '../support/harness.ts'

/**
 * What charts and reports say is what was done and not undone, counted one by one by an oracle that knows the acts and
 * never looks into the roll-up.
 */
const RUNS: Record<Database, number> = { sqlite: Number(process.env.RUNS ?? 150), mariadb: 25 }
const SEED = Number(process.env.SEED ?? 20261121)

/** Instants around midnight, some where the clock is changed, and the day that the wall of the plant shows. */
const calendars = {
  'America/Sao_Paulo': {
    // summer time until 2019: it ends at midnight, which comes twice, and begins at midnight, which never comes
    '2018-02-18T01:59:59.999Z': '2018-02-17',
    '2018-02-18T02:59:59.999Z': '2018-02-17',
    '2018-02-18T03:00:00.000Z': '2018-02-18',
    '2018-11-04T02:59:59.999Z': '2018-11-03',
    '2018-11-04T03:00:00.000Z': '2018-11-04',
    '2026-11-01T02:59:59.999Z': '2026-10-31',
    '2026-11-01T03:00:00.000Z': '2026-11-01',
    '2026-11-20T12:00:00.000Z': '2026-11-20',
  },
  'Europe/Lisbon': {
    '2026-03-28T23:59:59.999Z': '2026-03-28',
    '2026-03-29T00:00:00.000Z': '2026-03-29',
    '2026-03-31T22:59:59.999Z': '2026-03-31',
    '2026-03-31T23:00:00.000Z': '2026-04-01',
    '2026-10-24T22:59:59.999Z': '2026-10-24',
    '2026-10-24T23:00:00.000Z': '2026-10-25',
    '2026-10-31T23:59:59.999Z': '2026-10-31',
    '2026-11-01T00:00:00.000Z': '2026-11-01',
  },
} as const satisfies Record<string, Record<string, string>>
type Zone = keyof typeof calendars
/** When the server hears of them. */
/** A tablet without network delivers late. */
const LATE_MS = 30 * 86_400_000

const PAIRS = [
  { terminal: 'T1326030', miniaplicator: 'MA-0001' },
  { terminal: 'T0925590', miniaplicator: 'MA-0002' },
]
const BRANCHES = ['010101', '020101'] as const
const workArbitrary = fc.record({
  part: fc.constantFrom('cabo', 'l1', 'l2', 'juncao', 'recebimento'),
  pieces: fc.integer({ min: 1, max: 500 }),
  branch: fc.constantFrom(...BRANCHES),
  orderNumber: fc.constantFrom('01621401001', '01621401002'),
  machine: fc.constantFrom('KX0001 - Komax', 'kx0001 - Komax'),
  tool: fc.constantFrom('MA-0001', ' ma-0001', 'Ma-0003', 'MA-0003', 'Sem Cadastro', 'SEM CADASTRO '),
  terminal: fc.constantFrom('T1326030', 't1326030 ', 'X9', 'x9'),
})
type Work = typeof workArbitrary extends fc.Arbitrary<infer W> ? W : never

type End = 'deliver' | 'refuse' | 'promise' | 'leave' | 'restore' | 'discard' | 'mark'
/** What may happen to an act by itself, and what would seldom follow by chance. */
const courses: End[][] = [
  ...(['deliver', 'refuse', 'promise', 'leave', 'restore', 'discard', 'mark'] as const).map((end) => [end]),
  ['refuse', 'restore'],
  ['refuse', 'restore', 'discard'],
  ['promise', 'refuse'],
  ['leave', 'mark'],
]
/** `at` counts back from the newest act, so that more than one thing happens to some. */
const stepArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      work: workArbitrary,
      moment: fc.nat(),
      operator: fc.constantFrom('Maria Souza', 'João Dias'),
      state: fc.constantFrom('waiting' as const, 'waiting' as const, 'parked' as const, 'uncertain' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('end' as const), at: fc.nat(4), ends: fc.constantFrom(...courses) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct' as const), at: fc.nat(4), work: workArbitrary }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reset' as const), tool: fc.constantFrom('MA-0001', 'ma-0003') }),
  },
)
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never

/** One act as it was told, and what became of it. */
type Act = Work & { id: string; day: string; operator: string; instant: string; state: string; promised: boolean }

const countedStates = ['waiting', 'delivered', 'parked', 'uncertain']
const counts = ({ state, part }: Act) => part !== 'recebimento' && countedStates.includes(state)
const isCrimp = ({ part }: Act) => part === 'l1' || part === 'l2'
const plain = (name: string) => name.trim().toLowerCase()
const unitOf = (act: Act) => (isCrimp(act) && plain(act.tool) !== 'sem cadastro' ? plain(act.tool) : '')
const terminalOf = (act: Act) => (isCrimp(act) || act.part === 'juncao' ? plain(act.terminal) : '')

/** Through the same doors as what a tablet sends. */
function toRecording(act: Act, zone: Zone): Recording {
  const { id, operator, pieces, part, terminal, tool } = act
  const caller = { userId: 1, username: operator, fullName: operator }
  const config = testConfig({ TIME_ZONE: zone })
  const now = () => Date.parse(act.instant) + LATE_MS
  const call = { caller, config, idempotencyKey: id, contentHash: id, now } as unknown as Call
  const captura = { registradoEm: act.instant }
  if (part === 'juncao') {
    const place = { FILIAL: act.branch, NUMERO_OP: act.orderNumber, MAQUINA: act.machine }
    return toJunction({ ...joinOf(pieces), ...place, TERMINAL: terminal, captura }, call)
  }
  const common = { EMPRESA: act.branch, ORDEM_PROD: act.orderNumber, MAQUINA: act.machine, captura }
  if (part === 'cabo') return toCutCrimp({ ...cutOf(pieces), ...common }, call)
  const {
    TERM_LD1: _terminal,
    MA_LD1: _tool,
    FORCA_LD1,
    ALTURA_LD1,
    LOTE_TERM_LD1,
    SELO_LD1,
    SELADORA_LD1,
    ...item
  } = crimpOf(pieces)
  if (part === 'l1' || part === 'recebimento') {
    const crimped = toCutCrimp({ ...crimpOf(pieces), ...common, TERM_LD1: terminal, MA_LD1: tool }, call)
    return part === 'l1' ? crimped : { ...crimped, part, applicator: null }
  }
  const side = { FORCA_LD2: FORCA_LD1, ALTURA_LD2: ALTURA_LD1, LOTE_TERM_LD2: LOTE_TERM_LD1 }
  const seal = { SELO_LD2: SELO_LD1, SELADORA_LD2: SELADORA_LD1 }
  return toCutCrimp({ ...item, ...side, ...seal, ...common, TERM_LD2: terminal, MA_LD2: tool } as never, call)
}

class Plant {
  readonly acts: Act[] = []
  readonly db: Db
  readonly zone: Zone
  private readonly happened: Set<string>
  constructor(db: Db, zone: Zone, happened: Set<string>) {
    this.db = db
    this.zone = zone
    this.happened = happened
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'record') return await this.record(step)
    if (step.kind === 'reset') return await this.reset(step.tool)
    const act = this.acts.at(-1 - step.at)
    if (!act) return
    if (step.kind === 'correct') return await this.correct(act, step.work)
    for (const end of step.ends) {
      const before = act.state
      await this.end(act, end)
      this.happened.add(`${before}, ${end}: ${act.state}`)
    }
  }

  private async record({ work, moment, operator, state }: Extract<Step, { kind: 'record' }>): Promise<void> {
    const known = Object.entries(calendars[this.zone])
    const [instant, day] = known[moment % known.length] ?? ['', '']
    const act = { ...work, id: randomUUID(), day, operator, instant, state, promised: state !== 'waiting' }
    const beginning = { state, promised: act.promised, reason: null }
    await this.db.transaction((tx) => insertRecording(tx, toRecording(act, this.zone), beginning))
    this.acts.push(act)
  }

  private async end(act: Act, end: End): Promise<void> {
    const { id } = act
    await this.db.transaction(async (tx) => {
      if (end === 'deliver') await deliverRecording(tx, id, { message: 'ok', read: false, snapshot: null, at: 2 })
      else if (end === 'refuse') await refuseRecording(tx, id, 'não', 2)
      else if (end === 'promise') await promiseRecording(tx, id)
      else if (end === 'leave') await leaveUncertain(tx, id, 'sem resposta', 2)
      else if (end === 'restore') await restoreRecording(tx, id, 2)
      else await settlePending(tx, id, { state: end === 'mark' ? 'delivered' : 'discarded', at: 2 })
    })
    const needsPerson = act.state === 'parked' || act.state === 'uncertain'
    if (end === 'restore' && act.state === 'refused') Object.assign(act, { state: 'parked', promised: true })
    else if (end === 'discard' && needsPerson) act.state = 'discarded'
    else if (end === 'mark' && needsPerson) act.state = 'delivered'
    else if (act.state !== 'waiting') return
    else if (end === 'promise') act.promised = true
    else if (end === 'deliver') act.state = 'delivered'
    else if (end === 'leave') act.state = 'uncertain'
    else if (end === 'refuse') act.state = act.promised ? 'parked' : 'refused'
  }

  /** Whatever else was written wrong, the act stays its author's and its day's. */
  private async correct(original: Act, work: Work): Promise<void> {
    const { day, operator, instant } = original
    const act: Act = { ...work, id: randomUUID(), day, operator, instant, state: 'waiting', promised: true }
    await this.db.transaction(async (tx) => {
      const settled = await settlePending(tx, original.id, { state: 'superseded', supersededBy: act.id, at: 3 })
      expect(settled !== null).toBe(['parked', 'uncertain'].includes(original.state))
      if (!settled) return
      this.happened.add(`${original.state}, corrected`)
      original.state = 'superseded'
      this.acts.push(act)
      const { counted } = settled
      const cycle = counted?.unitKey === unitOf(act) ? counted.cycle : undefined
      await insertRecording(tx, toRecording(act, this.zone), { state: 'waiting', promised: true, reason: null, cycle })
    })
  }

  private async reset(name: string): Promise<void> {
    const by = { name, versionSeen: null, userId: 1, changedBy: 'Maria', at: 3 }
    await this.db.transaction((tx) => resetCounter(tx, by, { limitOfCrimps: 100, done: {} }))
  }
}

type Period = { from: string | undefined; to: string | undefined }
const within = (period: Period) => (act: Act) =>
  counts(act) && act.day >= (period.from ?? '') && act.day <= (period.to ?? '9999')

/** `name|month` and the crimps there, without what is 0. */
function crimpsBy(acts: Act[], nameOf: (act: Act) => string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const act of acts.filter(isCrimp)) {
    const key = `${nameOf(act)}|${act.day.slice(0, 7)}`
    sums[key] = (sums[key] ?? 0) + act.pieces
  }
  return sums
}

type Points = { mes: string; crimpagens: number }[]
const linesOf = (lines: { name: string; points: Points }[]) => {
  const cells = lines.flatMap(({ name, points }) => points.map((one) => [`${plain(name)}|${one.mes}`, one.crimpagens]))
  // a name that is there twice must not hide behind another
  expect(new Set(cells.map(([key]) => key)).size).toBe(cells.length)
  return Object.fromEntries(cells)
}

async function judgeCharts({ db, acts }: Plant, period: Period): Promise<void> {
  const inside = acts.filter(within(period))
  for (const unit of ['ma-0001', 'MA-0002 ', 'MA-0003']) {
    const own = inside.filter((act) => unitOf(act) === plain(unit))
    const { porMes, porTerminal } = await chartOfApplicator(db.read, unit, period)
    expect(linesOf([{ name: '', points: porMes }]), unit).toEqual(crimpsBy(own, () => ''))
    const lines = porTerminal.map(({ terminal: name, pontos: points }) => ({ name, points }))
    expect(linesOf(lines), unit).toEqual(crimpsBy(own, terminalOf))
  }
  for (const terminal of ['t1326030', 'X9 ', 'T0925590']) {
    const own = inside.filter((act) => terminalOf(act) === plain(terminal))
    const { porMes, porMiniAplicador } = await chartOfTerminal(db.read, terminal, period)
    expect(linesOf([{ name: '', points: porMes }]), terminal).toEqual(crimpsBy(own, () => ''))
    const lines = porMiniAplicador.map(({ miniAplicador: name, pontos: points }) => ({ name, points }))
    expect(linesOf(lines), terminal).toEqual(crimpsBy(own, (act) => unitOf(act) || 'sem cadastro'))
  }
}

async function judgeLists({ db, acts }: Plant): Promise<void> {
  const crimps = acts.filter((act) => counts(act) && isCrimp(act))
  const expected = (paired: string[], used: string[]) => [...new Set([...paired, ...used].map(plain))].toSorted()
  const terminals = await listChartTerminals(db.read)
  const paired = PAIRS.map(({ terminal }) => terminal)
  expect(terminals.map(plain).toSorted()).toEqual(expected(paired, crimps.map(terminalOf)))
  expect(terminals).toContain('T1326030')
  const units = (await listCrimpCounters(db.read)).map(({ miniaplicator }) => miniaplicator)
  const named = PAIRS.map(({ miniaplicator }) => miniaplicator)
  expect(units.map(plain).toSorted()).toEqual(expected(named, crimps.map(unitOf).filter(Boolean)))
}

const nameIn: Record<Exclude<Grouping, 'turno'>, (act: Act) => string> = {
  dia: ({ day }) => day,
  ordem: ({ orderNumber }) => orderNumber,
  maquina: ({ machine }) => machine,
  operador: ({ operator }) => operator,
  miniaplicador: unitOf,
  terminal: terminalOf,
}
type Amounts = Omit<ProductionLine, 'nome'>

const amountsOf = (acts: Act[]): Amounts => {
  const piecesOf = (...parts: Act['part'][]) =>
    acts.filter(({ part }) => parts.includes(part)).reduce((sum, { pieces }) => sum + pieces, 0)
  return {
    apontamentos: acts.length,
    cortes: piecesOf('cabo'),
    crimpagens: piecesOf('l1', 'l2'),
    juncoes: piecesOf('juncao'),
  }
}

async function judgeReports({ db, acts }: Plant, period: Period, branch: string | undefined): Promise<void> {
  const inside = acts.filter(within(period)).filter((act) => branch === undefined || act.branch === branch)
  for (const by of groupings) {
    if (by === 'turno') continue
    const report = await productionReport(db.read, { period, by, branch })
    const isTool = by === 'miniaplicador' || by === 'terminal'
    const lines = report.linhas.map(({ nome, ...amounts }) => [isTool ? plain(nome) : nome, amounts])
    expect(new Set(lines.map(([name]) => name)).size).toBe(lines.length)
    const own = Map.groupBy(inside, nameIn[by])
    const expected = [...own].map(([name, some]) => [name, amountsOf(some)])
    expect(Object.fromEntries(lines), by).toEqual(Object.fromEntries(expected))
    expect([report.totais, report.linhasTotal], by).toEqual([amountsOf(inside), own.size])
    const always = { from: undefined, to: undefined }
    const recorded = spanLines(db.read, { spans: [{ startMs: 0, endMs: Number.MAX_SAFE_INTEGER }], branch, by })
    const lean = async function* () {
      for await (const { span: _span, naoMedidos: _, ...line } of recorded) yield line
    }
    expect(await reportOf(db.read, by, lean()), 'recordings and the roll-up say the same').toEqual(
      await productionReport(db.read, { period: always, by, branch }),
    )
  }
}

const tables = ['recordings', 'crimp_ledger', 'applicator_units', 'applicators', 'daily_production'] as const

async function openEmpty(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of tables) await tx.deleteFrom(table).execute()
    for (const pair of PAIRS) await insertApplicator(tx, { ...pair, at: 1 })
  })
}

const historyArbitrary = fc.constantFrom(...(Object.keys(calendars) as Zone[])).chain((zone) => {
  const day = fc.option(fc.constantFrom(...Object.values(calendars[zone])), { nil: undefined })
  const period = fc.record({ from: day, to: day })
  const steps = fc.array(stepArbitrary, { minLength: 1, maxLength: 25, size: 'max' })
  return fc.record({
    zone: fc.constant(zone),
    steps,
    period,
    branch: fc.option(fc.constantFrom(...BRANCHES), { nil: undefined }),
  })
})

const outcomes = [
  'waiting, deliver: delivered',
  'waiting, refuse: refused',
  'waiting, refuse: parked',
  'refused, restore: parked',
  'parked, discard: discarded',
  'uncertain, discard: discarded',
  'uncertain, mark: delivered',
  'parked, corrected',
  'uncertain, corrected',
]

test.each<Database>(['sqlite', 'mariadb'])(
  'charts and reports are the count of what was done, on %s',
  async (database) => {
    const db = await openStore(database)
    const happened = new Set<string>()
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async ({ zone, steps, period, branch }) => {
        await openEmpty(db)
        const plant = new Plant(db, zone, happened)
        for (const step of steps) await plant.take(step)
        await judgeLists(plant)
        const whole = { from: undefined, to: undefined }
        for (const some of [whole, period]) {
          await judgeCharts(plant, some)
          await judgeReports(plant, some, branch)
        }
      }),
      { numRuns: RUNS[database], seed: SEED },
    )
    expect(outcomes.filter((outcome) => !happened.has(outcome))).toEqual([])
  },
)
