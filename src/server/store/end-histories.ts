import type { Selectable } from 'kysely'
import type {
  HistoryCall,
  HistoryEnd,
  HistoryEntry,
  HistoryRecording,
  HistoryRelease,
  HistorySample,
} from '../../contract/end-histories.ts'
import { HISTORY_ROWS_MAX } from '../../contract/end-histories.ts'
import type { MaintenanceCall } from '../../contract/maintenance-calls.ts'
import type { Finding } from '../../contract/measurements.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { delayMinutes } from '../../domain/acts/late-acts.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { addDays, dayText, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import { traceSample } from '../../domain/reports/trace-samples.ts'
import { reasonText, teamOf, teamTexts } from '../../domain/tools/call-topics.ts'
import { causeText } from '../../domain/tools/maintenance-calls.ts'
import { listPlansById } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { findCalibrationOn } from './instruments.ts'
import { toCall } from './maintenance-calls.ts'
import { releaseSubject } from './releases.ts'
import { lineColumns, toLines } from './traces.ts'

/** Ordered as the newest is told: by the smaller of when something was done and received. */
type Placed<Entry extends HistoryEntry> = { at: number; entry: Entry }

type Row = Selectable<Tables['measurements']>

const ofEnd = ({ filial, parte, ordem, codigoBarras, posicao }: HistoryEnd) =>
  parte === 'juncao'
    ? { branch: filial, order_number: ordem, position: posicao }
    : { branch: filial, barcode: codigoBarras }

/** The newest first. What a recording itself measured stands with it, unless quality has taken it out. */
async function listRows(db: Reader, end: HistoryEnd): Promise<Row[]> {
  return await db
    .selectFrom('measurements')
    .selectAll()
    .where((e) => e.and({ ...ofEnd(end), part: end.parte }))
    .where((e) => e.or([e('recording_id', 'is', null), e.and([e('counted', '=', 1), e('invalid_at', 'is not', null)])]))
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_ROWS_MAX + 1)
    .execute()
}

/** By sample. No index knows links by it: who names one is a recording of this end. */
async function listNaming(db: Reader, recordings: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const naming = new Map<string, string[]>()
  if (recordings.length === 0) return naming
  const ids = recordings.map(({ id }) => id)
  const links = await db.selectFrom('recording_measurements').selectAll().where('recording_id', 'in', ids).execute()
  for (const { act_id, recording_id } of links) naming.set(act_id, [...(naming.get(act_id) ?? []), recording_id])
  return naming
}

type Known = {
  plans: Map<number, Awaited<ReturnType<typeof listPlansById>>[number]>
  naming: Map<string, string[]>
  /** In thousandths, of the order's copy; null: it asks for none. */
  forceMin: number | null
  /** By instrument and day. */
  calibrations: Map<string, string>
}

const calibrationKey = ({ instrument, measured_day }: Pick<Row, 'instrument' | 'measured_day'>) =>
  JSON.stringify([nameKey(instrument), measured_day])

/** As each instrument stood on each day on which it measured here. */
async function listCalibrationTexts(db: Reader, rows: readonly Row[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const row of rows) {
    const key = calibrationKey(row)
    if (row.instrument === '' || texts.has(key)) continue
    const known = await findCalibrationOn(db, row.instrument, row.measured_day)
    const until = known?.untilDay ? `até ${dayText(known.untilDay)}` : 'sem data'
    texts.set(key, known ? until : 'não se sabe')
  }
  return texts
}

function toReading(row: Row, { plans, forceMin, calibrations }: Known): HistorySample['leituras'][number] {
  const stored = row.plan_id === null ? undefined : plans.get(row.plan_id)
  const of = {
    characteristic: row.characteristic,
    readings: JSON.parse(row.readings_json) as number[],
    isOut: row.verdict === 'fora',
  }
  const isByOrder = stored === undefined && row.verdict !== 'sem-plano'
  const limits = limitsOf(stored?.plan ?? null, row.characteristic, { forceMin: isByOrder ? forceMin : null })
  const said = traceSample(of, { version: stored?.version ?? 0, limits })
  return {
    ...said,
    exigido: isByOrder && said.exigido ? `${said.exigido} (ordem)` : said.exigido,
    plano: stored?.version ?? null,
    caracteristica: row.characteristic,
    veredito: row.verdict,
    instrumento: row.instrument,
    calibracao: calibrations.get(calibrationKey(row)) ?? '',
  }
}

function toSample(rows: readonly [Row, ...Row[]], known: Known): Placed<HistorySample> {
  const [first] = rows
  return {
    at: Number(first.ordered_at),
    entry: {
      tipo: 'medicao',
      id: first.act_id,
      em: toInstant(first.measured_at),
      recebidoEm: toInstant(first.received_at),
      demoraMinutos: delayMinutes(first.measured_at, first.received_at),
      ordem: first.order_number,
      terminal: first.terminal,
      bitolaMilli: first.gauge_milli,
      lote: first.lot,
      maquina: first.machine,
      miniaplicador: first.unit,
      ciclo: first.unit_cycle,
      turno: first.shift,
      ocasiao: first.occasion,
      operador: first.operator,
      leituras: rows.map((row) => toReading(row, known)),
      acao: first.action,
      achados: [...new Set(rows.flatMap(({ findings }) => findings.split(' ').filter(Boolean)))] as Finding[],
      conta: first.counted === 1,
      invalida:
        first.invalid_at === null
          ? null
          : {
              motivo: first.invalid_reason ?? '',
              por: first.invalid_by ?? '',
              em: toInstant(first.invalid_at),
            },
      digitada: first.recording_id !== null,
      apontamentos: known.naming.get(first.act_id) ?? [],
    },
  }
}

async function listActs(
  db: Reader,
  rows: readonly Row[],
  { naming, forceMin }: Pick<Known, 'naming' | 'forceMin'>,
): Promise<Placed<HistorySample>[]> {
  const acts = new Map<string, [Row, ...Row[]]>()
  // as they were typed: the oldest row first
  for (const row of rows.toReversed()) {
    const act = acts.get(row.act_id)
    if (act) act.push(row)
    else acts.set(row.act_id, [row])
  }
  const planIds = new Set(rows.flatMap(({ plan_id }) => plan_id ?? []))
  const plans = new Map((await listPlansById(db, [...planIds])).map((stored) => [stored.id, stored]))
  const calibrations = await listCalibrationTexts(db, rows)
  return [...acts.values()].map((act) => toSample(act, { plans, naming, forceMin, calibrations }))
}

/** Parts of the history of an end: its wire's cut before it and its receipt after it belong there too. */
const partsOf = ({ parte }: HistoryEnd): RecordedPart[] =>
  parte === 'juncao' ? ['juncao'] : ['cabo', parte, 'recebimento']

/** The newest first, those that count. */
const listRecordings = (db: Reader, end: HistoryEnd) =>
  db
    .selectFrom('recordings')
    .select(lineColumns)
    .select('received_at')
    .where((e) => e.and({ ...ofEnd(end), counted: 1 }))
    .where('part', 'in', partsOf(end))
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_ROWS_MAX + 1)
    .execute()

async function listFindingsOf(db: Reader, recordingIds: readonly string[]) {
  const found = new Map<string, HistoryRecording['achados']>()
  if (recordingIds.length === 0) return found
  const rows = await db
    .selectFrom('recording_findings as f')
    .leftJoin('releases as l', 'l.id', 'f.release_id')
    .select(['f.recording_id', 'f.finding', 'f.mode', 'f.reason', 'l.given_by', 'l.reason as released_for'])
    .where('f.recording_id', 'in', recordingIds)
    .orderBy('f.id')
    .execute()
  for (const row of rows) {
    const one = {
      achado: row.finding,
      modo: row.mode,
      motivo: row.reason,
      liberadoPor: row.given_by ?? '',
      motivoDaLiberacao: row.released_for ?? '',
    }
    found.set(row.recording_id, [...(found.get(row.recording_id) ?? []), one])
  }
  return found
}

async function toRecordings(
  db: Reader,
  rows: Awaited<ReturnType<typeof listRecordings>>,
): Promise<Placed<HistoryRecording>[]> {
  const findings = await listFindingsOf(
    db,
    rows.map(({ id }) => id),
  )
  const lines = new Map((await toLines(db, rows)).map((line) => [line.id, line]))
  return rows.flatMap(({ id, recorded_at: recordedAt, received_at: receivedAt }) => {
    const linha = lines.get(id)
    if (!linha) return []
    const entry = {
      tipo: 'apontamento' as const,
      id,
      em: toInstant(recordedAt),
      recebidoEm: toInstant(receivedAt),
      demoraMinutos: delayMinutes(recordedAt, receivedAt),
      linha,
      achados: findings.get(id) ?? [],
    }
    return [{ at: Math.min(recordedAt, receivedAt), entry }]
  })
}

async function listReleases(db: Reader, end: HistoryEnd): Promise<Placed<HistoryRelease>[]> {
  const { filial, parte, ordem, codigoBarras, posicao } = end
  const subject = releaseSubject({ barcode: codigoBarras, orderNumber: ordem, position: posicao, part: parte })
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .where((e) => e.and({ branch: filial, subject }))
    .execute()
  return rows.map((row) => ({
    at: row.at,
    entry: {
      tipo: 'liberacao',
      id: row.id,
      em: toInstant(row.at),
      por: row.given_by,
      motivo: row.reason,
      apontamento: row.recording_id,
    },
  }))
}

/** In words where a word of the plant's lists was chosen. */
const toHistoryCall = (call: MaintenanceCall): HistoryCall => ({
  tipo: 'chamado',
  id: call.id,
  em: call.abertoEm,
  numero: call.numero,
  assunto: `${teamTexts[teamOf(call)]} · ${reasonText(call)}`,
  maquina: call.maquina,
  miniaplicador: call.miniaplicador,
  nota: call.nota,
  abertoPor: call.abertoPor,
  situacao: call.situacao,
  atendidoEm: call.atendidoEm,
  atendidoPor: call.atendidoPor,
  encerradoEm: call.encerradoEm,
  encerradoPor: call.encerradoPor,
  causa: causeText(call),
  feito: call.feito,
  motivo: call.motivo,
})

const ANSWERS_MS = 15 * 60_000

/** Maintenance was called at its machine and tool just after a sample outside: from a server or a page that names no act. */
const answers = (call: CallRow, rows: readonly Row[]): boolean =>
  rows.some(
    (row) =>
      row.action === 'manutencao' &&
      machineKey(row.machine) === machineKey(call.machine) &&
      (call.unit_key === '' || call.unit_key === row.unit_key) &&
      call.opened_at >= row.measured_at &&
      call.opened_at - row.measured_at <= ANSWERS_MS,
  )

type CallRow = Selectable<Tables['maintenance_calls']>

/** The samples that each call follows, those of presses that joined it too. */
async function listFollowing(db: Reader, calls: readonly CallRow[]): Promise<Map<string, Set<string>>> {
  const following = new Map(calls.map(({ id, act_id }) => [id, new Set(act_id === null ? [] : [act_id])]))
  const ids = calls.filter(({ joined }) => joined > 0).map(({ id }) => id)
  if (ids.length === 0) return following
  const joins = await db
    .selectFrom('maintenance_call_joins')
    .select(['call_id', 'act_id'])
    .where('call_id', 'in', ids)
    .where('act_id', 'is not', null)
    .execute()
  for (const { call_id, act_id } of joins) if (act_id !== null) following.get(call_id)?.add(act_id)
  return following
}

/** Calls about this place or one of its samples, opened on the days of its acts or the day after. */
async function listCalls(
  db: Reader,
  end: HistoryEnd,
  of: { rows: readonly Row[]; first: number; last: number; timeZone: string },
): Promise<Placed<HistoryCall>[]> {
  const calls = await db
    .selectFrom('maintenance_calls')
    .selectAll()
    .where('branch', '=', end.filial)
    .where('opened_day', '>=', addDays(plantDay(of.first, of.timeZone), -1))
    .where('opened_day', '<=', addDays(plantDay(of.last, of.timeZone), 1))
    .execute()
  const following = await listFollowing(db, calls)
  const acts = new Set(of.rows.map(({ act_id }) => act_id))
  const side = end.parte === 'juncao' ? '' : end.parte.slice(1)
  const isHere = (call: CallRow) =>
    end.parte === 'juncao'
      ? call.order_number === end.ordem && call.position === end.posicao
      : call.barcode === end.codigoBarras && (call.side === '' || call.side === side)
  return calls
    .filter(
      (call) =>
        isHere(call) || [...(following.get(call.id) ?? [])].some((id) => acts.has(id)) || answers(call, of.rows),
    )
    .map((call) => ({ at: call.opened_at, entry: toHistoryCall(toCall(call)) }))
}

const order: readonly HistoryEntry['tipo'][] = ['medicao', 'chamado', 'liberacao', 'apontamento']

/** The oldest first; at one instant what was measured before what was recorded of it. */
const inTime = (one: Placed<HistoryEntry>, other: Placed<HistoryEntry>): number =>
  one.at - other.at ||
  order.indexOf(one.entry.tipo) - order.indexOf(other.entry.tipo) ||
  (one.entry.id < other.entry.id ? -1 : 1)

/** All that happened at an end, the oldest first, from where samples and recordings are both whole. */
export async function listHistory(
  db: Reader,
  end: HistoryEnd,
  { forceMin, timeZone }: { forceMin: number | null; timeZone: string },
): Promise<{ entries: HistoryEntry[]; isCut: boolean }> {
  const rows = await listRows(db, end)
  const recorded = await listRecordings(db, end)
  const isCut = rows.length > HISTORY_ROWS_MAX || recorded.length > HISTORY_ROWS_MAX
  const acts = await listActs(db, rows, { naming: await listNaming(db, recorded), forceMin })
  const recordings = await toRecordings(db, recorded)
  // of what was cut the oldest may be a part of an act
  const cutAt = (placed: readonly Placed<HistoryEntry>[], count: number) =>
    count > HISTORY_ROWS_MAX ? Math.min(...placed.map(({ at }) => at)) + 1 : 0
  const since = Math.max(cutAt(acts, rows.length), cutAt(recordings, recorded.length))
  const done = [...acts, ...recordings].map(({ at }) => at)
  const span = { first: Math.max(since, Math.min(...done)), last: Math.max(...done) }
  const calls = done.length === 0 ? [] : await listCalls(db, end, { rows, ...span, timeZone })
  const placed = [...acts, ...recordings, ...(await listReleases(db, end)), ...calls]
  const entries = placed.filter(({ at }) => at >= since).sort(inTime)
  return { entries: entries.map(({ entry }) => entry), isCut }
}
