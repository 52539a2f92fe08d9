import { useRef, useState } from 'react'
import { groupings } from '../../../contract/production-reports.ts'
import { isReversed } from '../../../domain/periods.ts'
import { groupingNames, type QuickChoice, quickChoices, quickPeriod } from '../../../domain/production-reports.ts'
import { FIRST_DAY, isWholeDay } from '../../parts/fields/whole-day.ts'
import { useSettings } from '../../parts/settings.ts'
import { Card } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { FilterChange, ReportFilters } from './filters.ts'

type DayFieldProps = {
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
export function DayField({ label, value, error, onChange }: DayFieldProps) {
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

type Props = { filters: ReportFilters; onChange: FilterChange; today: string }

const choiceTexts: Record<QuickChoice, string> = {
  today: 'Hoje',
  yesterday: 'Ontem',
  last7Days: 'Últimos 7 dias',
  thisMonth: 'Este mês',
  lastMonth: 'Mês passado',
}

export function Filters({ filters, onChange, today }: Props) {
  const { plants } = useSettings()
  const { period, grouping, plant } = filters
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <QuickChoices filters={filters} onChange={onChange} today={today} />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] items-start gap-4 md:grid-cols-2 lg:grid-cols-4">
          <DayField
            label="Início"
            value={period.start}
            onChange={(start, options) => onChange({ period: { ...period, start } }, options)}
          />
          <DayField
            label="Fim"
            value={period.end}
            onChange={(end, options) => onChange({ period: { ...period, end } }, options)}
            error={isReversed(filters.period) ? 'O fim vem antes do início' : undefined}
          />
          <SelectField
            label="Filial"
            placeholder="Todas"
            options={plants.map(({ code }) => code)}
            textOf={(code) => plants.find((one) => one.code === code)?.label ?? code}
            value={plant}
            onChange={(code) => onChange({ plant: code })}
          />
          <SelectField
            label="Agrupar por"
            options={groupings}
            textOf={(one) => groupingNames[one]}
            value={grouping}
            onChange={(chosen) => chosen !== '' && onChange({ grouping: chosen })}
          />
        </div>
      </div>
    </Card>
  )
}

/** The one that is asked already looks pressed. */
function QuickChoices({ filters: { period }, onChange, today }: Props) {
  const choices = quickChoices.map((choice) => ({ choice, ...quickPeriod(choice, today) }))
  const isChosen = ({ start, end }: { start: string; end: string }) => start === period.start && end === period.end
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Período</legend>
      {choices.map(({ choice, start, end }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={isChosen({ start, end })}
          onClick={() => onChange({ period: { start, end } })}
          className="min-h-11 rounded-full border border-edge bg-surface px-4 font-medium hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:font-semibold aria-pressed:text-brand-ink"
        >
          {choiceTexts[choice]}
        </button>
      ))}
    </fieldset>
  )
}
