import type { FastifyInstance } from 'fastify'
import {
  characteristics,
  type Measurement,
  type MeasurementAnswer,
  type MeasurementForm,
  type MeasuringContext,
  measurements,
  type RecentSeries,
} from '../../contract/measurements.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { measuredText, type Readings } from '../../domain/quality/sampling.ts'
import { FIXED_SAMPLES } from '../../domain/reports/spc.ts'
import { samplesText } from '../../domain/reports/trace-samples.ts'
import { BADGE_REMOVED } from '../../domain/text/badge-texts.ts'
import { acceptAct } from '../acts/accept-act.ts'
import { lotRefusal } from '../acts/lots.ts'
import { findMeasured, insertAct, type MeasuredPlace } from '../acts/measuring.ts'
import { actOf } from '../acts/work.ts'
import { bind } from '../http/bind.ts'
import { type Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { listApplicators } from '../store/applicators.ts'
import { listPlans, replyOf } from '../store/control-plans.ts'
import type { Tx } from '../store/db/db.ts'
import { listInstruments } from '../store/instruments.ts'
import { changesOfAct, noteChanges } from '../store/live-changes.ts'
import {
  confirmSamples,
  findAct,
  findInvalidation,
  findTools,
  invalidateAct,
  isDoubted,
  listMade,
  listMeasurements,
  listRecent,
  listSamples,
} from '../store/measurements.ts'
import { findLimits } from '../store/spc.ts'
import { seriesHash } from '../store/spc-series.ts'
import { countSuspectPieces } from '../store/suspect-recordings.ts'
import { recordAuditEvent, signed } from '../upkeep/audit.ts'
import { readSeries } from '../upkeep/control-charts.ts'

export function measurementRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, measurements.context, ({ params, query: { filial: branch } }, call) =>
    contextOf(
      (['l1', 'l2'] as const).map((part) => ({
        ...{ part, branch, barcode: params.codigoBarras, orderNumber: '', position: '' },
      })),
      call,
    ),
  )

  bind(app, context, measurements.junctionContext, ({ query: { filial, numeroOp, posicao } }, call) =>
    contextOf([{ part: 'juncao', branch: filial, barcode: '', orderNumber: numeroOp, position: posicao }], call),
  )

  bind(app, context, measurements.list, ({ query: { filial, codigoBarras, ordem = '', posicao = '' } }, { db }) =>
    listMeasurements(
      db.read,
      codigoBarras === undefined
        ? { 'm.branch': filial, 'm.order_number': ordem, 'm.position': posicao }
        : { 'm.branch': filial, 'm.barcode': codigoBarras },
    ),
  )

  bind(app, context, measurements.create, ({ body }, call) => create(body, call))

  bind(app, context, measurements.invalidate, ({ params, body: { motivo } }, call) =>
    invalidate(params.id.toLowerCase(), true, motivo.trim(), call),
  )

  bind(app, context, measurements.takeBack, ({ params, body: { motivo } }, call) =>
    invalidate(params.id.toLowerCase(), false, motivo.trim(), call),
  )
}

/** Nothing of the ERP is needed: whatever comes from a tablet's queue is taken, also without a session to be trusted. */
function create({ captura, ...content }: MeasurementForm, call: Call): Promise<Answer<MeasurementAnswer>> {
  const { db } = call
  const act = { ...actOf(captura, call), branch: content.filial }
  const place: MeasuredPlace = {
    branch: content.filial,
    part: content.parte,
    barcode: content.codigoBarras ?? '',
    orderNumber: content.ordem,
    position: content.posicao ?? '',
  }
  const measuring = {
    ...place,
    ...act,
    recordingId: null,
    unit: content.miniaplicador ?? '',
    machine: content.maquina,
    lot: content.lote?.trim() ?? '',
    instrument: content.instrumento?.trim() ?? '',
    occasion: content.ocasiao,
    hasTwoWires: content.doisFios === true,
    readings: content.leituras.map(({ caracteristica, valores }) => ({
      characteristic: caracteristica,
      values: valores as unknown as Readings,
    })),
    action: content.acao ?? null,
    measuredAt: act.recordedAt,
    isCounted: true,
    isTrusted: call.caller.retention === null,
    isSaved: captura?.salvoNoDispositivo === true,
  }
  const getAct = async (tx: Tx) => {
    const stored = await findAct(tx, act.id)
    if (!stored) throw new Error('the act that was just stored is not there')
    return stored
  }
  return acceptAct(act, call, async () => ({
    find: (tx) => findAct(tx, act.id),
    async again(tx, stored, isTrusted) {
      if (!isTrusted || !stored.rows.some(isDoubted)) return { stored, changes: [] }
      await confirmSamples(tx, stored.rows, stored.rows[0]?.user_id ?? act.userId)
      return { stored: await getAct(tx), changes: changesOfAct(stored.rows) }
    },
    async insert(tx) {
      const terminal = content.terminal ?? (await findMeasured(tx, place))?.terminal ?? ''
      const wrong = measuring.lot.includes(BADGE_REMOVED) || (await lotRefusal(tx, measuring.lot, call))
      if (wrong && wrong !== true && !measuring.isSaved) throw new Refused(wrong.refused, { values: wrong.values })
      const lot = wrong ? { lot: '', isLotRemoved: true } : {}
      const { rows } = await insertAct(tx, { ...measuring, ...lot, terminal }, call)
      return { stored: await getAct(tx), changes: changesOfAct(rows) }
    },
    isDoubted: ({ rows }) => rows.some(isDoubted),
    async answer({ measurements: medicoes, rows }) {
      const verdicts = medicoes.map(({ veredito }) => veredito)
      const suspect = verdicts.includes('fora') ? await countSuspectPieces(db.read, rows) : null
      const message = measuredText(verdicts, suspect)
      const said = { message, status: 'enviado' as const, item: null, medicoes }
      return { code: 201, body: { ...said, pecasDesdeABoa: suspect?.pieces ?? null } }
    },
  }))
}

/** Out of the charts, or back in. The same said again by the same person is a double tap, or an answer that was lost. */
async function invalidate(id: string, isOut: boolean, reason: string, call: Call): Promise<Measurement[]> {
  const by = signed(call)
  return await call.db.transaction(async (tx) => {
    const isDone = await invalidateAct(tx, id, isOut, { ...by, reason })
    const found = await findAct(tx, id)
    const [first] = found?.measurements ?? []
    if (!found || !first) throw new Refused('not_found')
    if (!isDone) {
      const last = await findInvalidation(tx, id)
      const isAgain = last?.reason === reason && last.userId === by.userId
      if (!isAgain) throw new Refused(isOut ? 'measurement_invalid' : 'measurement_counts')
      return found.measurements
    }
    const said = found.measurements.map(({ caracteristica, valores }) => samplesText(caracteristica, valores))
    await recordAuditEvent(tx, call, {
      action: isOut ? 'measurement_invalidated' : 'measurement_taken_back',
      kind: 'measurement',
      id,
      name: `OP ${first.ordem}`,
      reason,
      was: { measurementCounts: isOut },
      is: { measurementCounts: !isOut },
      details: { terminal: first.terminal, readings: said.join(', ').toLowerCase() },
    })
    await noteChanges(tx, changesOfAct(found.rows), by.at)
    return found.measurements
  })
}

type Found = { part: Measurement['parte']; branch: string; orderNumber: string; terminal: string; gauge: number }

/** An end with each tool that it may be crimped with, and what was measured of its order. */
async function sideOf({ part, terminal, ...work }: Found, { db: { read } }: Call) {
  const isJunction = part === 'juncao'
  const parts: Measurement['parte'][] = isJunction ? ['juncao'] : ['l1', 'l2']
  const isHere = ({ terminalKey }: { terminalKey: string }) => terminalKey === nameKey(terminal)
  const samples = (await listSamples(read, { ...work, parts })).filter(isHere)
  const made = (await listMade(read, { ...work, parts })).filter(isHere)
  const pairs = isJunction ? [] : await listApplicators(read, { terminal })
  const units = isJunction ? [''] : pairs.map(({ miniaplicator }) => miniaplicator)
  const tools = await findTools(read, units.map(nameKey))
  const lados = units.map((unit): MeasuringContext['lados'][number] => {
    const isUnit = ({ unitKey }: { unitKey: string }) => unitKey === nameKey(unit)
    const tool = tools.get(nameKey(unit))
    const lastAt = Math.max(0, ...made.filter(isUnit).map((one) => one.lastAt))
    const since = samples.filter((one) => isUnit(one) && one.recordingId === null && one.measuredAt > lastAt)
    const sinceOf = (characteristic: 'altura' | 'forca') =>
      since.flatMap(({ measurement }) => (measurement.caracteristica === characteristic ? [measurement.id] : []))
    return {
      parte: part,
      miniaplicador: unit,
      ciclo: tool?.cycle ?? null,
      manutencaoEm: tool?.maintainedAt ? toInstant(tool.maintainedAt) : null,
      saldo: made.filter(isUnit).reduce((sum, { pieces }) => sum + pieces, 0),
      amostras: [...new Set(since.map(({ measurement }) => measurement.id))],
      amostrasDe: { altura: sinceOf('altura'), forca: sinceOf('forca') },
    }
  })
  // in their order: one of a clock that ran ahead is the newest for no tablet either
  const inOrder = samples.map(({ measurement, measuredAt }) => ({ ...measurement, medidoEm: toInstant(measuredAt) }))
  return { lados, ultimas: newestOfEach(inOrder) }
}

/** The charts of a terminal; without a tool there is none. */
async function seriesOf({ branch, terminal, gauge }: Found, units: readonly string[], call: Call) {
  const { db } = call
  const found: RecentSeries[] = []
  for (const unit of units.filter((name) => name !== '')) {
    for (const characteristic of characteristics) {
      const [unitKey, terminalKey] = [nameKey(unit), nameKey(terminal)]
      const place = { branch, unitKey, terminalKey, gaugeMilli: gauge, characteristic }
      const samples = await listRecent(db.read, place)
      if (samples.length === 0) continue
      const amostras = samples.map(({ id, valores, veredito, medidoEm }) => ({ id, valores, veredito, medidoEm }))
      const stored = await findLimits(db.read, seriesHash(place))
      // the newest 25 alone would be other limits with each sample
      const limits = stored ?? (samples.length < FIXED_SAMPLES ? null : (await readSeries(call, place)).limits)
      const base = limits && { n: limits.n, media: limits.mean, amplitudeMedia: limits.rangeMean }
      found.push({ miniaplicador: unit, terminal, bitola: gauge, caracteristica: characteristic, base, amostras })
    }
  }
  return found
}

/** Facts for measuring the ends of an item, or a junction. Without a copy or a gauge: the instruments alone. */
async function contextOf(places: readonly MeasuredPlace[], call: Call): Promise<MeasuringContext> {
  const { read } = call.db
  const instrumentos = await listInstruments(read)
  const context: MeasuringContext = { planos: [], instrumentos, ultimas: [], lados: [], series: [] }
  const done = new Set<string>()
  for (const { part, branch, ...place } of places) {
    const found = await findMeasured(read, { part, branch, ...place })
    if (!found || found.gauge === null || found.terminal === '') continue
    const { terminal, gauge, orderNumber } = found
    const side = { part, branch, orderNumber, terminal, gauge }
    const { lados, ultimas } = await sideOf(side, call)
    context.lados.push(...lados)
    // both ends may have one terminal
    if (done.has(nameKey(terminal))) continue
    done.add(nameKey(terminal))
    const open = await listPlans(read, { branch, terminal, openAt: call.now() })
    context.planos.push(...open.filter(({ plan }) => plan.bitola === gauge).map(replyOf))
    context.ultimas.push(...ultimas)
    const units = lados.map(({ miniaplicador }) => miniaplicador)
    context.series.push(...(await seriesOf(side, units, call)))
  }
  return context
}

/**
 * The newest samples for each characteristic, tool, machine and lot, out of those of one terminal, newest first: one
 * judged and one not, one typed and one measured. A typed one outside is not hidden by a good one, since a plan may not
 * count that.
 */
function newestOfEach(samples: readonly Measurement[]): Measurement[] {
  const newest = new Map<string, Measurement>()
  for (const sample of samples) {
    const { caracteristica, miniaplicador, maquina, lote, veredito, digitado } = sample
    const of = [veredito === 'sem-plano', digitado, digitado && veredito === 'fora']
    const key = JSON.stringify([caracteristica, nameKey(miniaplicador), maquina, lote, ...of])
    if (!newest.has(key)) newest.set(key, sample)
  }
  return [...newest.values()]
}
