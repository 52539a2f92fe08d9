import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import {
  type ControlLimits,
  SERIES_LISTED_MAX,
  SERIES_SAMPLES_MAX,
  type Series,
  type SeriesKey,
  type SeriesPoint,
  type SeriesRow,
  spc,
} from '../../contract/spc.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { addDays, DAY_MS, dayStartMs, dayText, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { planFor } from '../../domain/quality/control-plans.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import {
  baseOf,
  type Limits,
  limitsFrom,
  PRELIMINARY_SAMPLES,
  readingsOf,
  type SeriesPlace,
  type Signal,
  sizeOf,
  sizeWithoutLimits,
} from '../../domain/reports/spc.ts'
import { capabilityOf, indicesOf, READINGS_MIN, type Tolerances } from '../../domain/reports/spc-capability.ts'
import { seriesColumns, seriesFileName } from '../../domain/reports/spc-files.ts'
import { causeTexts, seriesText } from '../../domain/reports/spc-names.ts'
import { BASE_WITH_SIGNALS, dataNotes, decimalsOf, decimalText, otherSizeText } from '../../domain/reports/spc-texts.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { listPlans, type StoredPlan } from '../store/control-plans.ts'
import { againWhenStored } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findCapabilityNaming } from '../store/settings.ts'
import {
  countWithoutSeries,
  findCaused,
  findLimits,
  insertCause,
  insertLimits,
  listNewest,
  listSeen,
  PANEL,
  type Span,
  type Cause as StoredCause,
  type StoredLimits,
} from '../store/spc.ts'
import { listMarks } from '../store/spc-marks.ts'
import { findSeries, listSeries, noteSeriesChanged, type SummedSeries, seriesHash } from '../store/spc-series.ts'
import { beginExport, recordAuditEvent } from '../upkeep/audit.ts'
import {
  isBaseUnexplained,
  noteSeen,
  readSeries,
  type SeriesReading,
  SIGNAL_DAYS,
  spanOf,
  sumUpSeries,
} from '../upkeep/control-charts.ts'
import { requirePeriod } from './charts.ts'

const placeOf = ({ filial, miniaplicador, terminal, bitola, caracteristica }: SeriesKey): SeriesPlace => ({
  branch: filial,
  unitKey: nameKey(miniaplicador),
  terminalKey: nameKey(terminal),
  gaugeMilli: bitola,
  characteristic: caracteristica,
})

const keyOf = ({ place, unit, terminal }: Pick<SummedSeries, 'place' | 'unit' | 'terminal'>): SeriesKey => ({
  filial: place.branch,
  miniaplicador: unit,
  terminal,
  bitola: place.gaugeMilli,
  caracteristica: place.characteristic,
})

/** Both days belong to it. */
function spanOfDays(days: { inicio?: string | undefined; fim?: string | undefined }, { config }: Call): Span {
  const { from, to } = requirePeriod(days)
  const startOf = (day: string) => dayStartMs(day, config.timeZone)
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { before: startOf(addDays(to, 1)) }),
  }
}

/** Tolerances of the plan in force for a series where it was measured last; none without a plan. */
function tolerancesOf(plans: readonly StoredPlan[], place: SeriesPlace, machine: string, at: number): Tolerances {
  const { terminalKey: terminal, gaugeMilli: gauge, unitKey: unit, branch, characteristic } = place
  const open = plans.map(({ plan, from, until }) => ({ ...plan, from, until }))
  const plan = planFor(open, { terminal, gauge, unit, machine, branch, at })
  const { low, high } = limitsOf(plan, characteristic, { forceMin: null }) ?? { low: null, high: null }
  return { lsl: low === null ? null : low / 1000, usl: high === null ? null : high / 1000 }
}

const groupOf = (terminalKey: string, gaugeMilli: number) => `${gaugeMilli} ${terminalKey}`

/** Series whose tool or terminal has this name, the worst first: one that sees no signals, most signals, the smallest index, no index. */
function listedOf(
  rows: readonly SummedSeries[],
  { plans, text, now }: { plans: readonly StoredPlan[]; text: string; now: number },
): SeriesRow[] {
  const plansOf = Map.groupBy(plans, ({ plan }) => groupOf(nameKey(plan.terminal), plan.bitola))
  const since = now - SIGNAL_DAYS * DAY_MS
  const wanted = nameKey(text)
  const indexOf = ({ place, summary: { readings, mean, sigma, machine } }: SummedSeries): number | null => {
    const open = plansOf.get(groupOf(place.terminalKey, place.gaugeMilli))
    if (!open || readings < READINGS_MIN || sigma === 0) return null
    const tolerances = tolerancesOf(open, place, machine, now)
    return indicesOf({ mean, sigma, nu: readings - 1, readings }, tolerances).pk?.valor ?? null
  }
  return rows
    .filter(({ place }) => place.unitKey.includes(wanted) || place.terminalKey.includes(wanted))
    .map((row) => ({ row, signals: row.summary.signalsAt.filter((at) => at > since).length, ppk: indexOf(row) }))
    .toSorted(
      (one, other) =>
        Number(other.row.summary.asksLimits) - Number(one.row.summary.asksLimits) ||
        other.signals - one.signals ||
        (one.ppk ?? Number.MAX_VALUE) - (other.ppk ?? Number.MAX_VALUE) ||
        (other.row.summary.measuredAt ?? 0) - (one.row.summary.measuredAt ?? 0),
    )
    .slice(0, SERIES_LISTED_MAX)
    .map(({ row, signals, ppk }) => ({
      serie: keyOf(row),
      amostras: row.summary.samples,
      ultima: toInstant(row.summary.measuredAt ?? 0),
      sinais7Dias: signals,
      fixarLimites: row.summary.asksLimits,
      ppk,
    }))
}

const causeReply = ({ cause, note, by, at }: StoredCause) => ({
  ...{ causa: cause, nota: note, por: by, em: toInstant(at) },
})

const signalsReply = (signals: readonly Signal[]) => signals.map(({ rule, chart }) => ({ regra: rule, carta: chart }))

function pointsOf({ samples, chart }: SeriesReading, seen: ReadonlyMap<string, Signal[]>): SeriesPoint[] {
  return samples.map(({ measurement, causes }, nth) => {
    const { mean = null, range = null, signals = [] } = chart.points[nth] ?? {}
    const isOver = (one: Signal) => !signals.some(({ rule, chart: of }) => rule === one.rule && of === one.chart)
    const [first] = causes
    return {
      ...{ medicao: measurement, media: mean, amplitude: range, sinais: signalsReply(signals) },
      causa: first ? causeReply(first) : null,
      causas: causes.map((one) => ({ ...causeReply(one), qualidade: one.isQuality === true })),
      vistos: signalsReply((seen.get(measurement.id) ?? []).filter(isOver)),
    }
  })
}

type Set = Pick<StoredLimits, 'from' | 'until' | 'reason' | 'by'> & { at: number | null }

const limitsReply = (limits: Limits, set: Set, isBaseBad: boolean): ControlLimits => ({
  tipo: limits.kind,
  n: limits.n,
  k: limits.k,
  de: toInstant(set.from),
  ate: toInstant(set.until),
  media: limits.mean,
  amplitudeMedia: limits.rangeMean,
  sigma: limits.sigma,
  lscMedia: limits.uclMean,
  licMedia: limits.lclMean,
  lscAmplitude: limits.uclRange,
  licAmplitude: limits.lclRange,
  preliminares: set.at === null,
  baseComSinais: isBaseBad,
  motivo: set.reason,
  por: set.by?.name ?? PANEL,
  em: set.at === null ? null : toInstant(set.at),
})

async function replyLimits(call: Call, place: SeriesPlace, reading: SeriesReading): Promise<ControlLimits | null> {
  const { chart, limits: stored, samples } = reading
  if (!chart.limits) return null
  const [first, last] = [samples[0]?.measuredAt ?? call.now(), samples.at(-1)?.measuredAt ?? call.now()]
  const preliminary = { from: first, until: last, reason: '', by: null, at: null }
  return limitsReply(
    chart.limits,
    stored ?? preliminary,
    stored !== null && (await isBaseUnexplained(call, place, stored)),
  )
}

/** Where a lot and a machine are first seen. */
function firstSeen(points: readonly SeriesPoint[]): Series['marcas'] {
  const seen = new Set<string>()
  return points.flatMap(({ medicao: { medidoEm: em, lote, maquina } }) =>
    [
      { em, tipo: 'lote' as const, texto: lote },
      { em, tipo: 'maquina' as const, texto: maquina },
    ].filter(({ tipo, texto }) => {
      const isNew = texto !== '' && !seen.has(`${tipo} ${texto}`)
      seen.add(`${tipo} ${texto}`)
      return isNew
    }),
  )
}

type SeriesQuery = Input<typeof spc.get>['query']

/** The series that a query names, as it is written, and what was measured in it; refuses one that was never measured. */
async function requireReading(query: SeriesQuery, call: Call) {
  requirePlant(query.filial, call)
  const span = spanOfDays(query, call)
  const place = placeOf({ ...query, bitola: Number(query.bitola) })
  const series = await findSeries(call.db.read, place)
  if (!series) throw new Refused('not_found')
  const reading = await readSeries(call, place, span)
  const points = pointsOf(reading, await listSeen(call.db.read, series.series))
  return { place, span, serie: keyOf(series), reading, points }
}

async function replySeries(query: SeriesQuery, call: Call): Promise<Series> {
  const { place, span, serie, reading, points: pontos } = await requireReading(query, call)
  const { samples, chart } = reading
  const { db, now } = call
  const limites = await replyLimits(call, place, reading)
  const isPeriod = span.from !== undefined || span.before !== undefined
  const { readings, hasSignals } = spanOf(reading, isPeriod)
  const plans = await listPlans(db.read, { branch: place.branch, terminal: serie.terminal, openAt: now() })
  const machine = samples.at(-1)?.measurement.maquina ?? ''
  const tolerances = tolerancesOf(plans, place, machine, now())
  const naming = await findCapabilityNaming(db.read)
  const first = samples[0]?.measuredAt
  // a period may end before the change
  const size = span.before === undefined ? sizeWithoutLimits(samples, reading.limits) : null
  const limitsNotes = [
    ...(size === null ? [] : [otherSizeText(size, reading.limits?.n ?? 0)]),
    ...(limites?.baseComSinais ? [BASE_WITH_SIGNALS] : []),
  ]
  const stretch = first === undefined ? null : { from: first, to: Math.min(now(), span.before ?? now()) }
  const marks = stretch === null ? [] : await listMarks(db.read, place, stretch)
  return {
    serie,
    pontos,
    cortado: reading.isCut,
    limites,
    capacidade: capabilityOf(readings, { tolerances, hasSignals, naming }),
    fixarLimites: size !== null,
    notas: [...limitsNotes, ...dataNotes(chart, samples, place.characteristic)],
    marcas: [...firstSeen(pontos), ...marks].toSorted((one, other) => (one.em < other.em ? -1 : 1)),
  }
}

/** Fixes limits from the samples of a period, without those that have a noted cause. */
async function setLimits({ serie, inicio, fim, motivo }: Input<typeof spc.setLimits>['body'], call: Call) {
  requirePlant(serie.filial, call)
  const { db, now, caller, config } = call
  const place = placeOf(serie)
  const span = spanOfDays({ inicio, fim }, call)
  const series = await findSeries(db.read, place)
  if (!series) throw new Refused('not_found')
  const found = await listNewest(db.read, place, span, SERIES_SAMPLES_MAX)
  const good = found.filter(({ isOut, causes }) => !isOut && causes.length === 0)
  const n = sizeOf(good)
  const used = good.filter(({ values }) => values.length === n)
  const [first, last] = [used[0], used.at(-1)]
  const base = used.length < PRELIMINARY_SAMPLES ? null : baseOf(used.map(({ values }) => readingsOf(values)))
  if (!first || !last || !base) {
    throw new Refused('spc_too_few', { values: { needed: PRELIMINARY_SAMPLES, count: used.length } })
  }
  const limits = limitsFrom(base)
  if (!limits) throw new Refused('spc_no_variation')
  const decimals = decimalsOf(place.characteristic, used)
  const textOf = (mean: number, rangeMean: number) =>
    `média ${decimalText(mean, decimals)}, amplitude ${decimalText(rangeMean, decimals)}`
  const hash = seriesHash(place)
  // as it is judged until now
  const judged = await readSeries(call, place)
  const stored = await againWhenStored(() =>
    db.transaction(async (tx) => {
      const was = await findLimits(tx, hash)
      const by = { userId: caller.userId, name: caller.fullName }
      const set = { from: first.measuredAt, until: last.measuredAt, reason: motivo.trim(), by, at: now() }
      const next = { ...base, ...set, version: (was?.version ?? 0) + 1 }
      await noteSeen(tx, hash, judged, now())
      await insertLimits(tx, hash, next, plantDay(now(), config.timeZone))
      await recordAuditEvent(tx, call, {
        action: 'limits_set',
        kind: 'series',
        id: hash,
        name: seriesText(keyOf(series)),
        reason: next.reason,
        was: was && { controlLimits: textOf(was.mean, was.rangeMean) },
        is: { controlLimits: textOf(base.mean, base.rangeMean) },
        details: { samples: base.k, samplePeriod: `${dayText(inicio)} a ${dayText(fim)}` },
      })
      await noteSeriesChanged(tx, [rowOf(series)])
      await noteChanges(tx, [{ topic: 'measurements', key: series.unit }], now())
      return next
    }),
  )
  return limitsReply(limits, stored, await isBaseUnexplained(call, place, stored))
}

const rowOf = ({ place, unit, terminal }: SummedSeries) => ({
  branch: place.branch,
  unit,
  unit_key: place.unitKey,
  terminal,
  terminal_key: place.terminalKey,
  gauge_milli: place.gaugeMilli,
  characteristic: place.characteristic,
})

type Cause = NonNullable<SeriesPoint['causa']>

/** One more line: nobody overwrites what somebody else has said. */
async function noteCause(id: string, body: Input<typeof spc.noteCause>['body'], call: Call): Promise<Cause> {
  const { db, now, caller } = call
  const { caracteristica, causa } = body
  const said: StoredCause = {
    ...{ cause: causa, note: (body.nota ?? '').trim(), by: caller.fullName || caller.username, userId: caller.userId },
    ...{ isQuality: isAllowed(caller.role, 'plans'), at: now() },
  }
  return await db.transaction(async (tx) => {
    const was = await findCaused(tx, id, caracteristica)
    if (!was) throw new Refused('not_found')
    const own = was.causes.find(({ userId }) => userId === caller.userId)
    // pressed twice
    if (own && own.cause === said.cause && own.note === said.note) return causeReply(own)
    await insertCause(tx, id, caracteristica, said)
    const { unit: miniaplicador, terminal, gauge_milli: bitola, branch: filial } = was
    const name = seriesText({ filial, miniaplicador, terminal, bitola: bitola ?? 0, caracteristica })
    const textsOf = ({ cause, note }: StoredCause) => ({ cause: causeTexts[cause], note })
    const change = { was: own ? textsOf(own) : null, is: textsOf(said) }
    await recordAuditEvent(tx, call, { action: 'cause_noted', kind: 'measurement', id, name, ...change })
    await noteSeriesChanged(tx, [was])
    await noteChanges(tx, [{ topic: 'measurements', key: miniaplicador }], said.at)
    return causeReply(said)
  })
}

export function spcRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, spc.list, async ({ query: { filial, texto = '' } }, call) => {
    requirePlant(filial, call)
    const { db, now } = call
    // what was measured a moment ago; where that is very much the rest follows within a minute
    await sumUpSeries(call)
    const plans = await listPlans(db.read, { branch: filial, openAt: now() })
    const series = listedOf(await listSeries(db.read, filial), { plans, text: texto, now: now() })
    return { series, semSerie: await countWithoutSeries(db.read, filial) }
  })

  bind(app, context, spc.get, ({ query }, call) => replySeries(query, call))

  bind(app, context, spc.csv, async ({ query }, call) => {
    const { serie, points } = await requireReading(query, call)
    const { timeZone } = call.config
    await beginExport(call, seriesFileName(serie, plantDay(call.now(), timeZone)))
    return csvOf(seriesColumns(points, timeZone), points)
  })

  bind(app, context, spc.setLimits, ({ body }, call) => setLimits(body, call))

  bind(app, context, spc.noteCause, ({ params: { id }, body }, call) => noteCause(id, body, call))
}
