import type { Characteristic, Measurement } from '../../contract/measurements.ts'
import type { SignalCause } from '../../contract/spc.ts'
import type { LimitBase, SeriesPlace, Signal } from '../../domain/reports/spc.ts'
import { countsRows, insertsNew, type Reader, type Tx } from './db/db.ts'
import { samplesOf, toMeasurement } from './measurements.ts'

/** Why a point lies where it lies, as somebody has said; epoch ms. */
export type Cause = {
  cause: SignalCause
  note: string
  by: string
  userId: number | null
  /** Null: of a version before, which did not know. */
  isQuality: boolean | null
  at: number
}

/** A measurement with what a chart makes of it; epoch ms. */
export type StoredSample = {
  measurement: Measurement
  values: readonly number[]
  measuredAt: number
  isOut: boolean
  /** Causes, quality's before the others', the newest of each first. */
  causes: readonly Cause[]
}

type Row = Parameters<typeof toMeasurement>[0]

/** A server of the version before in the same plant goes on writing it there. */
const causeOfBefore = ({ cause, cause_note: note, cause_by: by, cause_at: at }: CausedRow): Cause[] =>
  cause === null ? [] : [{ cause, note: note ?? '', by: by ?? '', userId: null, isQuality: null, at: at ?? 0 }]

/** A cause of unknown author ranks below quality's and above an operator's. */
const rankOf = ({ isQuality }: Cause): number => (isQuality === null ? 1 : isQuality ? 2 : 0)

const toSample = (row: Row, causes: readonly Cause[]): StoredSample => {
  const measurement = toMeasurement(row)
  return {
    measurement,
    values: measurement.valores,
    measuredAt: row.ordered_at,
    isOut: measurement.invalida !== null,
    causes,
  }
}

const sorted = (causes: readonly Cause[]): Cause[] =>
  causes.toSorted((one, other) => rankOf(other) - rankOf(one) || other.at - one.at)

type OfReading = CausedRow & { act_id: string; characteristic: Characteristic }

const readingKey = ({ act_id, characteristic }: Pick<OfReading, 'act_id' | 'characteristic'>): string =>
  `${act_id} ${characteristic}`

/** Causes of each reading of some acts: quality's before the others', the newest of each first. */
export async function findCauses(db: Reader, actIds: readonly string[]): Promise<(row: OfReading) => readonly Cause[]> {
  const rows =
    actIds.length === 0
      ? []
      : await db.selectFrom('measurement_causes').selectAll().where('act_id', 'in', actIds).orderBy('id').execute()
  const lines = Map.groupBy(rows, readingKey)
  return (row) => {
    const own = (lines.get(readingKey(row)) ?? []).map(({ cause, note, noted_by: by, user_id: userId, ...line }) => ({
      ...{ cause, note, by, userId, isQuality: line.by_quality === 1, at: line.at },
    }))
    return sorted([...causeOfBefore(row), ...own])
  }
}

/** From an instant on and before another (epoch ms); open where one is missing. */
export type Span = { from?: number | undefined; before?: number | undefined }

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
  const causesOf = await findCauses(
    db,
    rows.map(({ act_id }) => act_id),
  )
  return rows.map((row) => toSample(row, causesOf(row))).reverse()
}

/** The first valid ones of a size; of why they lie there nothing is read. */
export async function listFirst(db: Reader, place: SeriesPlace, n: number, count: number): Promise<StoredSample[]> {
  const rows = await samplesOf(db, place)
    .where('m.n', '=', n)
    .where('m.invalid_at', 'is', null)
    .orderBy('m.ordered_at')
    .orderBy('m.id')
    .limit(count)
    .execute()
  return rows.map((row) => toSample(row, causeOfBefore(row)))
}

/** Measurements that are in no chart because nobody can say of which tool, terminal or gauge. */
export const countWithoutSeries = (db: Reader, branch: string): Promise<number> =>
  db
    .selectFrom('measurements')
    .where((e) => e.and({ branch, counted: 1, charted: 0 }))
    .where((e) => e.or([e('unit_key', '=', ''), e('terminal_key', '=', ''), e('gauge_milli', 'is', null)]))
    .$call(countsRows)

/** Limits with their base, their author (null: the panel) and reason; epoch ms. */
export type StoredLimits = LimitBase & {
  version: number
  from: number
  until: number
  reason: string
  by: { userId: number; name: string } | null
  at: number
}

/** Limits in force; null before the first ones. */
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

/** A measurement with what was said of it. */
type Caused = Pick<Row, (typeof keyColumns)[number] | 'branch' | 'terminal' | 'unit'> & { causes: readonly Cause[] }

const keyColumns = ['unit_key', 'terminal_key', 'gauge_milli', 'characteristic'] as const
const causeColumns = ['cause', 'cause_note', 'cause_by', 'cause_at'] as const
type CausedRow = Pick<Row, (typeof causeColumns)[number]>

/** Null where there is no such measurement. */
export async function findCaused(db: Reader, actId: string, characteristic: Characteristic): Promise<Caused | null> {
  const row = await db
    .selectFrom('measurements')
    .select(['branch', 'terminal', 'unit', ...keyColumns, ...causeColumns])
    .where((e) => e.and({ act_id: actId, characteristic }))
    .executeTakeFirst()
  if (!row) return null
  const causesOf = await findCauses(db, [actId])
  return { ...row, causes: causesOf({ ...row, act_id: actId }) }
}

export async function insertCause(
  tx: Tx,
  actId: string,
  characteristic: Characteristic,
  { cause, note, by, userId, isQuality, at }: Cause,
): Promise<void> {
  const said = { cause, note, noted_by: by, user_id: userId, by_quality: isQuality ? 1 : 0, at }
  await tx
    .insertInto('measurement_causes')
    .values({ act_id: actId, characteristic, ...said })
    .execute()
}

/** Which points of a series were signals when they were seen, by act. */
export async function listSeen(db: Reader, series: string): Promise<Map<string, Signal[]>> {
  const rows = await db.selectFrom('spc_signals').selectAll().where('series', '=', series).orderBy('id').execute()
  const seen = new Map<string, Signal[]>()
  for (const { act_id, rule, chart } of rows) seen.set(act_id, [...(seen.get(act_id) ?? []), { rule, chart }])
  return seen
}

/** Inserts signals, some of which another server may have inserted just now. */
export async function insertSeen(
  tx: Tx,
  series: string,
  seen: readonly (Signal & { actId: string })[],
  at: number,
): Promise<void> {
  for (const { actId, rule, chart } of seen) {
    await tx.insertInto('spc_signals').values({ series, act_id: actId, rule, chart, seen_at: at }).$call(insertsNew)
  }
}
