import { Fragment, type ReactNode } from 'react'
import { type Field, type FieldForm, type FieldName, textOf } from '../../domain/forms/form-fields.ts'
import { forceLimit, heightLimit } from '../../domain/forms/order-limits.ts'
import type { Measurement } from '../../domain/forms/recording-form.ts'
import { deferred } from '../device/deferred.ts'
import type { FieldCursor } from '../parts/fields/cursor.ts'
import {
  JudgedField,
  LotField,
  MeasurementField,
  PickField,
  QuantityField,
  type QuantityProps,
} from '../parts/fields/fields.tsx'
import { lateDialog } from '../parts/Late.tsx'
import { useSettings } from '../parts/settings.ts'
import { SelectField } from '../ui/SelectField.tsx'
import type { Judged } from './usePlan.ts'

/** Fields of one part: what stands in them, and what becomes of what is typed. */
export type FieldsControl = {
  form: FieldForm & { isMachineRemembered?: boolean }
  /** Fields that can be filled in; others are drawn, and closed. */
  open: readonly Field[]
  change: (name: FieldName, value: string | Measurement) => void
  onPick: (name: FieldName) => void
  onLeave?: (name: FieldName) => void
  cursorOf?: (name: FieldName, hasKeyboard: boolean) => FieldCursor
  /** Objection at a field that 'Registrar' has missed, or that was refused. */
  missing?: (name: FieldName) => string | undefined
  offeredLot?: string | undefined
  /** Limits that the order asks for. */
  limits: { pullForceMin: number | null; crimpHeightMm: number | null }
  /** How the plan judges what was measured. */
  judgements?: Judged['judgements'] | undefined
  quantity: Pick<QuantityProps, 'isTyped' | 'balancePieces' | 'age' | 'hint'> & { text: string }
}

type About = { label?: string; error?: string | undefined; note?: ReactNode; below?: ReactNode }

type Props = FieldsControl & {
  fields: readonly Field[]
  /** ' do lado 1': tells its lists from others of the screen. */
  of?: string
  /** Class of the box around each field. */
  span?: string
  /** Label, fault, note and what stands below a field, where they differ. */
  about?: Partial<Record<FieldName, About>>
}

/** The list that a 'Selecionar' button opens: its script comes late, for corrections too. */
export const FieldSelector = lateDialog(
  deferred(async () => (await import('./Selectors.tsx')).Selectors, { warm: ['soon'] }),
)

/** Draws rows of the table of fields. To be laid out by a grid around it. */
export function WorkFields({ fields, span, ...props }: Props) {
  const { forceUnit } = useSettings()
  return fields.map((field) => {
    const drawn = (
      <>
        <WorkField {...{ field, forceUnit }} {...props} />
        {props.about?.[field.name]?.below}
      </>
    )
    return span ? (
      <div key={field.name} className={span}>
        {drawn}
      </div>
    ) : (
      <Fragment key={field.name}>{drawn}</Fragment>
    )
  })
}

type WorkFieldProps = Omit<Props, 'fields' | 'span'> & { field: Field; forceUnit: string }

function WorkField({ field, forceUnit, of = '', about, ...control }: WorkFieldProps) {
  const { name, kind, unit, decimals = 0, lengthMax = 7 } = field
  const { form, change, limits } = control
  const said = about?.[name]
  const unitText = unit === 'force' ? forceUnit : unit
  const label = said?.label ?? (unitText ? `${field.label} (${unitText})` : field.label)
  const value = form[name]
  const common = {
    ...{ label, placeholder: field.placeholder, isDisabled: !control.open.includes(field) },
    // no scanner fills in what was measured: its keyboard comes with the cursor
    cursor: control.cursorOf?.(name, kind === 'reading'),
    error: control.missing?.(name) ?? said?.error,
    onBlur: () => control.onLeave?.(name),
    value: textOf(value),
    onChange: (text: string) => change(name, text),
  }
  if (kind === 'lot') return <LotField {...common} offered={control.offeredLot} />
  if (kind === 'quantity') return <QuantityField {...common} {...control.quantity} value={control.quantity.text} />
  if (kind === 'choice') return <SelectField {...common} options={['Sim', 'Não']} />
  if (kind === 'pick') {
    return (
      <PickField
        {...common}
        note={said?.note}
        isRemembered={name === 'machine' && form.isMachineRemembered}
        pickLabel={`Selecionar ${field.label.toLowerCase()}${of}`}
        onPick={() => control.onPick(name)}
      />
    )
  }
  const limit =
    name === 'force'
      ? forceLimit(common.value, limits.pullForceMin, forceUnit)
      : heightLimit(common.value, limits.crimpHeightMm)
  const judgement = control.judgements?.[name === 'force' ? 'force' : 'height']
  const judged = { ...common, limit, judgement, decimals, maxLength: lengthMax }
  return typeof value === 'object' && value ? (
    <MeasurementField {...judged} value={value} onChange={(measured) => change(name, measured)} />
  ) : (
    <JudgedField {...judged} isMeasured />
  )
}
