import type { ExpressionBuilder, Insertable, Selectable } from 'kysely'
import { type Finding, type Measurement, RECENT_SAMPLES_MAX } from '../../contract/measurements.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import type { SeriesPlace } from '../../domain/reports/spc.ts'
import { compiled, insertRows, type Place } from './db/compiled.ts'
import type { Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { noteChanges } from './live-changes.ts'
import { insertOutside } from './outside-acts.ts'
import { noteSubjects } from './sample-subjects.ts'
import { slicesOf } from './slices.ts'
import { noteSeriesChanged } from './spc-series.ts'

type Row = Selectable<Tables['measurements']> & { plan_version: number | null; invalid_own: number | null }

export type ActRow = Row & { height_nominal_milli: number | null }

export type NewMeasurement = Insertable<Tables['measurements']>

/** Findings as a row keeps them. */
export const wordsOf = (findings: string): Finding[] => findings.split(' ').filter(Boolean) as Finding[]

export const toMeasurement = (row: Row): Measurement => ({
  id: row.act_id,
  caracteristica: row.characteristic,
  filial: row.branch,
  ordem: row.order_number,
  codigoBarras: row.barcode,
  posicao: row.position,
  parte: row.part,
  terminal: row.terminal,
  bitolaMilli: row.gauge_milli,
  miniaplicador: row.unit,
  ciclo: row.unit_cycle,
  maquina: row.machine,
  lote: row.lot,
  turno: row.shift,
  ocasiao: row.occasion,
  instrumento: row.instrument,
  valores: JSON.parse(row.readings_json) as number[],
  veredito: row.verdict,
  plano: row.plan_id === null ? null : { id: row.plan_id, version: row.plan_version ?? 0 },
  acao: row.action,
  apontamentos: wordsOf(row.findings),
  operador: row.operator,
  medidoEm: toInstant(row.measured_at),
  ...(row.recording_id === null ? {} : { digitado: true as const }),
  recebidoEm: toInstant(row.received_at),
  invalida:
    row.invalid_at === null
      ? null
      : {
          motivo: row.invalid_reason ?? '',
          por: row.invalid_by ?? '',
          em: toInstant(row.invalid_at),
          porQuemMediu: row.invalid_own === 1,
        },
})

const measured = (db: Reader) =>
  db
    .selectFrom('measurements as m')
    .leftJoin('control_plans as p', 'p.id', 'm.plan_id')
    .selectAll('m')
    .select('p.version as plan_version')
    .select((e) =>
      e
        .case()
        .when('m.invalid_at', 'is not', null)
        .then(
          e
            .selectFrom('invalidations as i')
            .select('i.own')
            .whereRef('i.act_id', '=', 'm.act_id')
            .orderBy('i.id', 'desc')
            .limit(1),
        )
        .end()
        .as('invalid_own'),
    )

/** Throws a unique violation when the act is stored already. */
export async function insertMeasurements(tx: Tx, rows: readonly NewMeasurement[]): Promise<void> {
  await insertRows(tx, 'measurements', rows)
  await insertOutside(
    tx,
    rows.filter(({ verdict }) => verdict === 'fora'),
  )
  await noteSubjects(tx, rows)
  await noteSeriesChanged(tx, rows)
}

/** The samples of one act; null where nobody has stored it. */
export async function findAct(
  db: Reader,
  id: string,
): Promise<{ contentHash: string; measurements: Measurement[]; rows: Row[] } | null> {
  const rows = await measured(db).where('m.act_id', '=', id).orderBy('m.id').execute()
  const [first] = rows
  return first ? { contentHash: first.content_hash, measurements: rows.map(toMeasurement), rows } : null
}

const LISTED_MAX = 1000

type Listed = { 'm.branch': string } & ({ 'm.barcode': string } | { 'm.order_number': string; 'm.position': string })

/** Samples of an item or a junction, the newest first. A recording's own ones are shown as long as it counts. */
export async function listMeasurements(db: Reader, of: Listed): Promise<Measurement[]> {
  const rows = await measured(db)
    .where((e) => e.and(of))
    .where((e) => e.or([e('m.counted', '=', 1), e('m.recording_id', 'is', null)]))
    .orderBy('m.ordered_at', 'desc')
    .orderBy('m.id')
    .limit(LISTED_MAX)
    .execute()
  return rows.map(toMeasurement)
}

/** All of a control chart. */
export const samplesOf = (db: Reader, { branch, unitKey, terminalKey, gaugeMilli, characteristic }: SeriesPlace) =>
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

/** The newest valid ones of a control chart, the oldest of them first. */
export async function listRecent(db: Reader, series: SeriesPlace): Promise<Measurement[]> {
  const rows = await samplesOf(db, series)
    .where('m.invalid_at', 'is', null)
    .orderBy('m.ordered_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(RECENT_SAMPLES_MAX)
    .execute()
  return rows.map(toMeasurement).toReversed()
}

/** An order's work with one gauge. A terminal has one gauge in an order, or few. */
type MeasuredWork = { branch: string; orderNumber: string; gauge: number; parts: Measurement['parte'][] }

/** All of an order that count, the newest first. */
export async function listSamples(db: Reader, { branch, orderNumber, gauge, parts }: MeasuredWork) {
  const rows = await measured(db)
    .where((e) => e.and({ 'm.branch': branch, 'm.order_number': orderNumber, 'm.gauge_milli': gauge, 'm.counted': 1 }))
    .where('m.part', 'in', parts)
    .where('m.invalid_at', 'is', null)
    .orderBy('m.ordered_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(LISTED_MAX)
    .execute()
  return rows.map((row) => ({
    measurement: toMeasurement(row),
    terminalKey: row.terminal_key,
    unitKey: row.unit_key,
    measuredAt: row.ordered_at,
    recordingId: row.recording_id,
  }))
}

/** The smaller of when pieces were recorded and received: one of a clock that ran ahead is brought back. */
export const doneAt = (e: ExpressionBuilder<Tables, 'recordings'>) =>
  e.case().when('received_at', '<', e.ref('recorded_at')).then(e.ref('received_at')).else(e.ref('recorded_at')).end()

/** Good pieces of an order so far, and when the last of them were recorded, by terminal and tool. */
export async function listMade(db: Reader, { branch, orderNumber, gauge, parts }: MeasuredWork) {
  const rows = await db
    .selectFrom('recordings')
    .select(['terminal', 'unit_key'])
    .select((e) => [e.fn.sum<number>('pieces').as('pieces'), e.fn.max<number>(doneAt(e)).as('last')])
    .where((e) => e.and({ branch, order_number: orderNumber, gauge_milli: gauge, counted: 1 }))
    .where('part', 'in', parts)
    .groupBy(['terminal', 'unit_key'])
    .execute()
  return rows.map(({ terminal, unit_key, pieces, last }) => ({
    terminalKey: nameKey(terminal),
    unitKey: unit_key ?? '',
    pieces: Number(pieces),
    lastAt: Number(last),
  }))
}

/** Tools as they are now, by the key of their name. */
export async function findTools(db: Reader, keys: readonly string[]) {
  if (keys.length === 0) return new Map<string, { cycle: number; maintainedAt: number | null }>()
  const rows = await db
    .selectFrom('applicator_units')
    .select(['name_key', 'cycle', 'maintained_at as maintainedAt'])
    .where('name_key', 'in', keys)
    .execute()
  return new Map(rows.map(({ name_key, ...tool }) => [name_key, tool]))
}

const beforeAct = compiled((db, value: Place<{ id: string; unitKey: string; at: number }>) =>
  db.selectNoFrom((e) => [
    e.selectFrom('measurements').select('id').where('act_id', '=', value('id')).limit(1).as('act'),
    e.selectFrom('applicator_units').select('cycle').where('name_key', '=', value('unitKey')).as('cycle'),
    // a line of the history says what was before it
    e
      .selectFrom('crimp_history')
      .select('cycle')
      .where('unit_key', '=', value('unitKey'))
      .where('at', '>', value('at'))
      .orderBy('id')
      .limit(1)
      .as('before'),
  ]),
)

/**
 * Whether an act is stored, and the cycle of a tool's counter at an instant (epoch ms); null where there is no such tool
 * yet. One read: a recording waits for it.
 */
export async function findBefore(
  db: Reader,
  { id, unitKey, at }: { id: string; unitKey: string; at: number },
): Promise<{ isStored: boolean; cycle: number | null }> {
  const [{ act = null, cycle = null, before = null } = {}] = await beforeAct(db, { id, unitKey, at })
  return { isStored: act !== null, cycle: cycle === null ? null : (before ?? cycle) }
}

async function noteSeriesOf(tx: Tx, by: 'act_id' | 'recording_id', id: string): Promise<void> {
  const rows = await tx
    .selectFrom('measurements')
    .select(['branch', 'unit', 'unit_key', 'terminal', 'terminal_key', 'gauge_milli', 'characteristic'])
    .where(by, '=', id)
    .execute()
  await noteSeriesChanged(tx, rows)
}

type Invalidation = { reason: string; by: string; userId: number; at: number }

/** Takes an act out, or back in. False where it stands so already, or is not there. */
export async function invalidateAct(tx: Tx, id: string, isOut: boolean, done: Invalidation): Promise<boolean> {
  const { reason, by, userId, at } = done
  const { numUpdatedRows } = await tx
    .updateTable('measurements')
    .set(
      isOut
        ? { invalid_reason: reason, invalid_by: by, invalid_at: at }
        : { invalid_reason: null, invalid_by: null, invalid_at: null },
    )
    .where('act_id', '=', id)
    .where('invalid_at', isOut ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  const author = await tx.selectFrom('measurements').select('user_id').where('act_id', '=', id).executeTakeFirst()
  const own = author?.user_id === userId ? 1 : 0
  await tx
    .insertInto('invalidations')
    .values({ act_id: id, taken_out: isOut ? 1 : 0, reason, done_by: by, user_id: userId, own, at })
    .execute()
  await noteSeriesOf(tx, 'act_id', id)
  return true
}

/** The last time that it was taken out or back; undefined: a server of the version before did it, or nobody. */
export const findInvalidation = (db: Reader, actId: string) =>
  db
    .selectFrom('invalidations')
    .select(['reason', 'user_id as userId'])
    .where('act_id', '=', actId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const ACTS_AT_ONCE = 500

/** The acts among these that were last taken out by the person who measured them. */
export async function listTakenOutByAuthor(db: Reader, actIds: readonly string[]): Promise<Set<string>> {
  const found = new Map<string, number>()
  for (const some of slicesOf(actIds, ACTS_AT_ONCE)) {
    const lines = await db
      .selectFrom('invalidations')
      .select(['act_id', 'own'])
      .where('act_id', 'in', some)
      .orderBy('id')
      .execute()
    for (const { act_id, own } of lines) found.set(act_id, own)
  }
  return new Set([...found].flatMap(([id, own]) => (own === 1 ? [id] : [])))
}

/** Counts a recording's own samples, or stops counting them, with the recording. */
export async function countOwnMeasurements(tx: Tx, recordingId: string, counted: 0 | 1, at: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('measurements')
    .set({ counted })
    .where('recording_id', '=', recordingId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await noteSeriesOf(tx, 'recording_id', recordingId)
  await noteChanges(tx, [{ topic: 'measurements', key: '' }], at)
}

const DOUBTED = 'autor-nao-confirmado' satisfies Finding

/** A sample came under a grant that is not to be trusted, and nobody has decided about it since. */
export const isDoubted = (row: Pick<Row, 'counted' | 'recording_id' | 'invalid_at'>): boolean =>
  row.counted === 0 && row.recording_id === null && row.invalid_at === null

/** Rows of acts, with the nominal height of the plans that judged them. */
export async function listActRows(db: Reader, actIds: readonly string[]): Promise<ActRow[]> {
  if (actIds.length === 0) return []
  return await measured(db).select('p.height_nominal_milli').where('m.act_id', 'in', idsOf(actIds)).execute()
}

/** Samples of one person count from now on. Resolves to the rows that did not before. */
export async function confirmSamples<Found extends Row>(
  tx: Tx,
  rows: readonly Found[],
  userId: number,
): Promise<Found[]> {
  const doubted = rows.filter((row) => row.user_id === userId && isDoubted(row))
  for (const { id, findings: words } of doubted) {
    const findings = wordsOf(words).filter((word) => word !== DOUBTED)
    await tx
      .updateTable('measurements')
      .set({ counted: 1, findings: findings.join(' ') })
      .where('id', '=', id)
      .execute()
  }
  if (doubted.length > 0) await noteSeriesChanged(tx, doubted)
  return doubted
}

const idsOf = (actIds: readonly string[]) => [...new Set(actIds.map((id) => id.toLowerCase()))]

/** The samples that a recording names, each once. */
export async function linkSamples(tx: Tx, recordingId: string, actIds: readonly string[]): Promise<void> {
  const rows = idsOf(actIds).map((act_id) => ({ recording_id: recordingId, act_id }))
  if (rows.length > 0) await tx.insertInto('recording_measurements').values(rows).execute()
}

/** Takes a recording's samples from it, and names them. */
export async function unlinkSamples(tx: Tx, recordingId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('recording_measurements')
    .select('act_id')
    .where('recording_id', '=', recordingId)
    .execute()
  if (rows.length === 0) return []
  await tx.deleteFrom('recording_measurements').where('recording_id', '=', recordingId).execute()
  return rows.map(({ act_id }) => act_id)
}
