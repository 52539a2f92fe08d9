import type { CutItem, Part } from '../../contract/items.ts'
import { readNumber, readWhole } from '../text/numbers.ts'
import {
  balancePieces,
  type CableForm,
  defaultsOf,
  heightText,
  type Measurement,
  type RecordingForms,
  type Sampled,
  type SideForm,
  type SidePart,
  type TakenSample,
} from './recording-form.ts'

export const quantityBounds = (item: CutItem | null, part: Part) => ({
  min: 1,
  max: item ? balancePieces(item, part) : 999,
})

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
