import type { HistoryEnd, HistoryEntry, HistorySample } from '../../contract/end-histories.ts'
import { HISTORY_ROWS_MAX } from '../../contract/end-histories.ts'
import type { Treatment } from '../../contract/treatments.ts'
import { delayMinutes } from '../../domain/acts/late-acts.ts'
import { dayText, toInstant } from '../../domain/plant/plant-time.ts'
import { situationOf } from '../../domain/quality/occurrences.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import { traceSample } from '../../domain/reports/trace-samples.ts'
import { findPlansOf } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import { listCalls, listScrapsOf } from './end-history-events.ts'
import { listRecordings, listReleases, toRecordings } from './end-history-recordings.ts'
import { ofEnd, type Placed, type SampleRow } from './end-history-rows.ts'
import { findCalibrations } from './instruments.ts'
import { listFirstGood } from './measured-again.ts'
import { wordsOf } from './measurements.ts'
import { findCauses } from './spc.ts'
import { placeOf } from './suspect-windows.ts'
import { listTreatments } from './treatments.ts'

/** The newest first. What a recording itself measured stands with it, unless quality has taken it out. */
async function listRows(db: Reader, end: HistoryEnd): Promise<SampleRow[]> {
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

const isStanding = (row: SampleRow): boolean => row.counted === 1 && row.invalid_at === null

/** When something good was first measured at their place, of rows outside that count. */
async function findAgain(db: Reader, rows: readonly SampleRow[]): Promise<Map<SampleRow, number>> {
  const outside = rows.filter((row) => row.verdict === 'fora' && isStanding(row))
  const readings = outside.map((row) => {
    const place = placeOf(row)
    const { id: rowId, characteristic, ordered_at: orderedAt, act_id: actId, order_number: orderNumber } = row
    return place && { rowId, place, characteristic, orderedAt, actId, orderNumber }
  })
  const measured = await listFirstGood(db, readings)
  return new Map(
    outside.flatMap((row, nth) => {
      const at = measured[nth] ?? null
      return at === null ? [] : [[row, at]]
    }),
  )
}

/** All that is looked up once for the samples of an end. */
async function readKnown(db: Reader, rows: readonly SampleRow[]) {
  const actIds = [...new Set(rows.map(({ act_id }) => act_id))]
  const instruments = new Set(rows.map(({ instrument }) => instrument).filter(Boolean))
  return {
    plans: await findPlansOf(db, rows),
    calibrationOn: await findCalibrations(db, [...instruments]),
    causesOf: await findCauses(db, actIds),
    treated: await listTreatments(db, 'medicao', actIds),
    again: await findAgain(db, rows),
  }
}

type Known = Awaited<ReturnType<typeof readKnown>> & {
  naming: Map<string, string[]>
  /** In thousandths, of the order's copy; null: it asks for none. */
  forceMin: number | null
}

/** As the instrument stood on the day on which it measured here. */
function calibrationOf({ instrument, measured_day: day }: SampleRow, { calibrationOn }: Known) {
  const untilDay = instrument === '' ? undefined : calibrationOn(instrument, day)?.untilDay
  const vencido = !!untilDay && untilDay < day
  if (untilDay) return { calibracao: `${vencido ? 'vencida em' : 'até'} ${dayText(untilDay)}`, vencido }
  const unknown = untilDay === undefined ? 'não se sabe' : 'sem data'
  return { calibracao: instrument === '' ? '' : unknown, vencido }
}

function toReading(row: SampleRow, known: Known): HistorySample['leituras'][number] {
  const stored = row.plan_id === null ? undefined : known.plans.get(row.plan_id)
  const of = {
    characteristic: row.characteristic,
    readings: JSON.parse(row.readings_json) as number[],
    isOut: row.verdict === 'fora',
  }
  const isByOrder = stored === undefined && row.verdict !== 'sem-plano'
  const limits = limitsOf(stored?.plan ?? null, row.characteristic, { forceMin: isByOrder ? known.forceMin : null })
  const said = traceSample(of, { version: stored?.version ?? 0, limits })
  return {
    ...said,
    exigido: isByOrder && said.exigido ? `${said.exigido} (ordem)` : said.exigido,
    plano: stored?.version ?? null,
    veredito: row.verdict,
    instrumento: row.instrument,
    ...calibrationOf(row, known),
  }
}

const causesIn = (rows: readonly SampleRow[], { causesOf }: Known): HistorySample['causas'] =>
  rows.flatMap((row) =>
    causesOf(row).map(({ cause, note, by, isQuality, at }) => ({
      ...{ caracteristica: row.characteristic, causa: cause, nota: note, por: by, em: toInstant(at) },
      qualidade: isQuality === true,
    })),
  )

function standingOf(rows: readonly SampleRow[], tratamentos: Treatment[], { again }: Known) {
  const outside = rows.filter((row) => row.verdict === 'fora' && isStanding(row))
  if (outside.length === 0) return { situacao: null, medidaEm: null, tratamentos }
  const good = outside.flatMap((row) => again.get(row) ?? [])
  const isMeasured = good.length === outside.length
  const situacao = situationOf({ isTreated: tratamentos.length > 0, isMeasured })
  return { situacao, medidaEm: isMeasured ? toInstant(Math.max(...good)) : null, tratamentos }
}

function toSample(rows: readonly [SampleRow, ...SampleRow[]], known: Known): Placed<HistorySample> {
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
      achados: [...new Set(rows.flatMap(({ findings }) => wordsOf(findings)))],
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
      causas: causesIn(rows, known),
      ...standingOf(rows, known.treated.get(first.act_id) ?? [], known),
    },
  }
}

async function listActs(
  db: Reader,
  rows: readonly SampleRow[],
  of: Pick<Known, 'naming' | 'forceMin'>,
): Promise<Placed<HistorySample>[]> {
  const acts = new Map<string, [SampleRow, ...SampleRow[]]>()
  // as they were typed: the oldest row first
  for (const row of rows.toReversed()) {
    const act = acts.get(row.act_id)
    if (act) act.push(row)
    else acts.set(row.act_id, [row])
  }
  const known = { ...(await readKnown(db, rows)), ...of }
  return [...acts.values()].map((act) => toSample(act, known))
}

const order: readonly HistoryEntry['tipo'][] = ['medicao', 'chamado', 'liberacao', 'apontamento', 'refugo']

/** The oldest first; at one instant what was measured before what was recorded of it. */
const inTime = (one: Placed<HistoryEntry>, other: Placed<HistoryEntry>): number =>
  one.at - other.at ||
  order.indexOf(one.entry.tipo) - order.indexOf(other.entry.tipo) ||
  (one.entry.id < other.entry.id ? -1 : 1)

/** From where on a list is whole: its oldest may be a part of an act, or the last of what was cut. */
const wholeSince = (placed: readonly Placed<HistoryEntry>[], rowCount: number): number =>
  rowCount > HISTORY_ROWS_MAX ? Math.min(...placed.map(({ at }) => at)) + 1 : 0

/** All that happened at an end, the oldest first, from where all that it is made of is whole. */
export async function listHistory(
  db: Reader,
  end: HistoryEnd,
  { forceMin, timeZone }: { forceMin: number | null; timeZone: string },
): Promise<{ entries: HistoryEntry[]; isCut: boolean }> {
  const rows = await listRows(db, end)
  const recorded = await listRecordings(db, end)
  const scraps = await listScrapsOf(db, end)
  const acts = await listActs(db, rows, { naming: await listNaming(db, recorded), forceMin })
  const { recordings, ownReleases } = await toRecordings(db, end, recorded)
  const since = Math.max(
    wholeSince(acts, rows.length),
    wholeSince(recordings, recorded.length),
    wholeSince(scraps, scraps.length),
  )
  const done = [...acts, ...recordings].map(({ at }) => at)
  const span = { first: Math.max(since, Math.min(...done)), last: Math.max(...done) }
  const calls = done.length === 0 ? [] : await listCalls(db, end, { rows, ...span, timeZone })
  const releases = await listReleases(db, end, ownReleases)
  const placed = [...acts, ...recordings, ...scraps, ...releases, ...calls]
  const entries = placed.filter(({ at }) => at >= since).sort(inTime)
  const isCut = [rows, recorded, scraps].some(({ length }) => length > HISTORY_ROWS_MAX)
  return { entries: entries.map(({ entry }) => entry), isCut }
}
