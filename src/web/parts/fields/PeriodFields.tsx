import { useRef, useState } from 'react'
import { isReversed, type Period } from '../../../domain/plant/periods.ts'
import { DateField } from './DateField.tsx'

type DayFieldProps = {
  label: string
  value: string
  error?: string | undefined
  /** The first change since the box got the focus is a step: typing one date is not eight. */
  onChange: (day: string, options: { isStep: boolean }) => void
}

/**
 * A day that holds until another is whole. Half-typed text stays while it is `seen` (before the last change) or `sent`
 * (after it); any other day comes from elsewhere, as of the address, and is shown.
 */
export function DayField({ label, value, error, onChange }: DayFieldProps) {
  const [typing, setTyping] = useState<{ text: string; seen: string; sent: string } | null>(null)
  const hasStepped = useRef(false)
  if (typing && value === typing.sent && typing.seen !== value) setTyping({ ...typing, seen: value })
  const text = typing && [typing.seen, typing.sent].includes(value) ? typing.text : value
  const type = (day: string) => {
    setTyping({ text: day, seen: value, sent: day || value })
    if (day === '' || day === value) return
    onChange(day, { isStep: !hasStepped.current })
    hasStepped.current = true
  }
  return (
    <DateField
      label={label}
      value={text}
      onChange={type}
      onFocus={() => {
        hasStepped.current = false
      }}
      error={error}
      description={typing && text === '' ? 'Informe a data completa' : undefined}
    />
  )
}

type PeriodProps = { period: Period; onChange: (period: Period, options: { isStep: boolean }) => void }

/** Both days belong to it. */
export const PeriodFields = ({ period, onChange }: PeriodProps) => (
  <>
    <DayField
      label="Início"
      value={period.start}
      onChange={(start, options) => onChange({ ...period, start }, options)}
    />
    <DayField
      label="Fim"
      value={period.end}
      onChange={(end, options) => onChange({ ...period, end }, options)}
      error={isReversed(period) ? 'O fim vem antes do início' : undefined}
    />
  </>
)
