import type { ExpressionBuilder } from 'kysely'
import type { Part } from '../../contract/items.ts'
import type { TraceMeasurement } from '../../contract/traces.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import { traceSample } from '../../domain/reports/trace-samples.ts'
import { findPlansOf, type StoredPlan } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

const selected = ['m.id', 'm.act_id', 'm.characteristic', 'm.readings_json', 'm.verdict', 'm.plan_id'] as const

const counting = (db: Reader) =>
  db.selectFrom('measurements as m').select(selected).where('m.counted', '=', 1).where('m.invalid_at', 'is', null)

type Row = Awaited<ReturnType<typeof listRows>>[number]

/** Each recording's own samples and those that it names, as they were taken. */
async function listRows(db: Reader, recordingIds: readonly string[]) {
  const own = await counting(db)
    .select('m.recording_id as recording')
    .where('m.recording_id', 'in', recordingIds)
    .execute()
  const named = await counting(db)
    .innerJoin('recording_measurements as l', 'l.act_id', 'm.act_id')
    .select('l.recording_id as recording')
    .where('l.recording_id', 'in', recordingIds)
    .execute()
  return [...own, ...named].sort((one, other) => one.id - other.id)
}

const gone = ['refused', 'superseded', 'discarded'] as const

const isOutside = ({ and, eb }: ExpressionBuilder<Tables & { m: Tables['measurements'] }, 'm'>) =>
  and([
    eb('m.counted', '=', 1),
    eb('m.invalid_at', 'is', null),
    eb('m.plan_id', 'is not', null),
    eb('m.verdict', '=', 'fora'),
  ])

/** Ends of items of which a recording has a sample outside its plan, by barcode. */
export async function listOutsideParts(
  db: Reader,
  { branch, barcodes }: { branch: string; barcodes: readonly string[] },
): Promise<Map<string, Part[]>> {
  const found = new Map<string, Part[]>()
  if (barcodes.length === 0) return found
  const recorded = db
    .selectFrom('recordings as r')
    .select(['r.barcode', 'r.part'])
    .distinct()
    .where('r.branch', '=', branch)
    .where('r.barcode', 'in', barcodes)
    .where('r.part', 'in', ['l1', 'l2'])
    .where('r.state', 'not in', gone)
  const own = await recorded.innerJoin('measurements as m', 'm.recording_id', 'r.id').where(isOutside).execute()
  const named = await recorded
    .innerJoin('recording_measurements as l', 'l.recording_id', 'r.id')
    .innerJoin('measurements as m', 'm.act_id', 'l.act_id')
    .where(isOutside)
    .execute()
  for (const { barcode, part } of [...own, ...named]) {
    const ends = found.get(barcode) ?? []
    if (!ends.includes(part as Part)) found.set(barcode, [...ends, part as Part])
  }
  return found
}

type Judged = Pick<Row, 'characteristic' | 'readings_json' | 'verdict' | 'plan_id'>

export function toMeasurement(
  { characteristic, readings_json, verdict, plan_id }: Judged,
  plans: ReadonlyMap<number, StoredPlan>,
) {
  const stored = plans.get(plan_id ?? 0)
  return traceSample(
    { characteristic, readings: JSON.parse(readings_json) as number[], isOut: verdict === 'fora' },
    stored ? { version: stored.version, limits: limitsOf(stored.plan, characteristic, { forceMin: null }) } : null,
  )
}

/** By recording; of one that measured nothing there is nothing. */
export async function listTraceMeasurements(
  db: Reader,
  recordingIds: readonly string[],
): Promise<Map<string, TraceMeasurement[]>> {
  const found = new Map<string, TraceMeasurement[]>()
  if (recordingIds.length === 0) return found
  const rows = await listRows(db, recordingIds)
  const plans = await findPlansOf(db, rows)
  for (const row of rows) {
    if (row.recording === null) continue
    const isTyped = row.recording === row.act_id
    const said = { ...toMeasurement(row, plans), ...(isTyped && { digitada: true as const }) }
    found.set(row.recording, [...(found.get(row.recording) ?? []), said])
  }
  return found
}
