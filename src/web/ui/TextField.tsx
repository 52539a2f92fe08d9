import type { FocusEvent, HTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react'
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
} from 'react-aria-components'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength?: number
  isDisabled?: boolean
  /** A quiet line under the box. */
  description?: string | undefined
  error?: string | undefined
}

/** Several lines of text. */
export const TextArea = ({ label, description, error, ...field }: Props) => (
  <AriaTextField
    {...given(field)}
    validationBehavior="aria"
    isInvalid={Boolean(error)}
    className="group flex min-w-0 flex-col gap-1"
  >
    <Label className="text-sm font-semibold">{label}</Label>
    <div className={fieldBox}>
      <AriaTextArea rows={4} className="min-h-28 min-w-0 flex-1 resize-y bg-transparent px-3 py-2 outline-none" />
    </div>
    {/* As in TextField. */}
    <Text slot="description" className="text-sm whitespace-pre-line text-muted wrap-anywhere empty:hidden">
      {!error && description}
    </Text>
    <FieldError className="text-sm font-medium text-bad-ink">{error}</FieldError>
  </AriaTextField>
)

type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> }

/** Only the props that were given: the component library's types tell an absent prop from an undefined one. */
export const given = <Props extends object>(props: Props): Given<Props> =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<Props>

export type TextFieldProps = {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  onFocus?: ((event: FocusEvent<HTMLInputElement>) => void) | undefined
  onBlur?: (() => void) | undefined
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined
  onKeyUp?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined
  /** A quiet line under the box. */
  description?: ReactNode
  /** What is wrong, in words; colours the box and is tied to it for screen readers. */
  error?: string | undefined
  placeholder?: string | undefined
  maxLength?: number
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  isReadOnly?: boolean | undefined
  type?: 'text' | 'password'
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  /** What the browser may fill in; 'off' unless given. */
  autoComplete?: string
  autoCapitalize?: string
  autoFocus?: boolean
  name?: string
  /** An icon at the start of the box. */
  leading?: ReactNode
  /** A button at the end of the box, such as 'Selecionar' or show/hide. */
  trailing?: ReactNode
  /** Beside the label: a small tag such as 'não medido'. */
  tag?: ReactNode
  /** Codes and quantities: larger, slashed zero. */
  code?: boolean
  inputRef?: Ref<HTMLInputElement>
}

/** The cursor is there, and what is typed or scanned next replaces what stands in it. */
export function takeFocus(box: HTMLInputElement | null, options?: FocusOptions): void {
  box?.focus(options)
  box?.select()
}

/** The look of what a person types into, within a `group` that carries the field's state. */
export const fieldBox =
  'flex min-h-12 items-center rounded-md border border-edge bg-surface text-ink has-[:is(input,textarea):focus-visible]:outline-3 has-[:is(input,textarea):focus-visible]:outline-offset-1 has-[:is(input,textarea):focus-visible]:outline-focus group-data-invalid:border-bad-fill group-data-invalid:bg-bad-soft group-data-disabled:border-line group-data-disabled:bg-sunken group-data-disabled:text-muted group-data-readonly:border-line group-data-readonly:bg-sunken'

export function TextField(props: TextFieldProps) {
  const { label, description, error, leading, trailing, tag, code, ...rest } = props
  const { inputRef, onKeyDown, onKeyUp, placeholder, ...field } = rest
  return (
    <AriaTextField
      autoComplete="off"
      {...given(field)}
      validationBehavior="aria"
      isInvalid={Boolean(error)}
      className="group flex min-w-0 flex-col gap-1"
    >
      <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-2">
        <Label className="text-sm font-semibold">
          {label}
          {field.isRequired && (
            <span aria-hidden className="text-bad-ink">
              {' *'}
            </span>
          )}
        </Label>
        {tag}
      </div>
      <div className={fieldBox}>
        {leading && <span className="pl-3 text-muted">{leading}</span>}
        <Input
          {...given({ ref: inputRef, onKeyDown, onKeyUp, placeholder })}
          spellCheck={false}
          className={`min-h-11 min-w-0 flex-1 bg-transparent px-3 text-ellipsis outline-none placeholder:text-base placeholder:font-normal ${code ? 'code text-lg font-medium' : ''}`}
        />
        {trailing}
      </div>
      {/* Always there: one that comes later would not be tied to the box. */}
      <Text slot="description" className="text-sm text-muted empty:hidden">
        {!error && description}
      </Text>
      <FieldError className="text-sm font-medium text-bad-ink">{error}</FieldError>
    </AriaTextField>
  )
}
