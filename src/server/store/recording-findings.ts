import { type Selectable, sql } from 'kysely'
import type { Characteristic, Finding, Occasion } from '../../contract/measurements.ts'
import type { PlanFinding } from '../../contract/releases.ts'
import type { PlanMode } from '../../contract/settings.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { situationOf } from '../../domain/quality/occurrences.ts'
import type { JudgedSample } from '../../domain/quality/verdicts.ts'
import type { Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { listMeasuredAgain } from './measured-again.ts'
import { placeOf } from './suspect-windows.ts'
import { listTreatments } from './treatments.ts'

/** One characteristic of a sample of an order; what was measured together has one `act`. */
export type PlaceSample = JudgedSample & { act: string; isTyped: boolean }

/** Where samples of a recording are looked for. */
type SamplesWanted = {
  branch: string
  orderNumber: string
  isJunction: boolean
  terminalKey: string
  gaugeMilli: number
  until: number
  /** Acts: a tablet knows the time to half a second, and may learn it anew between a sample and its recording. */
  named: readonly string[]
}

const partsOf = ({ isJunction }: SamplesWanted) => (isJunction ? (['juncao'] as const) : (['l1', 'l2'] as const))

const sampleColumns = [
  ...(['id', 'act_id', 'characteristic', 'order_number', 'machine', 'unit', 'lot', 'shift', 'ordered_at'] as const),
  ...(['verdict', 'recording_id'] as const),
] as const

type SampleRow = Pick<Selectable<Tables['measurements']>, (typeof sampleColumns)[number]>

/** Samples that count for a terminal and gauge, measured until `until`, or named by the asking recording. */
const samplesUntil = (db: Reader, of: SamplesWanted) =>
  db
    .selectFrom('measurements')
    .select(sampleColumns)
    .where((e) => e.and({ branch: of.branch, terminal_key: of.terminalKey, gauge_milli: of.gaugeMilli, counted: 1 }))
    .where('part', 'in', partsOf(of))
    .where('invalid_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('ordered_at', '<=', of.until), ...(of.named.length > 0 ? [eb('act_id', 'in', of.named)] : [])]),
    )

const toSample = (row: SampleRow): PlaceSample => ({
  act: row.act_id,
  isTyped: row.recording_id !== null,
  characteristic: row.characteristic,
  order: row.order_number,
  machine: row.machine,
  unit: row.unit,
  lot: row.lot,
  // what the tool's counter says now would be one more read: its tablet asks for that
  cycle: null,
  shift: row.shift,
  measuredAt: row.ordered_at,
  verdict: row.verdict,
})

/**
 * The newest of each of these characteristics that a tool has, whatever the order, newest first. Some steps down the index of
 * the charts, however much was measured in the order.
 */
export async function listNewestOfTool(
  db: Reader,
  of: SamplesWanted & { unitKey: string },
  characteristics: readonly Characteristic[],
): Promise<PlaceSample[]> {
  const newest = (characteristic: Characteristic, charted: number) =>
    db
      .selectFrom(
        samplesUntil(db, of)
          .where((e) => e.and({ unit_key: of.unitKey, characteristic, charted }))
          .orderBy('ordered_at', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('newest'),
      )
      .selectAll()
  const [first, ...rest] = characteristics.flatMap((one) => [newest(one, 1), newest(one, 0)])
  if (!first) return []
  const rows = await rest.reduce((all, one) => all.unionAll(one), first).execute()
  return rows.toSorted((one, other) => other.ordered_at - one.ordered_at || other.id - one.id).map(toSample)
}

/**
 * The newest sample of one order for each characteristic, press, tool, lot and verdict, typed and measured apart, and
 * all that are named. One read, of the whole order's by an index.
 */
export async function listSamplesOfOrder(db: Reader, of: SamplesWanted): Promise<PlaceSample[]> {
  const ranked = samplesUntil(db, of)
    .where('order_number', '=', of.orderNumber)
    .select(
      sql<number>`row_number() over (
        partition by characteristic, machine, unit_key, lot, verdict, recording_id is null
        order by ordered_at desc, id desc
      )`.as('nth'),
    )
  const rows = await db
    .selectFrom(ranked.as('s'))
    .selectAll()
    .where((e) => e.or([e('nth', '=', 1), ...(of.named.length > 0 ? [e('act_id', 'in', of.named)] : [])]))
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toSample)
}

/** Findings noted on each characteristic of some acts, the oldest first. */
export async function listNamedFindings(db: Reader, acts: readonly string[]) {
  const rows = await db
    .selectFrom('measurements')
    .select(['characteristic', 'ordered_at', 'findings'])
    .where('act_id', 'in', acts)
    .where('invalid_at', 'is', null)
    .orderBy('ordered_at')
    .orderBy('id')
    .execute()
  return rows.map(({ characteristic, ordered_at: measuredAt, findings }) => ({
    ...{ characteristic, measuredAt },
    findings: findings.split(' ').filter((one) => one !== '') as Finding[],
  }))
}

type NewFinding = {
  recordingId: string
  finding: Finding
  mode: PlanMode
  reason: string
  releaseId: string | null
  /** Recorded and released by one person. */
  isOwnRelease?: boolean
  details: {
    due: readonly Occasion[]
    outside: readonly Characteristic[]
    missing: readonly Characteristic[]
    /** All of a first piece of which nothing was measured: `missing`, which is said in words, is empty then. */
    whole?: readonly Characteristic[]
  }
  at: number
}

export async function insertFinding(tx: Tx, finding: NewFinding): Promise<void> {
  const { recordingId, releaseId, isOwnRelease = false, details, ...row } = finding
  const ids = { recording_id: recordingId, release_id: releaseId, own_release: isOwnRelease ? 1 : 0 }
  const stored = { ...row, ...ids, details_json: JSON.stringify(details) }
  await tx.insertInto('recording_findings').values(stored).execute()
}

export async function countFindings(db: Reader, since: number, finding: Finding): Promise<number> {
  const { n } = await db
    .selectFrom('recording_findings')
    .where('at', '>=', since)
    .where('finding', '=', finding)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Which plants, noted when (epoch ms, the end exclusive). */
type FindingSpan = { branches: readonly string[]; from: number; before: number; finding?: Finding | undefined }

const findingRows = (db: Reader, { branches, from, before, finding }: FindingSpan) =>
  db
    .selectFrom('recording_findings as f')
    .innerJoin('recordings as r', 'r.id', 'f.recording_id')
    .leftJoin('releases as l', 'l.id', 'f.release_id')
    .select(['f.id', 'f.at', 'f.finding', 'f.mode', 'f.reason', 'f.recording_id', 'f.details_json'])
    .select(['f.own_release', 'l.given_by', 'l.looked_json'])
    .select(['r.branch', 'r.order_number', 'r.barcode', 'r.position', 'r.part', 'r.terminal', 'r.unit_key'])
    .select(['r.pieces', 'r.machine', 'r.operator', 'r.gauge_milli', 'r.recorded_at', 'r.received_at'])
    .where('r.branch', 'in', branches)
    .where('f.at', '>=', from)
    .where('f.at', '<', before)
    .$if(finding !== undefined, (some) => some.where('f.finding', '=', finding as Finding))
    .orderBy('f.id', 'desc')
    .execute()

type FindingRow = Awaited<ReturnType<typeof findingRows>>[number]

type FindingDetails = { outside: Characteristic[]; missing: Characteristic[]; whole: Characteristic[] }

/** Empty of one from before characteristics were named. */
function detailsOf({ details_json }: FindingRow): FindingDetails {
  return { outside: [], missing: [], whole: [], ...JSON.parse(details_json) }
}

/** Characteristics that must be measured well to close the finding. */
function characteristicsOf(row: FindingRow): Characteristic[] {
  const { outside, missing, whole } = detailsOf(row)
  return [...new Set([...outside, ...missing, ...whole])]
}

/** One that names no characteristic is closed by any that an operator measures. */
const anyMeasured = ['altura', 'forca'] as const satisfies Characteristic[]

/** Those after which something good was measured at their place, all that was wrong. */
async function listClosed(db: Reader, rows: readonly FindingRow[]): Promise<Set<number>> {
  const wanted = rows.flatMap((row) => {
    const place = placeOf({ ...row, unit_key: row.unit_key ?? '', terminal_key: nameKey(row.terminal) })
    const at = { orderedAt: Math.min(row.recorded_at, row.received_at), actId: '', orderNumber: row.order_number }
    const named = characteristicsOf(row)
    const each = named.length > 0 ? named : anyMeasured
    return each.map((characteristic) => ({
      ...{ id: row.id, isEnough: named.length === 0 },
      reading: place && { place, characteristic, ...at },
    }))
  })
  const measured = await listMeasuredAgain(
    db,
    wanted.map(({ reading }) => reading),
  )
  const open = new Set(wanted.flatMap(({ id, isEnough }, nth) => (!isEnough && !measured[nth] ? [id] : [])))
  return new Set(wanted.flatMap(({ id }, nth) => (measured[nth] && !open.has(id) ? [id] : [])))
}

/** The newest first. What a refusal of the ERP undid is in it: it was registered outside the plan all the same. */
export async function listFindings(db: Reader, span: FindingSpan): Promise<PlanFinding[]> {
  const rows = await findingRows(db, span)
  const closed = await listClosed(db, rows)
  const ids = rows.map(({ id }) => String(id))
  const treated = await listTreatments(db, 'apontamento', ids)
  return rows.map((row) => {
    const tratamentos = treated.get(String(row.id)) ?? []
    const { outside, missing } = detailsOf(row)
    return {
      id: row.id,
      em: toInstant(row.at),
      achado: row.finding,
      modo: row.mode,
      motivo: row.reason,
      liberadoPor: row.given_by ?? '',
      liberadoPorQuemApontou: row.own_release === 1,
      liberadoSemAmostras: row.given_by !== null && row.looked_json === null,
      apontamento: row.recording_id,
      filial: row.branch,
      ordem: row.order_number,
      codigoBarras: row.barcode,
      posicao: row.position,
      parte: row.part,
      terminal: row.terminal,
      pecas: row.pieces,
      maquina: row.machine,
      operador: row.operator,
      situacao: situationOf({ isTreated: tratamentos.length > 0, isMeasured: closed.has(row.id) }),
      tratamentos,
      caracteristicas: outside.length > 0 ? outside : missing,
    }
  })
}

/** The recording of a finding; null where there is none. */
export const findFinding = async (db: Reader, id: number) =>
  (await db
    .selectFrom('recording_findings as f')
    .innerJoin('recordings as r', 'r.id', 'f.recording_id')
    .select(['f.recording_id', 'r.order_number', 'r.barcode', 'r.position', 'r.part'])
    .where('f.id', '=', id)
    .executeTakeFirst()) ?? null
