import { type ReactNode, useId } from 'react'
import { FieldWords } from './TextField.tsx'

type Props<Value extends string> = {
  label: string
  /** For assistive technology alone. */
  isLabelHidden?: boolean
  options: readonly { value: Value; text: ReactNode }[]
  isOn: (value: Value) => boolean
  onPress: (value: Value) => void
  error?: string | undefined
}

/** Words of which a tap turns one on or off; whether another one goes off meanwhile is the caller's. */
export function Chips<Value extends string>({ label, isLabelHidden, options, isOn, onPress, error }: Props<Value>) {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={isLabelHidden ? 'sr-only' : 'text-sm font-semibold'}>{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, text }) => (
          <button
            key={value}
            type="button"
            aria-pressed={isOn(value)}
            onClick={() => onPress(value)}
            className="inline-flex min-h-11 items-center gap-2 rounded-full border border-edge bg-surface px-4 font-medium hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:font-semibold aria-pressed:text-brand-ink"
          >
            {text}
          </button>
        ))}
      </div>
      <FieldWords {...{ id, error }} />
    </fieldset>
  )
}
