import type { Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { heightText, type Measurement, type RecordingForms, type SideForm, sampledOf } from './recording-form.ts'

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
