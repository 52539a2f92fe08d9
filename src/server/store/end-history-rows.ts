import type { Selectable } from 'kysely'
import type { HistoryEnd, HistoryEntry, LookedReading } from '../../contract/end-histories.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { findPlansOf } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { toMeasurement } from './trace-measurements.ts'

/** Ordered as the newest is told: by the smaller of when something was done and received. */
export type Placed<Entry extends HistoryEntry> = { at: number; entry: Entry }

export type SampleRow = Selectable<Tables['measurements']>

/** By item or order, each of which its table has an index of. */
export const ofEnd = ({ filial, parte, ordem, codigoBarras, posicao }: HistoryEnd) =>
  parte === 'juncao'
    ? { branch: filial, order_number: ordem, position: posicao }
    : { branch: filial, barcode: codigoBarras }

const readingColumns = [
  ...(['act_id', 'branch', 'part', 'characteristic', 'readings_json', 'verdict', 'plan_id'] as const),
  ...(['unit_key', 'terminal_key', 'gauge_milli', 'machine', 'measured_at', 'ordered_at'] as const),
] as const

export const readings = (db: Reader) => db.selectFrom('measurements').select(readingColumns).orderBy('id')
type ReadingRow = Awaited<ReturnType<ReturnType<typeof readings>['execute']>>[number]

/** How each was read and limited, by its plan's version. */
export async function wordReadings(db: Reader, rows: readonly ReadingRow[]): Promise<Map<ReadingRow, LookedReading>> {
  const plans = await findPlansOf(db, rows)
  return new Map(
    rows.map((row) => [row, { ...toMeasurement(row, plans), ato: row.act_id, em: toInstant(row.measured_at) }]),
  )
}

/** Readings of some samples, by their ids, as they were typed. */
export async function readActs(db: Reader, acts: readonly string[]): Promise<Map<string, LookedReading[]>> {
  const rows = acts.length === 0 ? [] : await readings(db).where('act_id', 'in', acts).execute()
  const worded = await wordReadings(db, rows)
  const byAct = Map.groupBy(rows, ({ act_id }) => act_id)
  return new Map([...byAct].map(([act, own]) => [act, own.flatMap((row) => worded.get(row) ?? [])]))
}
