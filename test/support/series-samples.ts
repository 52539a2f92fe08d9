import { randomUUID } from 'node:crypto'
import { nameKey } from '../../src/domain/acts/recordings.ts'
import { plantDay } from '../../src/domain/plant/plant-time.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import type { Tables } from '../../src/server/store/db/tables.ts'
import { noteSeriesChanged } from '../../src/server/store/spc-series.ts'
import { NOON_MS, ORDER, UNTOUCHED } from './harness.ts'

type Row = Omit<Tables['measurements'], 'id' | 'ordered_at'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The first of a series' samples; one an hour follows. */
export const FIRST_SAMPLE_MS = NOON_MS - 10 * DAY_MS

const common: Omit<
  Row,
  'act_id' | 'content_hash' | 'readings_json' | 'n' | 'sum_milli' | 'min_milli' | 'max_milli' | 'measured_day'
> = {
  characteristic: 'altura',
  recording_id: null,
  branch: '010101',
  order_number: ORDER,
  barcode: UNTOUCHED,
  position: '',
  part: 'l1',
  terminal: 'T1326030',
  terminal_key: 't1326030',
  gauge_milli: 500,
  unit: 'MA-0001',
  unit_key: 'ma-0001',
  unit_cycle: 1,
  machine: 'KX0001 - Komax',
  lot: 'L-1',
  shift: '2026-11-21#1',
  occasion: 'a-cada',
  instrument: 'MIC-ALT-01',
  source: 'operador',
  plan_id: null,
  verdict: 'sem-plano',
  action: null,
  findings: '',
  operator: 'Maria Souza',
  user_id: 1,
  measured_at: FIRST_SAMPLE_MS,
  received_at: FIRST_SAMPLE_MS,
  counted: 1,
  charted: 1,
  ...{ invalid_reason: null, invalid_by: null, invalid_at: null },
  ...{ cause: null, cause_note: null, cause_by: null, cause_at: null },
}

/** A sample of whole thousandths as it is stored. */
export function sampleOf(values: readonly number[], given: Partial<Row> = {}): Row {
  const at = given.measured_at ?? common.measured_at
  const id = given.act_id ?? randomUUID()
  return {
    ...common,
    received_at: at,
    measured_day: plantDay(at, 'America/Sao_Paulo'),
    ...(given.unit === undefined ? {} : { unit_key: nameKey(given.unit) }),
    ...{ act_id: id, content_hash: id, readings_json: JSON.stringify(values), n: values.length },
    sum_milli: values.reduce((sum, value) => sum + value, 0),
    ...{ min_milli: Math.min(...values), max_milli: Math.max(...values) },
    ...given,
  }
}

/** Stores samples, one an hour unless they say another time. */
export async function storeSamples(
  db: Db,
  all: readonly (readonly number[])[],
  given: Partial<Row> = {},
): Promise<Row[]> {
  const from = given.measured_at ?? FIRST_SAMPLE_MS
  const rows = all.map((values, at) => sampleOf(values, { ...given, measured_at: from + at * HOUR_MS }))
  await db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += 50) {
      await tx
        .insertInto('measurements')
        .values(rows.slice(at, at + 50))
        .execute()
    }
    await noteSeriesChanged(tx, rows)
  })
  return rows
}

/** Inside plan 1, at noon, for tests of what is made of samples. */
export const sampleRow = (more: Partial<Row> = {}): Row =>
  sampleOf([1100], {
    plan_id: 1,
    verdict: 'dentro',
    measured_at: NOON_MS,
    lot: 'B23-004517/2',
    shift: '2026-11-21#0',
    ...more,
  })
