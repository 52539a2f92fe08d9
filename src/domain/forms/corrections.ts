import type { CutItem, Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { captureWithoutQueue, captureWithReason } from '../acts/recordings.ts'
import { readNumber } from '../text/numbers.ts'
import { type CorrectedForm, correctCable, correctSide, quantityBounds } from './form-edits.ts'
import type { CorrectionForm } from './recorded-forms.ts'
import { cableRefusal, crimpContent, measuredContent, sideRefusal } from './recording-form.ts'

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
