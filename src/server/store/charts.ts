import { sql } from 'kysely'
import { UNREGISTERED } from '../../contract/applicators.ts'
import type { ApplicatorChart, MonthOfCrimps, TerminalChart } from '../../contract/charts.ts'
import { compareNames } from '../../domain/names.ts'
import { nameKey } from '../../domain/recordings.ts'
import { type Period, productionIn } from './daily-production.ts'
import type { Reader } from './db.ts'
import { type Spelling, spellTerminals, spellUnits } from './tool-names.ts'

/** Below the depth at which MariaDB and MySQL break a recursion off. */
const TERMINALS_AT_ONCE = 500

/**
 * Steps through the index from one terminal to the next: read row by row, the terminals of a million rows would cost a
 * million rows.
 */
const terminalsAfter = (last: string) => sql<{ terminal: string; crimped: number }>`
  with recursive written (terminal, place) as (
    select min(terminal), 1 from daily_production where terminal > ${last}
    union all
    select (select min(d.terminal) from daily_production d where d.terminal > written.terminal), place + 1
    from written where terminal is not null and place < ${TERMINALS_AT_ONCE}
  )
  select terminal, exists (
    select 1 from daily_production d
    where d.terminal = written.terminal and d.part in ('l1', 'l2') and d.pieces > 0
  ) as crimped
  from written where terminal is not null order by terminal`

/** Every terminal of the roll-up, in every way in which it is written there. */
async function listWrittenTerminals(db: Reader): Promise<{ terminal: string; crimped: number }[]> {
  const all = []
  for (let last = ''; ; ) {
    const { rows } = await terminalsAfter(last).execute(db)
    all.push(...rows)
    if (rows.length < TERMINALS_AT_ONCE) return all
    last = rows.at(-1)?.terminal ?? last
  }
}

/** Those of pairs, and those with crimps. */
export async function listChartTerminals(db: Reader): Promise<string[]> {
  const pairs = await db.selectFrom('applicators').select('terminal').execute()
  const crimped = (await listWrittenTerminals(db)).filter((one) => one.crimped === 1)
  const written = [...pairs, ...crimped].map(({ terminal }) => terminal)
  const spell = await spellTerminals(db, written)
  return [...new Set(written.map(spell))].filter((name) => name !== '').toSorted(compareNames)
}

type Crimps = { month: string; name: string; crimps: number }

const crimpsByMonth = (db: Reader, period: Period) =>
  productionIn(db, period)
    .select([sql<string>`substr(production_day, 1, 7)`.as('month'), (e) => e.fn.sum<number>('pieces').as('crimps')])
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

export async function chartOfApplicator(db: Reader, name: string, period: Period): Promise<ApplicatorChart> {
  const key = nameKey(name)
  // the roll-up's empty key stands for no tool
  if (key === '') return { porMes: [], porTerminal: [] }
  const rows = await crimpsByMonth(db, period)
    .select('terminal as name')
    .groupBy('terminal')
    .where('unit_key', '=', key)
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

export async function chartOfTerminal(db: Reader, name: string, period: Period): Promise<TerminalChart> {
  const key = nameKey(name)
  const written = (await listWrittenTerminals(db)).map(({ terminal }) => terminal)
  const own = written.filter((terminal) => nameKey(terminal) === key)
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
