import {
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
} from 'react'

type State = { isDisabled?: boolean | undefined; isReadOnly?: boolean | undefined; error?: string | undefined }

/** Attributes by which styles and tests find a field's state. */
const stateOf = ({ isDisabled, isReadOnly, error }: State) => ({
  'data-disabled': isDisabled || undefined,
  'data-readonly': isReadOnly || undefined,
  'data-invalid': Boolean(error) || undefined,
})

type Words = { description?: ReactNode; error?: string | undefined }

/** Attributes that tell a screen reader what stands below the box. */
export const saidOf = (id: string, { description, error }: Words) => ({
  'aria-invalid': Boolean(error) || undefined,
  'aria-describedby': error ? `${id}-error` : description ? `${id}-note` : undefined,
})

export const FieldWords = ({ id, description, error }: Words & { id: string }) =>
  error ? (
    <p id={`${id}-error`} className="text-sm font-medium text-bad-ink">
      {error}
    </p>
  ) : (
    <span id={`${id}-note`} className="text-sm whitespace-pre-line text-muted wrap-anywhere empty:hidden">
      {description}
    </span>
  )

type AreaProps = Words & {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength?: number
  isDisabled?: boolean
}

/** Several lines of text. */
export function TextArea({ label, value, onChange, maxLength, isDisabled, ...words }: AreaProps) {
  const id = useId()
  return (
    <div className="group flex min-w-0 flex-col gap-1" {...stateOf({ isDisabled, error: words.error })}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className={fieldBox}>
        <textarea
          {...{ id, value, maxLength, ...saidOf(id, words) }}
          rows={4}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
          className="min-h-28 min-w-0 flex-1 resize-y bg-transparent px-3 py-2 outline-none"
        />
      </div>
      <FieldWords id={id} {...words} />
    </div>
  )
}

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
  /** The fault, in words; colours the box and is tied to it for screen readers. */
  error?: string | undefined
  placeholder?: string | undefined
  maxLength?: number
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  isReadOnly?: boolean | undefined
  type?: 'text' | 'password'
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  /** Autofill of the browser; 'off' unless given. */
  autoComplete?: string
  /** 'sentences' also says that words are typed into it, and no codes: on a form that hears readings they stay there. */
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
const fieldBox =
  'flex min-h-12 items-center rounded-md border border-edge bg-surface text-ink has-[:is(input,textarea):focus-visible]:outline-3 has-[:is(input,textarea):focus-visible]:outline-offset-1 has-[:is(input,textarea):focus-visible]:outline-focus group-data-invalid:border-bad-fill group-data-invalid:bg-bad-soft group-data-disabled:border-line group-data-disabled:bg-sunken group-data-disabled:text-muted group-data-readonly:border-line group-data-readonly:bg-sunken'

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, description, error, leading, trailing, tag, code, inputRef, ...rest } = props
  const { isRequired, isDisabled, isReadOnly, autoFocus, ...box } = rest
  const id = useId()
  // not while it is drawn: a dialog below would take the focus back before the one of this box holds it
  useEffect(() => {
    if (autoFocus) document.getElementById(id)?.focus()
  }, [autoFocus, id])
  return (
    <div className="group flex min-w-0 flex-col gap-1" {...stateOf(props)}>
      <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
          {isRequired && (
            <span aria-hidden className="text-bad-ink">
              {' *'}
            </span>
          )}
        </label>
        {tag}
      </div>
      <div className={fieldBox}>
        {leading && <span className="pl-3 text-muted">{leading}</span>}
        <input
          type="text"
          autoComplete="off"
          {...{ id, value, ...box, ...saidOf(id, { description, error }) }}
          ref={inputRef}
          aria-required={isRequired || undefined}
          disabled={isDisabled}
          readOnly={isReadOnly}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          className={`min-h-11 min-w-0 flex-1 bg-transparent px-3 text-ellipsis outline-none placeholder:text-base placeholder:font-normal ${code ? 'code text-lg font-medium' : ''}`}
        />
        {trailing}
      </div>
      <FieldWords {...{ id, description, error }} />
    </div>
  )
}
