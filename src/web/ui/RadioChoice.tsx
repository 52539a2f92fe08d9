import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
}

/** A choice among a few, all of them in sight. */
export function RadioChoice<Value extends string>({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
}: Props<Value>) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id} className="flex flex-col gap-1">
      <span id={id} className="text-sm font-semibold">
        {label}
      </span>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label key={option.value} className={choice}>
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              disabled={isDisabled}
              className="sr-only"
            />
            <span aria-hidden className={dot} />
            {option.label}
          </label>
        ))}
      </div>
    </div>
  )
}

const choice =
  'group relative flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-edge bg-surface pr-4 pl-3 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold has-disabled:opacity-60 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'
const dot =
  'size-5 rounded-full border-2 border-edge bg-surface group-has-checked:border-[6px] group-has-checked:border-brand'
