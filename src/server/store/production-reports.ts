import { setImmediate } from 'node:timers/promises'
import {
  type Grouping,
  type ProductionLine,
  type ProductionReport,
  type ProductionTotals,
  REPORT_LINES_MAX,
} from '../../contract/production-reports.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { compareNames } from '../../domain/people/names.ts'
import { type Period, productionIn } from './daily-production.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { type Spelling, spellTerminals, spellUnits } from './tool-names.ts'

type ReportQuery = { period: Period; by: Grouping; branch: string | undefined }

const columns = {
  dia: 'production_day',
  ordem: 'order_number',
  maquina: 'machine',
  operador: 'operator',
  miniaplicador: 'unit_key',
  terminal: 'terminal',
} as const satisfies Record<Grouping, keyof Tables['daily_production']>

async function sumsOfDay(db: Reader, day: string, { by, branch }: ReportQuery): Promise<ProductionLine[]> {
  const sums = productionIn(db, { from: day, to: day })
    .select(`${columns[by]} as nome`)
    .select((e) => {
      const piecesOf = (...parts: RecordedPart[]) =>
        e.fn.sum<number>(e.case().when('part', 'in', parts).then(e.ref('pieces')).else(0).end())
      return [
        e.fn.sum<number>('recordings').as('apontamentos'),
        piecesOf('cabo').as('cortes'),
        piecesOf('l1', 'l2').as('crimpagens'),
        piecesOf('juncao').as('juncoes'),
      ]
    })
    .groupBy(columns[by])
  return await (branch === undefined ? sums : sums.where('branch', '=', branch)).execute()
}

/**
 * Reads day by day, since SQLite answers nobody else meanwhile. A recording and what undoes it have the same day, so no sum
 * is torn.
 */
async function* dailySums(db: Reader, query: ReportQuery): AsyncGenerator<ProductionLine> {
  let rest = productionIn(db, query.period)
  for (;;) {
    const { day } = await rest
      .select((e) => e.fn.min<string | null>('production_day').as('day'))
      .executeTakeFirstOrThrow()
    if (day === null) return
    yield* await sumsOfDay(db, day, query)
    // with both lower bounds SQLite would begin at the earlier one each time
    rest = productionIn(db, { to: query.period.to }).where('production_day', '>', day)
    await setImmediate()
  }
}

const nothing = (): ProductionTotals => ({ apontamentos: 0, cortes: 0, crimpagens: 0, juncoes: 0 })

/** MariaDB gives sums as text. */
function add(totals: ProductionTotals, more: ProductionTotals): void {
  totals.apontamentos += Number(more.apontamentos)
  totals.cortes += Number(more.cortes)
  totals.crimpagens += Number(more.crimpagens)
  totals.juncoes += Number(more.juncoes)
}

const isSomething = (totals: ProductionTotals) => Object.values(totals).some((amount) => amount !== 0)

type Lines = Map<string, ProductionTotals>

function addLine(lines: Lines, name: string, amounts: ProductionTotals): void {
  const line = lines.get(name) ?? nothing()
  lines.set(name, line)
  add(line, amounts)
}

async function spellingOf(db: Reader, by: Grouping, names: string[]): Promise<Spelling> {
  if (by === 'miniaplicador') return await spellUnits(db)
  return by === 'terminal' ? await spellTerminals(db, names) : (name) => name
}

/** There may be a hundred thousand orders: to compare so many as a person does would take seconds. */
const compareBytes = (one: string, other: string) => (one < other ? -1 : 1)

function compareLines(by: Grouping) {
  const compare = by === 'dia' || by === 'ordem' ? compareBytes : compareNames
  return ({ nome: one }: ProductionLine, { nome: other }: ProductionLine) =>
    one === '' || other === '' ? other.length - one.length : compare(one, other)
}

export async function productionReport(db: Reader, query: ReportQuery): Promise<ProductionReport> {
  const { by } = query
  const written: Lines = new Map()
  for await (const sum of dailySums(db, query)) addLine(written, sum.nome, sum)
  const spell = await spellingOf(db, by, [...written.keys()])
  const spelled: Lines = new Map()
  for (const [name, amounts] of written) addLine(spelled, spell(name), amounts)
  const lines = [...spelled]
    .filter(([, amounts]) => isSomething(amounts))
    .map(([nome, amounts]) => ({ nome, ...amounts }))
    .toSorted(compareLines(by))
  const totals = nothing()
  for (const line of lines) add(totals, line)
  return { linhas: lines.slice(0, REPORT_LINES_MAX), totais: totals, linhasTotal: lines.length }
}
