import type { JunctionRecording } from '../../contract/junctions.ts'
import type { Characteristic, MeasurementForm, MeasuringContext } from '../../contract/measurements.ts'
import { type CutCrimpRecording, partOf } from '../../contract/recordings.ts'
import type { TakenSample } from '../forms/recording-form.ts'
import { usedIn } from '../reports/traces.ts'
import { formValues, type NamedReadings, ownReadings, type Readings } from './sampling.ts'

/** A sample in this device's queue; typed: into a recording that waits there. */
export type WaitingSample = {
  id: string
  form: MeasurementForm
  measuredAt: number
  isTyped?: true
  /** Readings of the samples that it was typed over. */
  over?: Partial<Record<Characteristic, { values: Readings }>>
}

/**
 * Samples that only this device knows: those of its queue, and readings that a form has taken which neither the queue nor the server's
 * list shows, because they are on their way or have a newer one in their place.
 */
export function samplesOfDevice(
  queued: readonly WaitingSample[],
  taken: readonly TakenSample[],
  { ultimas }: Pick<MeasuringContext, 'ultimas'>,
): WaitingSample[] {
  const isSame = (id: string) => (other: { id: string }) => other.id.toLowerCase() === id.toLowerCase()
  const unseen = taken.flatMap(({ id, made }) => {
    if (!made || queued.some(isSame(id))) return []
    const shown = ultimas.filter(isSame(id)).map(({ caracteristica }) => caracteristica)
    const leituras = made.form.leituras.filter(({ caracteristica }) => !shown.includes(caracteristica))
    return leituras.length === 0 ? [] : [{ id, measuredAt: made.measuredAt, form: { ...made.form, leituras } }]
  })
  return [...queued, ...unseen]
}

/** Where the readings of an act can be found by its id. */
type KnownActs = { waiting: readonly WaitingSample[]; context: MeasuringContext; nominal: number | null }

/** The newest reading of each characteristic in the acts of these ids, as a form made a value of it. */
export function namedReadings(ids: readonly string[], { waiting, context, nominal }: KnownActs) {
  const named = new Set(ids.map((id) => id.toLowerCase()))
  const found = [
    ...context.ultimas.map(({ id, caracteristica, valores, medidoEm }) => ({
      ...{ id, characteristic: caracteristica, values: valores, measuredAt: Date.parse(medidoEm) },
    })),
    ...waiting.flatMap(({ id, form, measuredAt }) =>
      form.leituras.map(({ caracteristica, valores }) => ({
        ...{ id, characteristic: caracteristica, values: valores, measuredAt },
      })),
    ),
  ]
  const newest: Partial<Record<Characteristic, { id: string; values: Readings; nominal: number | null }>> = {}
  const known = new Set<string>()
  for (const one of found.toSorted((before, after) => after.measuredAt - before.measuredAt)) {
    if (!named.has(one.id.toLowerCase())) continue
    known.add(one.id.toLowerCase())
    newest[one.characteristic] ??= { id: one.id, values: one.values as unknown as Readings, nominal }
  }
  return { areAllKnown: known.size === named.size, newest } satisfies NamedReadings
}

type OwnWork = Omit<MeasurementForm, 'leituras' | 'ocasiao' | 'doisFios' | 'captura' | 'acao'>

/**
 * The work of an end or a junction; null: nothing of it is measured. `welded`: the terminal of a junction whose
 * recording names none.
 */
function workIn(payload: CutCrimpRecording | JunctionRecording, welded: string): OwnWork | null {
  if ('TIPO_REGISTRO' in payload) {
    const { FILIAL: filial, NUMERO_OP: ordem, POSICAO: posicao, MAQUINA: maquina, LOTE_TERMINAL: lote = '' } = payload
    return { filial, ordem, posicao, parte: 'juncao', terminal: payload.TERMINAL ?? welded, maquina, lote }
  }
  const parte = partOf(payload)
  if (parte === null || parte === 'cabo') return null
  const { codigo: terminal, miniaplicador } = usedIn(parte, payload)
  const { EMPRESA: filial, COD_BARRA: codigoBarras, ORDEM_PROD: ordem, MAQUINA: maquina } = payload
  const lote = parte === 'l1' ? payload.LOTE_TERM_LD1 : payload.LOTE_TERM_LD2
  return { filial, codigoBarras, ordem, parte, terminal, maquina, miniaplicador, lote }
}

/** Samples that a recording in this device's queue measured itself: typed by hand, or over the samples that it names. */
export function ownSamples(
  of: { id: string; payload: CutCrimpRecording | JunctionRecording; measuredAt: number; welded?: string },
  known: KnownActs,
): WaitingSample[] {
  const { id, payload, measuredAt, welded = '' } = of
  const work = workIn(payload, welded)
  const { captura: capture = null } = payload
  if (work === null) return []
  const named = namedReadings(capture?.medicoes ?? [], known)
  const readings = ownReadings(formValues(work.parte, payload, capture), named)
  if (readings.length === 0) return []
  const form: MeasurementForm = {
    ...{ ...work, ocasiao: 'avulsa' },
    ...(capture?.doisFios ? { doisFios: true } : {}),
    leituras: readings.map(({ characteristic, values }) => ({ caracteristica: characteristic, valores: [...values] })),
  }
  return [{ id, form, measuredAt, isTyped: true, over: named.newest }]
}
