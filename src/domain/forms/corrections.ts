import type { CutItem, Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { captureWithoutQueue, captureWithReason } from '../acts/recordings.ts'
import { readNumber } from '../text/numbers.ts'
import {
  type CorrectedForm,
  cableRefusal,
  correctCable,
  correctSide,
  crimpContent,
  heightText,
  type Measurement,
  measuredContent,
  quantityBounds,
  type RecordingForms,
  type SideForm,
  sampledOf,
  sideRefusal,
} from './recording-form.ts'

/** Fields that a person may correct of a recording that waits for one. Those of crimps are empty for a cut. */
export type CorrectionForm = SideForm & { quantity: string }

type Side = { lot: string; applicator: string; force: number | undefined; heightMm: number | undefined }

function sideOf(recording: CutCrimpRecording, part: Part): Side {
  const [lot, applicator, force, heightMm] =
    part === 'cabo'
      ? [recording.LOTE_CABO]
      : part === 'l1'
        ? [recording.LOTE_TERM_LD1, recording.MA_LD1, recording.FORCA_LD1, recording.ALTURA_LD1]
        : [recording.LOTE_TERM_LD2, recording.MA_LD2, recording.FORCA_LD2, recording.ALTURA_LD2]
  return { lot: lot ?? '', applicator: applicator ?? '', force, heightMm }
}

export function correctionFormOf(recording: CutCrimpRecording, part: Part): CorrectionForm {
  const { lot, applicator, force, heightMm } = sideOf(recording, part)
  const { medidoForca = false, medidoAltura = false } = recording.captura ?? {}
  const measurement = (text: string, measured: boolean): Measurement => ({ text, measured, lot: '', applicator: '' })
  return {
    lot,
    applicator,
    machine: recording.MAQUINA,
    quantity: String(recording.QTD_REALIZADA),
    force: measurement(force === undefined ? '' : String(force), medidoForca),
    height: measurement(heightMm === undefined ? '' : heightText(heightMm), medidoAltura),
    station: '',
    stationLookupFailed: false,
  }
}

/** A recording that nobody took, as its form was filled in: registered again it says the same. */
export function formsOf(recording: CutCrimpRecording, part: Part): Partial<RecordingForms> {
  const form = correctionFormOf(recording, part)
  const { lot, machine, quantity } = form
  if (part === 'cabo') return { cabo: { lot, machine, quantity } }
  const station = (part === 'l1' ? recording.SELADORA_LD1 : recording.SELADORA_LD2) ?? ''
  const { consultaSeladoraFalhou = false } = recording.captura ?? {}
  return { [part]: { ...form, ...sampledOf(recording.captura), station, stationLookupFailed: consultaSeladoraFalhou } }
}

/** Objection to a correction with an empty field, in the words shown; null when none is empty. */
export const correctionRefusal = (form: CorrectionForm, part: Part): string | null =>
  part === 'cabo' ? cableRefusal(form) : sideRefusal(part, form)

/** The item as it is without this recording, whose pieces a correction puts back first; null when it is not known. */
export function itemWithout(item: CutItem | null, part: Part, piecesOnWay: number): CutItem | null {
  if (!item) return null
  const rest = Math.max(0, item.aguardandoErp[part] - piecesOnWay)
  return { ...item, aguardandoErp: { ...item.aguardandoErp, [part]: rest } }
}

/** Brings what was typed within its bounds. Where nothing is left, the answer of the server says so. */
export function settleCorrection(
  form: CorrectionForm,
  item: CutItem | null,
  part: Part,
): CorrectedForm<CorrectionForm> {
  const bounding = quantityBounds(item, part).max > 0 ? item : null
  const { form: settled, warnings } =
    part === 'cabo' ? correctCable(form, bounding, part) : correctSide(form, bounding, part)
  return { form: { ...settled, quantity: settled.quantity ?? '' }, warnings }
}

/** The same act, told right. */
export function correctedRecording(recording: CutCrimpRecording, part: Part, form: CorrectionForm): CutCrimpRecording {
  const { captura, ...act } = recording
  const capture = captureWithReason(captureWithoutQueue(captura), form.limitReason)
  const common = { ...act, QTD_REALIZADA: readNumber(form.quantity), MAQUINA: form.machine }
  if (part === 'cabo') return { ...common, LOTE_CABO: form.lot.trim(), captura: capture }
  return { ...common, ...crimpContent(part, form), captura: { ...capture, ...measuredContent(form) } }
}
