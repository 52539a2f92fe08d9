import type { Characteristic, Measurement } from '../../contract/measurements.ts'
import type { SeriesPoint, SignalCause } from '../../contract/spc.ts'
import { toInstant } from '../../domain/plant-time.ts'
import type { LimitBase, SeriesPlace } from '../../domain/spc.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import { measured, toMeasurement } from './measurements.ts'

/** A measurement with what a chart makes of it; epoch ms. */
export type StoredSample = {
  measurement: Measurement
  values: readonly number[]
  measuredAt: number
  isOut: boolean
  cause: SeriesPoint['causa']
}

type Row = Parameters<typeof toMeasurement>[0]

const toSample = (row: Row): StoredSample => {
  const measurement = toMeasurement(row)
  const { cause, cause_note: nota, cause_by: por, cause_at: at } = row
  return {
    measurement,
    values: measurement.valores,
    measuredAt: row.ordered_at,
    isOut: measurement.invalida !== null,
    cause: cause === null ? null : { causa: cause, nota: nota ?? '', por: por ?? '', em: toInstant(at ?? 0) },
  }
}

/** From an instant on and before another (epoch ms); open where one is missing. */
export type Span = { from?: number | undefined; before?: number | undefined }

const samplesOf = (db: Reader, { branch, unitKey, terminalKey, gaugeMilli, characteristic }: SeriesPlace) =>
  measured(db).where((e) =>
    e.and({
      'm.branch': branch,
      'm.counted': 1,
      'm.charted': 1,
      'm.unit_key': unitKey,
      'm.terminal_key': terminalKey,
      'm.gauge_milli': gaugeMilli,
      'm.characteristic': characteristic,
    }),
  )

/** The newest of a span, the oldest of them first. */
export async function listNewest(
  db: Reader,
  place: SeriesPlace,
  { from, before }: Span,
  countMax: number,
): Promise<StoredSample[]> {
  let query = samplesOf(db, place)
  if (from !== undefined) query = query.where('m.ordered_at', '>=', from)
  if (before !== undefined) query = query.where('m.ordered_at', '<', before)
  const rows = await query.orderBy('m.ordered_at', 'desc').orderBy('m.id', 'desc').limit(countMax).execute()
  return rows.map(toSample).reverse()
}

/** The first valid ones of a size. */
export async function listFirst(db: Reader, place: SeriesPlace, n: number, count: number): Promise<StoredSample[]> {
  const rows = await samplesOf(db, place)
    .where('m.n', '=', n)
    .where('m.invalid_at', 'is', null)
    .orderBy('m.ordered_at')
    .orderBy('m.id')
    .limit(count)
    .execute()
  return rows.map(toSample)
}

/** Measurements that are in no chart because nobody can say of which tool, terminal or gauge. */
export async function countWithoutSeries(db: Reader, branch: string): Promise<number> {
  const { count } = await db
    .selectFrom('measurements')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where((e) => e.and({ branch, counted: 1, charted: 0 }))
    .where((e) => e.or([e('unit_key', '=', ''), e('terminal_key', '=', ''), e('gauge_milli', 'is', null)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What limits come from, who set them (null: the panel) and why; epoch ms. */
export type StoredLimits = LimitBase & {
  version: number
  from: number
  until: number
  reason: string
  by: { userId: number; name: string } | null
  at: number
}

/** Those in force; null before the first ones. */
export async function findLimits(db: Reader, series: string): Promise<StoredLimits | null> {
  const row = await db
    .selectFrom('spc_limits')
    .selectAll()
    .where('series', '=', series)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { version, n, k, mean, range_mean: rangeMean, from_measured_at: from, until_measured_at: until } = row
  const by = row.set_user_id === null ? null : { userId: row.set_user_id, name: row.set_by }
  return { version, n, k, mean, rangeMean, from, until, reason: row.reason, by, at: row.at }
}

export const PANEL = 'painel'

/** `day`: of the plant. Throws a unique violation where somebody else was first. */
export async function insertLimits(
  tx: Tx,
  series: string,
  { version, n, k, mean, rangeMean, from, until, reason, by, at }: StoredLimits,
  day: string,
): Promise<void> {
  const base = { kind: n === 1 ? ('I-MR' as const) : ('X-R' as const), n, k, mean, range_mean: rangeMean }
  const span = { from_measured_at: from, until_measured_at: until }
  const set = { reason, set_by: by?.name ?? PANEL, set_user_id: by?.userId ?? null, at, day }
  await tx
    .insertInto('spc_limits')
    .values({ series, version, ...base, ...span, ...set })
    .execute()
}

export type Caused = Pick<Row, 'cause' | 'cause_note' | (typeof keyColumns)[number] | 'branch' | 'terminal' | 'unit'>

const keyColumns = ['unit_key', 'terminal_key', 'gauge_milli', 'characteristic'] as const

/** A measurement as its cause stands; null where there is none. */
export async function findCaused(db: Reader, actId: string, characteristic: Characteristic): Promise<Caused | null> {
  const row = await db
    .selectFrom('measurements')
    .select(['cause', 'cause_note', 'branch', 'terminal', 'unit', ...keyColumns])
    .where((e) => e.and({ act_id: actId, characteristic }))
    .executeTakeFirst()
  return row ?? null
}

export const saveCause = (
  tx: Tx,
  actId: string,
  characteristic: Characteristic,
  { cause, note, by, at }: { cause: SignalCause; note: string; by: string; at: number },
): Promise<boolean> =>
  tx
    .updateTable('measurements')
    .set({ cause, cause_note: note, cause_by: by, cause_at: at })
    .where((e) => e.and({ act_id: actId, characteristic }))
    .$call(changesOne)
