import { useRef, useState } from 'react'
import { isReversed, type Period } from '../../../domain/plant/periods.ts'
import { quickChoices, quickChoiceTexts, quickPeriod } from '../../../domain/reports/production-reports.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { Chips } from '../../ui/Chips.tsx'

type DayFieldProps = {
  label: string
  value: string
  error?: string | undefined
  /** The first change since the box got the focus is a step: typing one date is not eight. */
  onChange: (day: string, options: { isStep: boolean }) => void
}

/**
 * A day kept in the address. Half-typed text stays while the address is `seen` (before the last change) or `sent`
 * (after it); any other day in the address comes from elsewhere and is shown.
 */
function DayField({ label, value, error, onChange }: DayFieldProps) {
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
      description={text === '' ? 'Informe a data completa' : undefined}
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

type QuickProps = { period: Period; today: string; onChange: (period: Period) => void }

/** The one that is chosen already looks pressed. */
export const QuickPeriods = ({ period, today, onChange }: QuickProps) => (
  <Chips
    label="Período"
    isLabelHidden
    options={quickChoices.map((value) => ({ value, text: quickChoiceTexts[value] }))}
    isOn={(choice) => {
      const { start, end } = quickPeriod(choice, today)
      return start === period.start && end === period.end
    }}
    onPress={(choice) => onChange(quickPeriod(choice, today))}
  />
)
