import { hash } from 'node:crypto'
import { type SeriesPlace, seriesKeyOf } from '../../domain/reports/spc.ts'
import { compiledChange, type Place } from './db/compiled.ts'
import { insertsNew, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Row = Tables['spc_series']

export const seriesHash = (place: SeriesPlace): string => hash('sha256', seriesKeyOf(place), 'hex')

/** Keys of a measurement, which is in no series where one of them is missing. */
type KeyedRow = Pick<
  Tables['measurements'],
  'branch' | 'unit' | 'unit_key' | 'terminal' | 'terminal_key' | 'characteristic'
> & { gauge_milli?: number | null }

/** A series with its names. */
type ListedSeries = { place: SeriesPlace; unit: string; terminal: string }

const seriesOf = (row: KeyedRow): ListedSeries | null => {
  const { branch, unit, terminal, unit_key: unitKey, terminal_key: terminalKey, characteristic } = row
  const gaugeMilli = row.gauge_milli ?? null
  if (unitKey === '' || terminalKey === '' || gaugeMilli === null) return null
  return { place: { branch, unitKey, terminalKey, gaugeMilli, characteristic }, unit, terminal }
}

const noSummary = {
  samples: 0,
  machine: '',
  measured_at: null,
  readings: 0,
  mean: 0,
  sigma: 0,
  signals_json: '[]',
  asks_limits: 0,
}

async function ensureSeries(tx: Tx, series: string, { place, unit, terminal }: ListedSeries): Promise<void> {
  const { branch, unitKey, terminalKey, gaugeMilli, characteristic } = place
  const keys = { branch, unit_key: unitKey, terminal_key: terminalKey, gauge_milli: gaugeMilli, characteristic }
  await tx
    .insertInto('spc_series')
    .values({ series, ...keys, unit, terminal, changes: 0, summed_changes: 0, ...noSummary })
    .$call(insertsNew)
}

/** Two at once, for a recording measures no more; of one alone both are the same. */
const addChange = compiledChange((tx, value: Place<{ one: string; other: string }>) =>
  tx
    .updateTable('spc_series')
    .set((e) => ({ changes: e('changes', '+', 1) }))
    .where('series', 'in', [value('one'), value('other')]),
)

/**
 * Marks the series of changed measurements, in the commit that adds, counts, un-counts, invalidates or explains them;
 * the list sums them up anew.
 */
export async function noteSeriesChanged(tx: Tx, rows: readonly KeyedRow[]): Promise<void> {
  const changed = new Map<string, ListedSeries>()
  for (const row of rows) {
    const series = seriesOf(row)
    if (series) changed.set(seriesHash(series.place), series)
  }
  if (changed.size === 0) return
  // always in one order, so that no two wait for each other
  const sorted = [...changed].sort(([one], [other]) => (one < other ? -1 : 1))
  const add = async () => {
    let count = 0
    for (let at = 0; at < sorted.length; at += 2) {
      const [one = '', other = one] = sorted.slice(at, at + 2).map(([series]) => series)
      count += await addChange(tx, { one, other })
    }
    return count
  }
  if ((await add()) === sorted.length) return
  for (const [hash, series] of sorted) await ensureSeries(tx, hash, series)
  // of those that were there once more: the number says only that something changed
  await add()
}

/** Summary of a series. Instants are epoch ms. */
export type SeriesSummary = {
  samples: number
  machine: string
  measuredAt: number | null
  readings: number
  mean: number
  sigma: number
  signalsAt: readonly number[]
  /** Other limits are to be set: most of the newest samples are of another size. */
  asksLimits: boolean
}

export type SummedSeries = ListedSeries & { series: string; changes: number; summary: SeriesSummary }

const toSummed = (row: Row): SummedSeries => ({
  place: {
    branch: row.branch,
    unitKey: row.unit_key,
    terminalKey: row.terminal_key,
    gaugeMilli: row.gauge_milli,
    characteristic: row.characteristic,
  },
  unit: row.unit,
  terminal: row.terminal,
  series: row.series,
  changes: row.changes,
  summary: {
    samples: row.samples,
    machine: row.machine,
    measuredAt: row.measured_at,
    readings: row.readings,
    mean: row.mean,
    sigma: row.sigma,
    // most have none, and there may be ten thousand
    signalsAt: row.signals_json === '[]' ? [] : (JSON.parse(row.signals_json) as number[]),
    asksLimits: row.asks_limits === 1,
  },
})

/** Series with samples, in no order. */
export async function listSeries(db: Reader, branch: string): Promise<SummedSeries[]> {
  const rows = await db
    .selectFrom('spc_series')
    .selectAll()
    .where('branch', '=', branch)
    .where('samples', '>', 0)
    .execute()
  return rows.map(toSummed)
}

export async function findSeries(db: Reader, place: SeriesPlace): Promise<SummedSeries | null> {
  const row = await db.selectFrom('spc_series').selectAll().where('series', '=', seriesHash(place)).executeTakeFirst()
  return row ? toSummed(row) : null
}

/** Hashes of those places at which something was measured. */
export async function listMeasured(db: Reader, places: readonly SeriesPlace[]): Promise<Set<string>> {
  const hashes = [...new Set(places.map(seriesHash))]
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('spc_series').select('series').where('series', 'in', hashes).execute()
  return new Set(rows.map(({ series }) => series))
}

/** Some that were changed since they were summed up, those after a hash in their order. */
export async function listUnsummed(db: Reader, countMax: number, after: string): Promise<SummedSeries[]> {
  const rows = await db
    .selectFrom('spc_series')
    .selectAll()
    .whereRef('changes', '<>', 'summed_changes')
    .where('series', '>', after)
    .orderBy('series')
    .limit(countMax)
    .execute()
  return rows.map(toSummed)
}

/** `changes`: as it was before its samples were read; a later change is summed up by the next one. */
export async function saveSummary(
  tx: Tx,
  { series, changes }: Pick<SummedSeries, 'series' | 'changes'>,
  { measuredAt, signalsAt, asksLimits, ...summary }: SeriesSummary,
): Promise<void> {
  await tx
    .updateTable('spc_series')
    .set({ ...summary, measured_at: measuredAt, signals_json: JSON.stringify(signalsAt) })
    .set({ asks_limits: asksLimits ? 1 : 0, summed_changes: changes })
    .where('series', '=', series)
    .execute()
}
