import { type CutItem, type Part, parts } from '../../contract/items.ts'
import type { MeasurementForm, Occasion } from '../../contract/measurements.ts'
import type { Capture, CutCrimpRecording, LimitReason } from '../../contract/recordings.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { type AuthorNow, captureOf, openPieces, sectionOf } from '../acts/recordings.ts'
import { readNumber, readWhole } from '../text/numbers.ts'
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

type CableForm = {
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
const balancePieces = (item: CutItem, part: Part) => Math.floor(openPieces(item, part))

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

export const heightText = (heightMm: number) =>
  heightMm.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 4, useGrouping: false })

/** With two decimals and comma; what is no number is shown as it came. */
export function gaugeText(gauge: string): string {
  const mm2 = readNumber(gauge)
  return Number.isNaN(mm2) ? gauge : mm2.toFixed(2).replace('.', ',')
}

export const quantityBounds = (item: CutItem | null, part: Part) => ({
  min: 1,
  max: item ? balancePieces(item, part) : 999,
})

export const quantityText = (form: CableForm, item: CutItem, part: Part) =>
  form.quantity ?? String(balancePieces(item, part))

type Corrected = { text: string; warning: string | null }
const unchanged = (text: string): Corrected => ({ text, warning: null })

/** Beyond a bound it becomes that bound; what is no whole number, or nothing, the lower one. */
export function correctQuantity(text: string, { min, max }: { min: number; max: number }): Corrected {
  const typed = readWhole(text)
  const value = Math.max(min, Math.min(max, Number.isNaN(typed) ? min : typed))
  if (value === typed) return unchanged(String(value))
  return {
    text: String(value),
    warning: `Quantidade deve estar entre ${min} e ${max}. Corrigido para ${value}`,
  }
}

/** Left empty it is asked for when the operator registers: a force that nobody measured must not become 1 by passing by. */
export function correctForce(text: string): Corrected {
  if (text.trim() === '') return unchanged('')
  const force = readWhole(text)
  if (force >= 1) return unchanged(String(force))
  return { text: '1', warning: 'Força de extração deve ser um número inteiro maior que 0. Corrigido para 1' }
}

export function correctHeight(text: string): Corrected {
  if (text.trim() === '') return unchanged('')
  const heightMm = readNumber(text)
  if (heightMm >= 0.01) return unchanged(heightText(heightMm))
  return { text: '0,01', warning: 'Altura de crimpagem deve ser maior que 0.00. Corrigido para 0.01' }
}

/** The ERP separates fields by semicolon. */
export const cleanLot = (text: string) => text.replaceAll(';', '/')

/** Objection to a text that is surely no lot, in the words shown. */
export const lotError = (lot: string): string | undefined =>
  lot.trim().length === BARCODE_LENGTH ? 'Isto é o código do item, não um lote.' : undefined

export const machineText = (machine: { id: string; fabricante: string }) => `${machine.id} - ${machine.fabricante}`

/** The id in what `machineText` wrote. */
export const machineIdIn = (text: string): string => text.split(' - ')[0] ?? ''

const notMeasured = (text: string): Measurement => ({ text, measured: false, lot: '', applicator: '' })

const emptyCable: CableForm = { lot: '', machine: '', quantity: null }

function freshSide(item: CutItem, part: SidePart): SideForm {
  const { pullForceMin, crimpHeightMm } = defaultsOf(item, part)
  return {
    ...emptyCable,
    force: notMeasured(pullForceMin ? String(Math.ceil(pullForceMin)) : ''),
    height: notMeasured(crimpHeightMm ? heightText(crimpHeightMm) : ''),
    applicator: '',
    station: '',
    stationLookupFailed: false,
  }
}

export const freshForms = (item: CutItem): RecordingForms => ({
  cabo: emptyCable,
  l1: freshSide(item, 'l1'),
  l2: freshSide(item, 'l2'),
})

export const typedMeasurement = (text: string): Measurement => ({
  ...notMeasured(text),
  measured: text.trim() !== '',
})

const isOther = (of: string, now: string) => of !== '' && now !== '' && of !== now

/**
 * A new reel or a new tool makes another crimp: a value that belongs to the previous lot or mini applicator is
 * emptied, so that it is measured again (TE 114-94467). A value whose lot or tool was not known yet takes them on.
 */
export function settleMeasurements(form: SideForm): SideForm {
  const settle = (value: Measurement): Measurement => {
    if (isOther(value.lot, form.lot) || isOther(value.applicator, form.applicator)) return notMeasured('')
    if (!value.measured) return value
    return { ...value, lot: value.lot || form.lot, applicator: value.applicator || form.applicator }
  }
  const settled = { ...form, force: settle(form.force), height: settle(form.height) }
  const isEmptied = [form.force, form.height].some(
    (value) => isOther(value.lot, form.lot) || isOther(value.applicator, form.applicator),
  )
  return isEmptied && form.samples ? { ...settled, samples: undefined } : settled
}

/** Most of what one recording may name. */
const SAMPLES_MAX = 20

/** The form after a sample: what it says to the ERP was measured, and the recording names the sample. */
export function withSample<Form extends Sampled>(form: Form, sample: TakenSample): Form {
  return { ...form, samples: [...(form.samples ?? []), sample].slice(-SAMPLES_MAX) }
}

/** The form without a sample that was not taken after all. */
export const withoutSample = <Form extends Sampled>(form: Form, id: string): Form => ({
  ...form,
  samples: form.samples?.filter((sample) => sample.id !== id),
})

/** Why each sample was taken is not said by what names it. */
export const sampledOf = ({ medicoes, doisFios }: Capture = {}): Sampled => ({
  ...(medicoes ? { samples: medicoes.map((id) => ({ id, occasion: 'avulsa' as const })) } : {}),
  ...(doisFios ? { hasTwoWires: true } : {}),
})

export type CorrectedForm<Form> = { form: Form; warnings: string[] }

/** The typed quantity within its bounds. A quantity that nobody typed follows the balance and needs no correction. */
export function correctCable<Form extends CableForm>(
  form: Form,
  item: CutItem | null,
  part: Part,
): CorrectedForm<Form> {
  if (form.quantity === null) return { form, warnings: [] }
  const { text, warning } = correctQuantity(form.quantity, quantityBounds(item, part))
  return { form: { ...form, quantity: text }, warnings: warning ? [warning] : [] }
}

/** As `correctCable`, and force and height. A corrected value was measured by nobody. */
export function correctSide(form: SideForm, item: CutItem | null, part: SidePart): CorrectedForm<SideForm> {
  const cable = correctCable(form, item, part)
  const force = correctForce(form.force.text)
  const height = correctHeight(form.height.text)
  const apply = (value: Measurement, { text, warning }: Corrected) => (warning ? notMeasured(text) : { ...value, text })
  return {
    form: { ...cable.form, force: apply(form.force, force), height: apply(form.height, height) },
    warnings: [force.warning, height.warning, ...cable.warnings].filter((warning) => warning !== null),
  }
}

/** After a recording: lot, tool and machine stay for the next one, the quantity follows the new balance. */
export const carriedCable = (form: CableForm): CableForm => ({ ...form, quantity: null })

/** As `carriedCable`. What was measured was measured for what is recorded: it is shown, and measured by nobody since. */
export function carriedSide(form: SideForm): SideForm {
  const of = { measured: false, lot: form.lot, applicator: form.applicator }
  const values = { force: { ...form.force, ...of }, height: { ...form.height, ...of } }
  return { ...form, samples: undefined, quantity: null, ...values }
}

/** The form as typed while a recording was on its way, without what that one has measured and named. */
export function typedMeanwhile(form: SideForm, recorded: SideForm): SideForm {
  const since = (value: Measurement, { text }: Measurement): Measurement =>
    value.text === text ? { ...value, measured: false } : value
  const isNamed = ({ id }: TakenSample) => recorded.samples?.some((sample) => sample.id === id)
  return {
    ...form,
    samples: form.samples?.filter((sample) => !isNamed(sample)),
    force: since(form.force, recorded.force),
    height: since(form.height, recorded.height),
  }
}

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
