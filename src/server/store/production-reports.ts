import {
  type Grouping,
  type ProductionLine,
  type ProductionReport,
  type ProductionTotals,
  REPORT_LINES_MAX,
} from '../../contract/production-reports.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { compareNames } from '../../domain/people/names.ts'
import type { Span } from '../../domain/plant/shifts.ts'
import { isOfTime } from '../../domain/reports/production-reports.ts'
import { listProducedDays, type Period, productionIn } from './daily-production.ts'
import type { Reader } from './db/db.ts'
import { columns, spanLines } from './shift-reports.ts'
import { spellingOf } from './tool-names.ts'

type ReportQuery = { period: Period; by: Exclude<Grouping, 'turno'>; branch: string | undefined }

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

/** A recording and what undoes it have the same day, so no sum is torn. */
async function* dailySums(db: Reader, query: ReportQuery): AsyncGenerator<ProductionLine> {
  for await (const day of listProducedDays(db, query.period)) yield* await sumsOfDay(db, day, query)
}

const nothing = (): ProductionTotals => ({ apontamentos: 0, cortes: 0, crimpagens: 0, juncoes: 0 })

/** MariaDB gives sums as text. */
function add(totals: ProductionTotals, more: ProductionTotals): void {
  totals.apontamentos += Number(more.apontamentos)
  totals.cortes += Number(more.cortes)
  totals.crimpagens += Number(more.crimpagens)
  totals.juncoes += Number(more.juncoes)
}

export function addTotals(one: ProductionTotals, other: ProductionTotals): ProductionTotals {
  const sum = { ...one }
  add(sum, other)
  return sum
}

const isSomething = (totals: ProductionTotals) => Object.values(totals).some((amount) => amount !== 0)

type Lines = Map<string, ProductionTotals>

function addLine(lines: Lines, name: string, amounts: ProductionTotals): void {
  const line = lines.get(name) ?? nothing()
  lines.set(name, line)
  add(line, amounts)
}

/** There may be a hundred thousand orders: to compare so many as a person does would take seconds. */
const compareBytes = (one: string, other: string) => (one < other ? -1 : 1)

function compareLines(by: Grouping) {
  const compare = isOfTime(by) || by === 'ordem' ? compareBytes : compareNames
  return ({ nome: one }: ProductionLine, { nome: other }: ProductionLine) =>
    one === '' || other === '' ? other.length - one.length : compare(one, other)
}

export const productionReport = (db: Reader, query: ReportQuery): Promise<ProductionReport> =>
  reportOf(db, query.by, dailySums(db, query))

/** Totals of whole days. */
export async function productionTotals(db: Reader, query: Omit<ReportQuery, 'by'>): Promise<ProductionTotals> {
  const totals = nothing()
  for await (const sum of dailySums(db, { ...query, by: 'dia' })) add(totals, sum)
  return totals
}

type Whose = { branch: string | undefined; userId?: number }

/** Totals of spans, with what was not measured in them. */
export async function spanTotals(db: Reader, spans: readonly Span[], whose: Whose) {
  const totals = { ...nothing(), naoMedidos: 0 }
  for await (const sum of spanLines(db, { spans, ...whose, by: null })) {
    add(totals, sum)
    totals.naoMedidos += Number(sum.naoMedidos)
  }
  return totals
}

export async function reportOf(
  db: Reader,
  by: Grouping,
  sums: AsyncIterable<ProductionLine>,
): Promise<ProductionReport> {
  const written: Lines = new Map()
  for await (const sum of sums) addLine(written, sum.nome, sum)
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
