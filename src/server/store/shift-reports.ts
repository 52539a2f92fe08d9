import { setImmediate } from 'node:timers/promises'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Grouping, ProductionLine } from '../../contract/production-reports.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import type { Span } from '../../domain/plant/shifts.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { isOfPlant, listMachineNames } from './equipment.ts'

/** With the crimps of which somebody said that they were not measured. */
type SpanLine = ProductionLine & { naoMedidos: number }

/** As recordings and their daily roll-up both name them. */
export const columns = {
  dia: 'production_day',
  ordem: 'order_number',
  maquina: 'machine',
  operador: 'operator',
  miniaplicador: 'unit_key',
  terminal: 'terminal',
} as const satisfies Record<Exclude<Grouping, 'turno'>, keyof Tables['recordings'] & keyof Tables['daily_production']>

type Counted = ExpressionBuilder<Tables, 'recordings'>

const piecesOf = (e: Counted, ...parts: RecordedPart[]) =>
  e.fn.sum<number>(e.case().when('part', 'in', parts).then(e.ref('pieces')).else(0).end())

/** A force or a height that was left as it was proposed. */
const notMeasured = (e: Counted) =>
  e.fn.sum<number>(
    e
      .case()
      .when(e.or(['medidoForca', 'medidoAltura'].map((name) => e('capture_json', 'like', `%"${name}":false%`))))
      .then(1)
      .else(0)
      .end(),
  )

/** By nothing: one line a span. */
type SpanQuery = {
  spans: readonly Span[]
  branch: string | undefined
  by: keyof typeof columns | null
  /** Only of one person. */
  userId?: number
}

/**
 * What was recorded in each span, a line a value of the column. Read by the index of machines: only recordings know the time of
 * day. SQLite answers others between two spans.
 */
export async function* spanLines(
  db: Reader,
  { spans, branch, by, userId }: SpanQuery,
): AsyncGenerator<SpanLine & { span: Span }> {
  const names = await listMachineNames(db)
  if (names.length === 0) return
  for (const span of spans) {
    const name = by === null ? sql<string>`''` : sql.ref<string | null>(columns[by])
    let sums = db
      .selectFrom('recordings')
      .select(name.as('nome'))
      .select((e) => [
        e.fn.countAll<number>().as('apontamentos'),
        piecesOf(e, 'cabo').as('cortes'),
        piecesOf(e, 'l1', 'l2').as('crimpagens'),
        piecesOf(e, 'juncao').as('juncoes'),
        notMeasured(e).as('naoMedidos'),
      ])
      .where('machine', 'in', names)
      .where('counted', '=', 1)
      .where('part', '!=', 'recebimento')
      .where('recorded_at', '>=', span.startMs)
      .where('recorded_at', '<', span.endMs)
    if (branch !== undefined) sums = sums.where((e) => isOfPlant(e, branch))
    if (userId !== undefined) sums = sums.where('user_id', '=', userId)
    if (by !== null) sums = sums.groupBy(columns[by])
    for (const { nome, ...line } of await sums.execute()) yield { ...line, nome: nome ?? '', span }
    await setImmediate()
  }
}
