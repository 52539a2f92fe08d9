import { useRef, useState } from 'react'
import { FIRST_DAY, isWholeDay } from '../../parts/fields/whole-day.ts'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  label: string
  value: string
  error?: string | undefined
  /** The first change since the box got the focus is a step: typing one date is not eight. */
  onChange: (day: string, options: { isStep: boolean }) => void
}

/**
 * A day that stands in the address. What is half typed stays in the box; `seen` and `sent` are the address before and
 * after the last change, which both leave it alone: another day comes from elsewhere and is shown.
 */
export function DayField({ label, value, error, onChange }: Props) {
  const [typing, setTyping] = useState<{ text: string; seen: string; sent: string } | null>(null)
  const hasStepped = useRef(false)
  if (typing && value === typing.sent && typing.seen !== value) setTyping({ ...typing, seen: value })
  const text = typing && [typing.seen, typing.sent].includes(value) ? typing.text : value
  const type = (typed: string) => {
    const isWhole = isWholeDay(typed)
    setTyping({ text: typed, seen: value, sent: isWhole ? typed : value })
    if (!isWhole || typed === value) return
    onChange(typed, { isStep: !hasStepped.current })
    hasStepped.current = true
  }
  return (
    <TextField
      label={label}
      type="date"
      min={FIRST_DAY}
      value={text}
      onChange={type}
      onFocus={() => {
        hasStepped.current = false
      }}
      error={error}
      description={text >= FIRST_DAY ? undefined : 'Informe a data completa'}
    />
  )
}
