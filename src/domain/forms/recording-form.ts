import { type CutItem, type Part, parts } from '../../contract/items.ts'
import type { MeasurementForm, Occasion } from '../../contract/measurements.ts'
import type { Capture, CutCrimpRecording, LimitReason } from '../../contract/recordings.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { type AuthorNow, captureOf, openPieces, sectionOf } from '../acts/recordings.ts'
import { readNumber } from '../text/numbers.ts'
import { emptyFields, formFields } from './form-fields.ts'

export type SidePart = 'l1' | 'l2'

/** A measured value and what it was measured on. */
export type Measurement = {
  text: string
  /** False: the order's default, or nothing yet. */
  measured: boolean
  /** Lot and tool that the value belongs to; empty while unknown. */
  lot: string
  applicator: string
}

export type CableForm = {
  lot: string
  machine: string
  /** Null until somebody types: it then follows the balance. */
  quantity: string | null
  /** The machine is the device's last one, and nobody has chosen it for this. Never kept in a draft. */
  isMachineRemembered?: boolean
  /** Said at 'Registrar', and kept with the recording alone. */
  limitReason?: LimitReason | undefined
}

/** A sample taken for the work that a form is about. */
export type TakenSample = {
  id: string
  occasion: Occasion
  /** As it was taken here, at an instant in epoch ms; left out by a page of a version before. */
  made?: { form: MeasurementForm; measuredAt: number }
}

/** Samples of a form, beside its values. */
export type Sampled = {
  samples?: readonly TakenSample[] | undefined
  /** Two wires in one terminal: no plan speaks of that. */
  hasTwoWires?: boolean | undefined
}

/** Outcome of the check against the plan at 'Registrar'; kept with the recording alone. */
export type Judged = Pick<Capture, 'plano' | 'motivoForaDoPlano' | 'liberacao'>

export type SideForm = CableForm &
  Sampled & {
    judged?: Judged | undefined
    force: Measurement
    height: Measurement
    applicator: string
    station: string
    stationLookupFailed: boolean
  }

export type RecordingForms = { cabo: CableForm; l1: SideForm; l2: SideForm }

/** Values of the order that the form of a side starts with, which nobody has measured. */
export const defaultsOf = (item: CutItem, part: SidePart) =>
  part === 'l1'
    ? { pullForceMin: item.Z1_RMINL1, crimpHeightMm: item.Z1_DECAL1 }
    : { pullForceMin: item.Z1_RMINL2, crimpHeightMm: item.Z1_DECAL2 }

/** Whole pieces that may still be recorded. */
export const balancePieces = (item: CutItem, part: Part) => Math.floor(openPieces(item, part))

/**
 * Percent done, pieces on their way included. The ERP rounds its percentage to two decimals, so a section without
 * balance counts as complete whatever the sum says.
 */
export function completionPercent(item: CutItem, part: Part): number {
  if (item.Z1_QUANT <= 0) return sectionOf(item, part).percent
  const percent = sectionOf(item, part).percent + (100 * item.aguardandoErp[part]) / item.Z1_QUANT
  return balancePieces(item, part) === 0 ? Math.max(100, percent) : percent
}

/** Mean of the parts that the item has, for the badge of the whole item. */
export function itemCompletionPercent(item: CutItem): number {
  const present = parts.filter((part) => part === 'cabo' || sectionOf(item, part).terminal)
  const sum = present.reduce((total, part) => total + Math.min(100, completionPercent(item, part)), 0)
  return sum / present.length
}

/** Whole percent, cut off and not rounded: 100 is shown only when nothing is left to do. */
export const wholePercent = (percent: number) => Math.min(100, Math.max(0, Math.floor(percent + 1e-9)))

export const isSectionOpen = (item: CutItem, part: Part) => completionPercent(item, part) < 100

const heights = new Intl.NumberFormat('pt-BR', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 4, useGrouping: false },
})

export const heightText = (heightMm: number) => heights.format(heightMm)

/** With two decimals and comma; what is no number is shown as it came. */
export function gaugeText(gauge: string): string {
  const mm2 = readNumber(gauge)
  return Number.isNaN(mm2) ? gauge : mm2.toFixed(2).replace('.', ',')
}

export const quantityText = (form: CableForm, item: CutItem, part: Part) =>
  form.quantity ?? String(balancePieces(item, part))

/** The ERP separates fields by semicolon. */
export const cleanLot = (text: string) => text.replaceAll(';', '/')

/** Objection to a text that is surely no lot, in the words shown. */
export const lotError = (lot: string): string | undefined =>
  lot.trim().length === BARCODE_LENGTH ? 'Isto é o código do item, não um lote.' : undefined

export const machineText = (machine: { id: string; fabricante: string }) => `${machine.id} - ${machine.fabricante}`

/** The id in what `machineText` wrote. */
export const machineIdIn = (text: string): string => text.split(' - ')[0] ?? ''

/** Why each sample was taken is not said by what names it. */
export const sampledOf = ({ medicoes, doisFios }: Capture = {}): Sampled => ({
  ...(medicoes ? { samples: medicoes.map((id) => ({ id, occasion: 'avulsa' as const })) } : {}),
  ...(doisFios ? { hasTwoWires: true } : {}),
})

const missingItemMessage = 'Erro: Item não encontrado'

/** The ERP tells a cut from a crimp by it: without one it takes no cut of the item. */
export const hasCableCode = (item: CutItem): boolean => item.Z1_CODCABO.trim() !== ''

/** Objection to registering, in the words shown; null when there is none. */
export function refusalOf(item: CutItem | null, part: Part, forms: RecordingForms): string | null {
  if (!item) return missingItemMessage
  if (part === 'cabo' && !hasCableCode(item)) return 'Erro: O ERP não tem o código do cabo deste item. Avise o PCP.'
  if (part === 'cabo') return cableRefusal({ ...forms.cabo, quantity: quantityText(forms.cabo, item, part) })
  if (!sectionOf(item, part).terminal) return `Erro: Não há terminal no lado ${part.toUpperCase()} para este item`
  return sideRefusal(part, { ...forms[part], quantity: quantityText(forms[part], item, part) })
}

export const lotRefusal = (lot: string): string | null => {
  const error = lotError(lot)
  return error ? `Erro: ${error}` : null
}

type Quantified<Form extends CableForm> = Form & { quantity: string }

export const cableRefusal = (form: Quantified<CableForm>): string | null =>
  emptyFields(formFields.cable, form).length === 0
    ? lotRefusal(form.lot)
    : 'Erro: Preencha todos os campos obrigatórios do cabo (lote, máquina, quantidade)'

export const sideRefusal = (part: SidePart, form: Quantified<SideForm>): string | null =>
  emptyFields(formFields.side, form).length === 0
    ? lotRefusal(form.lot)
    : `Erro: Preencha todos os campos obrigatórios do terminal ${part.toUpperCase()} (lote, força, altura, máquina, quantidade, mini aplicador)`

type Author = AuthorNow & { displayName: string }

export const formCapture = ({
  isMachineRemembered,
  limitReason,
  samples = [],
  hasTwoWires,
}: Pick<CableForm, 'isMachineRemembered' | 'limitReason'> & Sampled) => ({
  ...(isMachineRemembered ? { maquinaLembrada: true } : {}),
  ...(limitReason ? { motivoForaDoLimite: limitReason } : {}),
  ...(samples.length > 0 ? { medicoes: samples.map(({ id }) => id) } : {}),
  ...(hasTwoWires ? { doisFios: true } : {}),
})

/** The ERP's payload of one act, and beside it what the ERP does not take. Ask `refusalOf` first. */
export function buildPayload(item: CutItem, part: Part, forms: RecordingForms, author: Author): CutCrimpRecording {
  const common = {
    EMPRESA: item.Z1_FILIAL,
    OPERADOR: author.displayName.trim() || 'N/A',
    ORDEM_PROD: item.Z1_OP,
    QTD_ORDEM_PROD: Math.floor(item.Z1_QUANT),
    QTD_REALIZADA: readNumber(quantityText(forms[part], item, part)),
    COD_BARRA: item.Z1_CODBAR,
    MAQUINA: forms[part].machine,
  }
  const capture = { ...captureOf(author), ...formCapture(forms[part]) }
  if (part === 'cabo') {
    return {
      ...common,
      COD_CABO: item.Z1_CODCABO,
      LOTE_CABO: forms.cabo.lot.trim(),
      COMPRIMENTO_CABO: item.Z1_COMPR,
      captura: capture,
    }
  }
  const form = forms[part]
  const { terminal, seal } = sectionOf(item, part)
  const sealing = seal && form.station ? { seal, station: form.station } : null
  const lookup = seal && form.stationLookupFailed ? { consultaSeladoraFalhou: true } : {}
  const named =
    part === 'l1'
      ? {
          TERM_LD1: terminal ?? '',
          ...(sealing ? { SELO_LD1: sealing.seal, SELADORA_LD1: sealing.station } : {}),
        }
      : {
          TERM_LD2: terminal ?? '',
          ...(sealing ? { SELO_LD2: sealing.seal, SELADORA_LD2: sealing.station } : {}),
        }
  return {
    ...{ ...common, ...named, ...crimpContent(part, form) },
    captura: { ...capture, ...measuredContent(form), ...lookup, ...form.judged },
  }
}

type Crimped = Pick<SideForm, 'lot' | 'applicator' | 'force' | 'height'>

/** The content of one side that was typed into its form. */
export function crimpContent(part: SidePart, { lot, applicator, force, height }: Crimped) {
  const [of, forceRead, heightMm] = [lot.trim(), readNumber(force.text), readNumber(height.text)]
  return part === 'l1'
    ? { LOTE_TERM_LD1: of, MA_LD1: applicator, FORCA_LD1: forceRead, ALTURA_LD1: heightMm }
    : { LOTE_TERM_LD2: of, MA_LD2: applicator, FORCA_LD2: forceRead, ALTURA_LD2: heightMm }
}

export const measuredContent = ({ force, height }: Pick<SideForm, 'force' | 'height'>) => ({
  ...{ medidoForca: force.measured, medidoAltura: height.measured },
})
