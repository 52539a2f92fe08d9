import { isUltrasonic, type JunctionRecording } from '../../contract/junctions.ts'
import { captureWithoutQueue, captureWithReason } from '../acts/recordings.ts'
import { countText, readNumber } from '../text/numbers.ts'
import { type CorrectedForm, correctQuantity } from './form-edits.ts'
import type { CountedJunction } from './junctions.ts'

/** The typed quantity within its bounds. */
export function correctJunction<Form extends CountedJunction>(form: Form, piecesMax: number): CorrectedForm<Form> {
  const { text, warning } = correctQuantity(form.quantity, { min: 1, max: piecesMax })
  return { form: { ...form, quantity: text }, warnings: warning ? [warning] : [] }
}

export const junctionPiecesText = (piecesMax: number) => `De 1 a ${countText(piecesMax)} peças por apontamento`

/** The same act, told right. */
export function correctedJunction(recording: JunctionRecording, form: CountedJunction): JunctionRecording {
  const { captura, ...act } = recording
  const capture = captureWithReason(captureWithoutQueue(captura), form.limitReason)
  const common = {
    ...act,
    QTD_APONTADA: readNumber(form.quantity),
    FORCA: readNumber(form.force),
    MAQUINA: form.machine,
    captura: capture,
  }
  if (isUltrasonic(recording.GRUPO_MP)) return common
  return {
    ...common,
    ALTURA: readNumber(form.height),
    LOTE_TERMINAL: form.lot.trim(),
    ESTANQUEIDADE: form.tightness === 'Sim' ? 'Sim' : 'Não',
  }
}
