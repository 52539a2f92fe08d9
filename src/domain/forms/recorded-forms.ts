import type { Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { lotOf } from '../acts/recordings.ts'
import { heightText, type Measurement, type RecordingForms, type SideForm, sampledOf } from './recording-form.ts'

/** Fields that a person may correct of a recording that waits for one. Those of crimps are empty for a cut. */
export type CorrectionForm = SideForm & { quantity: string }

export function correctionFormOf(recording: CutCrimpRecording, part: Part): CorrectionForm {
  const side = part === 'l1' ? '1' : '2'
  const [force, heightMm] = [recording[`FORCA_LD${side}`], recording[`ALTURA_LD${side}`]]
  const { medidoForca = false, medidoAltura = false } = recording.captura ?? {}
  const measurement = (text: string, measured: boolean): Measurement => ({ text, measured, lot: '', applicator: '' })
  return {
    lot: lotOf(recording, part),
    applicator: recording[`MA_LD${side}`] ?? '',
    machine: recording.MAQUINA,
    quantity: String(recording.QTD_REALIZADA),
    force: measurement(String(force ?? ''), medidoForca),
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
