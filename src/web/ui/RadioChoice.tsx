import { Label, Radio, RadioGroup } from 'react-aria-components'
import { given } from './TextField.tsx'

type Props<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
}

/** A choice among a few, all of them in sight. */
export function RadioChoice<Value extends string>({ label, options, value, onChange, isDisabled }: Props<Value>) {
  return (
    <RadioGroup
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      {...given({ isDisabled })}
      orientation="horizontal"
      className="flex flex-col gap-1"
    >
      <Label className="text-sm font-semibold">{label}</Label>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={choice}>
            <span aria-hidden className={dot} />
            {option.label}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}

const choice =
  'group flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-edge bg-surface pr-4 pl-3 data-disabled:opacity-60 data-focus-visible:outline-3 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus data-hovered:bg-hover data-selected:border-brand data-selected:bg-brand-soft data-selected:font-semibold'
const dot =
  'size-5 rounded-full border-2 border-edge bg-surface group-data-selected:border-[6px] group-data-selected:border-brand'
