import { sql } from 'kysely'
import { UNREGISTERED } from '../../contract/applicators.ts'
import type { ApplicatorChart, MonthOfCrimps, TerminalChart } from '../../contract/charts.ts'
import { UNLIMITED } from '../../contract/crimp-counters.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { compareNames } from '../../domain/people/names.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { monthsOf, wearAtEnds } from '../../domain/reports/charts.ts'
import { crimpsIn } from './crimps-by-day.ts'
import { inPeriod, type Period, productionIn } from './daily-production.ts'
import type { Reader } from './db/db.ts'
import { type Spelling, spellTerminals, spellUnits } from './tool-names.ts'
import { listWritten, terminals, writtenValues } from './written-values.ts'

const isCrimpedOn = (part: 'l1' | 'l2') => sql`exists (
  select 1 from daily_production d where d.terminal = written.value and d.part = ${part} and d.pieces > 0
)`

/** Terminals that somebody crimped. */
async function listCrimpedTerminals(db: Reader): Promise<{ terminal: string }[]> {
  // each part by itself, and not as a condition: else MariaDB reads through the joints, or through every row
  const { rows } = await sql<{ terminal: string; crimped: number }>`
    select written.value as terminal, (${isCrimpedOn('l1')} or ${isCrimpedOn('l2')}) as crimped
    from (${writtenValues(db, terminals)}) as written order by terminal`.execute(db)
  return rows.filter(({ crimped }) => crimped === 1)
}

/** Terminals of registered pairs, and those with crimps. */
export async function listChartTerminals(db: Reader): Promise<string[]> {
  const pairs = await db.selectFrom('applicators').select('terminal').execute()
  const written = [...pairs, ...(await listCrimpedTerminals(db))].map(({ terminal }) => terminal)
  const spell = await spellTerminals(db, written)
  return [...new Set(written.map(spell))].filter((name) => name !== '').toSorted(compareNames)
}

const month = sql<string>`substr(production_day, 1, 7)`.as('month')

type Crimps = { month: string; name: string; crimps: number }

const crimpsByMonth = (db: Reader, period: Period) =>
  productionIn(db, period)
    .select([month, (e) => e.fn.sum<number>('pieces').as('crimps')])
    .where('part', 'in', ['l1', 'l2'])
    .groupBy('month')

function toMonths(rows: readonly Crimps[]): MonthOfCrimps[] {
  const months = new Map<string, number>()
  for (const { month, crimps } of rows) months.set(month, (months.get(month) ?? 0) + Number(crimps))
  return [...months]
    .filter(([, crimps]) => crimps !== 0)
    .map(([mes, crimpagens]) => ({ mes, crimpagens }))
    .toSorted((one, other) => (one.mes < other.mes ? -1 : 1))
}

/** One line for each name, without those that have no crimps. */
function toLines(rows: readonly Crimps[], spell: Spelling): { name: string; points: MonthOfCrimps[] }[] {
  const byName = Map.groupBy(rows, ({ name }) => spell(name))
  return [...byName]
    .map(([name, own]) => ({ name, points: toMonths(own) }))
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => compareNames(one.name, other.name))
}

/** With what it crimped and was thrown away, as its counter has it. */
export async function chartOfApplicator(
  db: Reader,
  name: string,
  period: Period,
): Promise<Pick<ApplicatorChart, 'porMes' | 'porTerminal'>> {
  const key = nameKey(name)
  // the roll-up's empty key stands for no tool
  if (key === '') return { porMes: [], porTerminal: [] }
  const rows = await crimpsIn(db, (days) => inPeriod(days, period).where('unit_key', '=', key))
    .select([month, (e) => e.fn.sum<number>('pieces').as('crimps'), 'terminal as name'])
    .groupBy(['month', 'terminal'])
    .execute()
  const spell = await spellTerminals(
    db,
    rows.map((row) => row.name),
  )
  return {
    porMes: toMonths(rows),
    porTerminal: toLines(rows, spell).map((line) => ({ terminal: line.name, pontos: line.points })),
  }
}

type Wear = Pick<ApplicatorChart, 'limite' | 'desdeManutencao'>

/** `porMes` is what the chart of the same period shows. */
export async function wearOfApplicator(
  db: Reader,
  name: string,
  { porMes, period, timeZone }: { porMes: readonly MonthOfCrimps[]; period: Period; timeZone: string },
): Promise<Wear> {
  const key = nameKey(name)
  const unit = await db
    .selectFrom('applicator_units')
    .select(['crimps', 'limit_crimps'])
    .where('name_key', '=', key)
    .executeTakeFirst()
  if (!unit) return { limite: null, desdeManutencao: [] }
  const limite = unit.limit_crimps === UNLIMITED ? null : unit.limit_crimps
  const months = monthsOf(porMes)
  const isUntilNow = period.to === undefined
  const crimps = isUntilNow ? porMes : (await chartOfApplicator(db, name, { from: period.from })).porMes
  const resets = await db
    .selectFrom('crimp_history')
    .select(['crimps', 'at'])
    .where('unit_key', '=', key)
    .where('change', '=', 'reset')
    .execute()
  const ended = resets.map((reset) => ({ mes: plantDay(reset.at, timeZone).slice(0, 7), crimpagens: reset.crimps }))
  return { limite, desdeManutencao: wearAtEnds(months, unit.crimps, { crimps, resets: ended }) }
}

export async function chartOfTerminal(db: Reader, name: string, period: Period): Promise<TerminalChart> {
  const key = nameKey(name)
  const own = (await listWritten(db, terminals)).filter((terminal) => nameKey(terminal) === key)
  if (own.length === 0) return { porMes: [], porMiniAplicador: [] }
  const rows = await crimpsByMonth(db, period)
    .select('unit_key as name')
    .groupBy('unit_key')
    .where('terminal', 'in', own)
    .execute()
  const spell = await spellUnits(db)
  return {
    porMes: toMonths(rows),
    porMiniAplicador: toLines(rows, (unit) => (unit === '' ? UNREGISTERED : spell(unit))).map((line) => ({
      miniAplicador: line.name,
      pontos: line.points,
    })),
  }
}
