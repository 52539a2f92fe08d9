import { Check, Ruler } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { leftNowText, leftText } from '../../../domain/acts/recordings.ts'
import { typedMeasurement } from '../../../domain/forms/form-edits.ts'
import type { FieldLimit } from '../../../domain/forms/order-limits.ts'
import { cleanLot, lotError, type Measurement } from '../../../domain/forms/recording-form.ts'
import type { Limits } from '../../../domain/quality/control-plans.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { FieldCursor } from './cursor.ts'
import { DecimalField } from './DecimalField.tsx'
import { Tolerance } from './Tolerance.tsx'

/** A value that is only read: its name small, itself large. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="code text-lg font-semibold break-words">{children || '-'}</dd>
  </div>
)

/** Its name is read aloud and is its tooltip: at the head of every form people know what stands where. */
export const Short = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="shrink-0" title={name}>
    <dt className="sr-only">{name}</dt>
    <dd className="code">{children}</dd>
  </div>
)

type FieldProps = {
  label: string
  placeholder: string
  isDisabled: boolean
  onBlur: () => void
  cursor?: FieldCursor | undefined
  /** The fault of the value, or of its absence. */
  error?: string | undefined
}

type LotProps = FieldProps & {
  value: string
  onChange: (lot: string) => void
  /** The last lot of the same material: one tap takes it. */
  offered?: string | undefined
}

export const LotField = ({ value, onChange, offered, cursor, error, placeholder, ...props }: LotProps) => (
  <TextField
    {...props}
    {...cursor}
    error={error ?? lotError(value)}
    placeholder={props.isDisabled ? undefined : placeholder}
    code
    maxLength={60}
    autoCapitalize="characters"
    value={value}
    onChange={(typed) => onChange(cleanLot(typed))}
    trailing={
      offered &&
      !props.isDisabled && (
        <span className="flex max-w-[60%] min-w-0 pr-0.5">
          <Button wraps size="tight" onPress={() => onChange(offered)}>
            Usar {offered}
          </Button>
        </span>
      )
    }
  />
)

export type QuantityProps = FieldProps & {
  value: string
  /** Somebody has typed it: it does not follow the balance. */
  isTyped?: boolean
  /** Null where it is not known. */
  balancePieces: number | null
  /** How old the balance is: 'segundo dados de 14:32'. */
  age?: string | undefined
  /** In place of the balance. */
  hint?: string | undefined
  onChange: (quantity: string) => void
}

export function QuantityField(props: QuantityProps) {
  const { isTyped = false, balancePieces, age, hint, onChange, cursor, ...field } = props
  const [typedAtPieces, setTypedAtPieces] = useState(balancePieces)
  const leftOf = isTyped && typedAtPieces !== balancePieces ? leftNowText : leftText
  return (
    <DecimalField
      {...field}
      {...cursor}
      placeholder={props.isDisabled ? undefined : props.placeholder}
      decimals={0}
      maxLength={7}
      onChange={(quantity) => {
        setTypedAtPieces(balancePieces)
        onChange(quantity)
      }}
      description={balancePieces === null ? hint : [leftOf(balancePieces), age].filter(Boolean).join(' · ')}
    />
  )
}

type PickProps = FieldProps & {
  /** Names the button: 'Selecionar máquina do cabo'. */
  pickLabel: string
  value: string
  /** The value is the last one of this device, and nobody has chosen it. */
  isRemembered?: boolean | undefined
  /** A note on the chosen value. */
  note?: ReactNode
  onPick: () => void
}

/** Filled from a list only, so that what is recorded is a name that exists. */
export const PickField = ({ label, placeholder, pickLabel, value, isRemembered, onPick, ...props }: PickProps) => (
  <TextField
    {...props.cursor}
    tag={isRemembered && <span className="text-sm text-muted">deste tablet</span>}
    label={label}
    placeholder={props.isDisabled ? undefined : placeholder}
    code
    isReadOnly
    description={props.note}
    error={props.error}
    value={value}
    onChange={() => undefined}
    isDisabled={props.isDisabled}
    trailing={
      <span className="pr-0.5">
        <Button aria-label={pickLabel} isDisabled={props.isDisabled} onPress={onPick}>
          Selecionar
        </Button>
      </span>
    }
  />
)

/** `verdict` null: no number stands there, or nothing limits it. */
export type Judgement = { limits: Limits | null; verdict: { isInside: boolean; text: string } | null }

type MeasurementProps = FieldProps & {
  /** The order's limit. */
  limit?: FieldLimit | undefined
  /** How the plan judges it, said once the box was left. */
  judgement?: Judgement | undefined
  decimals: number
  maxLength: number
  value: { text: string; measured: boolean }
  onChange: (value: Measurement) => void
}

type JudgedProps = Omit<MeasurementProps, 'value' | 'onChange'> & {
  value: string
  onChange: (text: string) => void
  /** False: nobody has measured it, and nothing is said of it. */
  isMeasured: boolean
  /** Beside what stands there. */
  mark?: (isWrong: boolean) => ReactNode
}

/** A decimal that the plan judges once its box was left. */
export function JudgedField(props: JudgedProps) {
  const { placeholder, onChange, isDisabled, limit, judgement, error, cursor, onBlur, isMeasured, mark, ...field } =
    props
  const [isTyping, setTyping] = useState(false)
  const isSaid = isMeasured && !isTyping
  const judged = isSaid ? (judgement?.verdict ?? null) : null
  const wrong = limit?.wrong ?? (judged?.isInside === false ? judged.text : undefined)
  return (
    <div className="flex min-w-0 flex-col">
      <DecimalField
        {...field}
        {...cursor}
        placeholder={isDisabled ? undefined : placeholder}
        description={
          judged?.isInside ? (
            <>
              <span className="font-medium text-ok-ink">{judged.text}</span>
              {limit && ` · ${limit.text}`}
            </>
          ) : (
            limit?.text
          )
        }
        error={isDisabled ? undefined : (error ?? wrong)}
        onChange={(text) => {
          setTyping(true)
          if (text !== field.value) onChange(text)
        }}
        onBlur={() => {
          setTyping(false)
          onBlur()
        }}
        isDisabled={isDisabled}
        trailing={field.value.trim() !== '' && !isDisabled ? mark?.(wrong !== undefined) : undefined}
      />
      {/* there before the plan is: nothing moves when it comes */}
      <div className="h-4">
        {judgement && !isDisabled && <Tolerance limits={judgement.limits} text={isSaid ? field.value : ''} />}
      </div>
    </div>
  )
}

/** Force or height. A default that nobody measured says so until it is typed over or confirmed. */
export const MeasurementField = ({ value, onChange, ...props }: MeasurementProps) => (
  <JudgedField
    {...props}
    value={value.text}
    onChange={(text) => onChange(typedMeasurement(text))}
    isMeasured={value.measured}
    mark={(isWrong) => (
      <MeasuredMark
        isMeasured={value.measured}
        isWrong={isWrong}
        label={props.label}
        onConfirm={() => onChange(typedMeasurement(value.text))}
      />
    )}
  />
)

type MarkProps = { isMeasured: boolean; isWrong: boolean; label: string; onConfirm: () => void }

const MeasuredMark = ({ isMeasured, isWrong, label, onConfirm }: MarkProps) =>
  isMeasured ? (
    <span className={`flex items-center gap-1 pr-3 text-sm font-medium ${isWrong ? 'text-bad-ink' : 'text-ok-ink'}`}>
      {!isWrong && <Check {...icon.sm} />}
      medido
    </span>
  ) : (
    <button
      type="button"
      title="Toque para confirmar que o valor foi medido"
      aria-label={`${label}: não medido. Confirmar como medido`}
      onClick={onConfirm}
      className="mr-0.5 flex min-h-11 shrink-0 items-center gap-1 rounded-md px-2 text-sm font-medium whitespace-nowrap text-warn-ink hover:bg-warn-soft"
    >
      <Ruler {...icon.sm} />
      não medido
    </button>
  )
