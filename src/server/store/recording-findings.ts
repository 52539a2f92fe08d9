import { type Selectable, sql } from 'kysely'
import type { Characteristic, Finding, Occasion } from '../../contract/measurements.ts'
import type { PlanFinding } from '../../contract/releases.ts'
import type { PlanMode } from '../../contract/settings.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { situationOf } from '../../domain/quality/occurrences.ts'
import type { JudgedSample } from '../../domain/quality/verdicts.ts'
import { compiled, type Place } from './db/compiled.ts'
import { countsRows, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { listFirstGood, listMeasuredAgain } from './measured-again.ts'
import { wordsOf } from './measurements.ts'
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

type MeasuredPart = Tables['measurements']['part']

const partsOf = (isJunction: boolean): [MeasuredPart, ...MeasuredPart[]] => (isJunction ? ['juncao'] : ['l1', 'l2'])

const sampleColumns = [
  ...(['id', 'act_id', 'characteristic', 'order_number', 'machine', 'unit', 'lot', 'shift', 'ordered_at'] as const),
  ...(['verdict', 'recording_id'] as const),
] as const

type SampleRow = Pick<Selectable<Tables['measurements']>, (typeof sampleColumns)[number]>

/** More acts than a recording names are looked for in the order. */
export const NAMED_MAX = 4

type OfTool = Pick<SamplesWanted, 'branch' | 'terminalKey' | 'gaugeMilli' | 'until'> & {
  unitKey: string
  characteristic: Characteristic
  part: MeasuredPart
  otherPart: MeasuredPart
} & Record<`act${0 | 1 | 2 | 3}`, string>

/** Some steps down the index of the charts, however much was measured in the order. */
const newestOf = (isNaming: boolean) =>
  compiled((db, value: Place<OfTool>) => {
    const acts = [value('act0'), value('act1'), value('act2'), value('act3')]
    const newest = (charted: 0 | 1) =>
      db
        .selectFrom((from) =>
          from
            .selectFrom('measurements')
            .select(sampleColumns)
            .where('branch', '=', value('branch'))
            .where('unit_key', '=', value('unitKey'))
            .where('terminal_key', '=', value('terminalKey'))
            .where('gauge_milli', '=', value('gaugeMilli'))
            .where('characteristic', '=', value('characteristic'))
            .where((e) => e.and({ counted: 1, charted }))
            .where('part', 'in', [value('part'), value('otherPart')])
            .where('invalid_at', 'is', null)
            .where(({ eb, or }) => {
              const isUntil = eb('ordered_at', '<=', value('until'))
              return isNaming ? or([isUntil, eb('act_id', 'in', acts)]) : isUntil
            })
            .orderBy('ordered_at', 'desc')
            .orderBy('id', 'desc')
            .limit(1)
            .as('newest'),
        )
        .selectAll()
    return newest(1).unionAll(newest(0))
  })
const newestOfTool = newestOf(false)
const newestOrNamed = newestOf(true)

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

/** The newest of each of these characteristics that a tool has, whatever the order, newest first. Names at most `NAMED_MAX` acts. */
export async function listNewestOfTool(
  db: Reader,
  { named, isJunction, ...of }: SamplesWanted & { unitKey: string },
  characteristics: readonly Characteristic[],
): Promise<PlaceSample[]> {
  const { branch, terminalKey, gaugeMilli, unitKey, until } = of
  const [part, otherPart = part] = partsOf(isJunction)
  const [act0 = '', act1 = '', act2 = '', act3 = ''] = named
  const find = named.length > 0 ? newestOrNamed : newestOfTool
  const tool = { branch, terminalKey, gaugeMilli, unitKey, until, part, otherPart, act0, act1, act2, act3 }
  const rows: SampleRow[] = []
  for (const characteristic of characteristics) rows.push(...(await find(db, { ...tool, characteristic })))
  return rows.toSorted((one, other) => other.ordered_at - one.ordered_at || other.id - one.id).map(toSample)
}

/**
 * The newest sample of one order for each of these characteristics, press, tool, lot and verdict, typed and measured apart, and
 * all that are named: those that count for a terminal and gauge, measured until `until` or named. One read, of the whole order's by
 * an index.
 */
export async function listSamplesOfOrder(
  db: Reader,
  of: SamplesWanted,
  characteristics: readonly Characteristic[],
): Promise<PlaceSample[]> {
  const ranked = db
    .selectFrom('measurements')
    .select(sampleColumns)
    .where((e) => e.and({ branch: of.branch, terminal_key: of.terminalKey, gauge_milli: of.gaugeMilli, counted: 1 }))
    .where('part', 'in', partsOf(of.isJunction))
    .where('invalid_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('ordered_at', '<=', of.until), ...(of.named.length > 0 ? [eb('act_id', 'in', of.named)] : [])]),
    )
    .where('order_number', '=', of.orderNumber)
    .where('characteristic', 'in', characteristics)
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
    ...{ characteristic, measuredAt, findings: wordsOf(findings) },
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
  details?: {
    due: readonly Occasion[]
    outside: readonly Characteristic[]
    missing: readonly Characteristic[]
    /** All of a first piece of which nothing was measured: `missing`, which is said in words, is empty then. */
    whole?: readonly Characteristic[]
  }
  at: number
}

const NO_DETAILS = { outside: [], due: [], missing: [] }

export async function insertFinding(tx: Tx, finding: NewFinding): Promise<void> {
  const { recordingId, releaseId, isOwnRelease = false, details = NO_DETAILS, ...row } = finding
  const ids = { recording_id: recordingId, release_id: releaseId, own_release: isOwnRelease ? 1 : 0 }
  const stored = { ...row, ...ids, details_json: JSON.stringify(details) }
  await tx.insertInto('recording_findings').values(stored).execute()
}

export const countFindings = (db: Reader, since: number, finding: Finding): Promise<number> =>
  db.selectFrom('recording_findings').where('at', '>=', since).where('finding', '=', finding).$call(countsRows)

/** Which plants, noted when (epoch ms, the end exclusive). */
type FindingSpan = { branches: readonly string[]; from: number; before: number; finding?: Finding | undefined }

const findings = (db: Reader) =>
  db
    .selectFrom('recording_findings as f')
    .innerJoin('recordings as r', 'r.id', 'f.recording_id')
    .leftJoin('releases as l', 'l.id', 'f.release_id')
    .leftJoin('applicator_units as u', 'u.name_key', 'r.unit_key')
    .select('u.name as unit')
    .select(['f.id', 'f.at', 'f.finding', 'f.mode', 'f.reason', 'f.recording_id', 'f.details_json'])
    .select(['f.own_release', 'f.release_id', 'l.given_by', 'l.looked_json', 'l.reason as released_for'])
    .select(['r.branch', 'r.order_number', 'r.barcode', 'r.position', 'r.part', 'r.terminal', 'r.unit_key'])
    .select(['r.pieces', 'r.machine', 'r.operator', 'r.gauge_milli', 'r.recorded_at', 'r.received_at'])

const findingRows = (db: Reader, { branches, from, before, finding }: FindingSpan) =>
  findings(db)
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

/** No sample of the same instant follows a recording. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

/** By finding, the characteristics that close it once they were measured good at its place: each of them, or any. */
function wantedOf(rows: readonly FindingRow[]) {
  return rows.flatMap((row) => {
    const place = placeOf({ ...row, unit_key: row.unit_key ?? '', terminal_key: nameKey(row.terminal) })
    const at = { orderedAt: Math.min(row.recorded_at, row.received_at), actId: '', orderNumber: row.order_number }
    const named = characteristicsOf(row)
    const each = named.length > 0 ? named : anyMeasured
    return each.map((characteristic) => ({
      ...{ id: row.id, isEnough: named.length === 0 },
      reading: place && { place, characteristic, ...at, rowId: AFTER_ALL },
    }))
  })
}

/** Ids of the findings that are closed: all that was wrong has been measured good at their place since. */
async function listClosed(db: Reader, rows: readonly FindingRow[]): Promise<Set<number>> {
  const wanted = wantedOf(rows)
  const measured = await listMeasuredAgain(
    db,
    wanted.map(({ reading }) => reading),
  )
  const open = new Set(wanted.flatMap(({ id, isEnough }, nth) => (!isEnough && !measured[nth] ? [id] : [])))
  return new Set(wanted.flatMap(({ id }, nth) => (measured[nth] && !open.has(id) ? [id] : [])))
}

/** When each that is closed was, by its id. */
async function findClosedAt(db: Reader, rows: readonly FindingRow[]): Promise<Map<number, number>> {
  const wanted = wantedOf(rows)
  const goodAt = await listFirstGood(
    db,
    wanted.map(({ reading }) => reading),
  )
  const byFinding = Map.groupBy([...wanted.entries()], ([, { id }]) => id)
  return new Map(
    [...byFinding].flatMap(([id, own]): [number, number][] => {
      const good = own.flatMap(([nth]) => goodAt[nth] ?? [])
      if (own.some(([, { isEnough }]) => isEnough)) return good.length === 0 ? [] : [[id, Math.min(...good)]]
      return good.length < own.length ? [] : [[id, Math.max(...good)]]
    }),
  )
}

/** The newest first. What a refusal of the ERP undid is in it: it was registered outside the plan all the same. */
export const listFindings = async (db: Reader, span: FindingSpan): Promise<PlanFinding[]> =>
  await tellFindings(db, await findingRows(db, span))

/** A finding as its recording's history tells it. */
type ToldFinding = PlanFinding & {
  outside: readonly Characteristic[]
  /** By which release it was let through, and why. */
  release: { id: string; reason: string } | null
  /** When all that was wrong had been measured good at its place; null: not yet. */
  closedAt: number | null
}

/** Of some recordings, the oldest first. */
export async function listFindingsOf(db: Reader, recordingIds: readonly string[]): Promise<ToldFinding[]> {
  if (recordingIds.length === 0) return []
  const rows = await findings(db).where('f.recording_id', 'in', recordingIds).orderBy('f.id').execute()
  const stated = await tellFindings(db, rows)
  const closedAt = await findClosedAt(db, rows)
  return rows.flatMap((row, nth) => {
    const finding = stated[nth]
    if (!finding) return []
    const { release_id: id, released_for: reason } = row
    const release = id === null ? null : { id, reason: reason ?? '' }
    return { ...finding, outside: detailsOf(row).outside, release, closedAt: closedAt.get(row.id) ?? null }
  })
}

async function tellFindings(db: Reader, rows: readonly FindingRow[]): Promise<PlanFinding[]> {
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
      miniaplicador: row.unit ?? row.unit_key ?? '',
      bitola: row.gauge_milli,
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

/** By recording the first measurement that was due, and that nobody took before it. */
export async function listMissed(db: Reader, recordingIds: readonly string[]): Promise<Map<string, Occasion>> {
  if (recordingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('recording_findings')
    .select(['recording_id', 'details_json'])
    .where('recording_id', 'in', recordingIds)
    .where('finding', '=', 'falta-medir')
    .execute()
  const firstDue = (details: string) => (JSON.parse(details) as { due?: Occasion[] }).due?.[0]
  return new Map(
    rows.flatMap((row) => {
      const due = firstDue(row.details_json)
      return due ? [[row.recording_id, due]] : []
    }),
  )
}
