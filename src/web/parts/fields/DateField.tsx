import { useState } from 'react'
import { addDays, dayText, nextMonday } from '../../../domain/plant/plant-time.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'
import { dayIn, dayProblem, leftWith, typedOn } from './typed-days.ts'

type Props = Pick<
  TextFieldProps,
  'label' | 'onFocus' | 'description' | 'error' | 'isRequired' | 'isDisabled' | 'inputRef'
> & {
  /** `YYYY-MM-DD`, or empty while there is none. */
  value: string
  onChange: (day: string) => void
  /** Where a day ahead is asked for: the plant's today, from which a press counts on. */
  aheadOf?: string
}

/**
 * A day, typed and shown dd/mm/aaaa in every browser. Only a whole day leaves the box: while one is typed its value is
 * empty, and what it says stays. Decision 050.
 */
export function DateField({ value, onChange, aheadOf, onFocus, error, ...field }: Props) {
  const [typed, setTyped] = useState('')
  const [isLeft, setLeft] = useState(true)
  // anything else is the value of another moment
  const text = dayIn(typed) === value ? typed : dayText(value)
  const show = (next: string) => {
    setTyped(next)
    const day = dayIn(next)
    if (day !== value) onChange(day)
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextField
        {...field}
        value={text}
        placeholder="dd/mm/aaaa"
        inputMode="numeric"
        onChange={(next) => show(typedOn(text, next))}
        onFocus={(event) => {
          setLeft(false)
          onFocus?.(event)
        }}
        onBlur={() => {
          setLeft(true)
          show(leftWith(text))
        }}
        error={dayProblem(text, isLeft) ?? error}
      />
      {aheadOf && (
        <div className="flex flex-wrap gap-2">
          {Object.entries({ Hoje: aheadOf, Amanhã: addDays(aheadOf, 1), 'Próxima segunda': nextMonday(aheadOf) }).map(
            ([name, day]) => (
              <Button key={name} isDisabled={field.isDisabled} onPress={() => show(dayText(day))}>
                {name}
              </Button>
            ),
          )}
        </div>
      )}
    </div>
  )
}
