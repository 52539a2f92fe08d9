import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { icon } from './icon-sizes.ts'
import { FieldWords, saidOf } from './TextField.tsx'

type Props<Value extends string> = {
  label: string
  /** Shown while nothing is chosen; without it something always is. */
  placeholder?: string
  options: readonly Value[]
  /** Shown text of a value; without it the value itself. */
  textOf?: (value: Value) => string
  value: Value | ''
  onChange: (value: Value | '') => void
  isDisabled?: boolean | undefined
  error?: string | undefined
}

/** One of a few, from the platform's own list: it opens large on a tablet. */
export function SelectField<Value extends string>({ label, placeholder, options, value, ...rest }: Props<Value>) {
  const { onChange, isDisabled, textOf = String, error } = rest
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm leading-5 font-semibold">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          disabled={isDisabled}
          {...saidOf(id, { error })}
          onChange={({ target }) => onChange(options.find((option) => option === target.value) ?? '')}
          className="min-h-12 w-full appearance-none rounded-md border border-edge bg-surface pr-10 pl-3 text-lg font-medium disabled:border-line disabled:bg-sunken disabled:text-muted disabled:opacity-100"
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option} value={option}>
              {textOf(option)}
            </option>
          ))}
        </select>
        <ChevronDown {...icon.md} className="pointer-events-none absolute top-3.5 right-3 text-muted" />
      </div>
      <FieldWords {...{ id, error }} />
    </div>
  )
}
