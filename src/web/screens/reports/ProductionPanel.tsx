import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Download, Printer, RefreshCw } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  groupings,
  type ProductionLine,
  type ProductionReport,
  productionReports,
} from '../../../contract/production-reports.ts'
import { isReversed } from '../../../domain/plant/periods.ts'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import {
  groupingNames,
  lineName,
  periodText,
  quickChoices,
  quickChoiceTexts,
  quickPeriod,
  reportCsv,
  reportName,
} from '../../../domain/reports/production-reports.ts'
import { serverNow } from '../../device/clock.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { PrintSheet, PrintTable } from '../../parts/PrintSheet.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { exportFile } from '../../server/export-file.ts'
import { query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useSorted } from '../../ui/sorting.ts'
import { AmountChart } from './AmountChart.tsx'
import { type FilterChange, type ReportFilters, usePlantName, useReportFilters, useToday } from './filters.ts'
import { amountColumns, amountNames, compareLines, ReportTable } from './ReportTable.tsx'

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

type FiltersProps = { filters: ReportFilters; onChange: FilterChange; today: string }

function Filters({ filters, onChange, today }: FiltersProps) {
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
function QuickChoices({ filters: { period }, onChange, today }: FiltersProps) {
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
          {quickChoiceTexts[choice]}
        </button>
      ))}
    </fieldset>
  )
}

/** With what it was asked for: the last one stays on screen until the next has come. */
type ShownReport = { filters: ReportFilters; report: ProductionReport; readAt: string }

const REREAD_MS = 60_000

function reportQuery(filters: ReportFilters) {
  const { period, grouping, plant } = filters
  const request = { inicio: period.start, fim: period.end, por: grouping, ...(plant === '' ? {} : { filial: plant }) }
  const read = async (signal: AbortSignal): Promise<ShownReport> => {
    const report = await call(productionReports.get, { query: request }, { signal })
    return { filters, report, readAt: toInstant(serverNow()) }
  }
  return query(productionReports.get, { query: request }, { read })
}

/** A period that is not over yet is read again by itself. */
const useReport = (filters: ReportFilters, today: string) =>
  useQuery({
    ...reportQuery(filters),
    placeholderData: keepPreviousData,
    enabled: !isReversed(filters.period),
    refetchInterval: filters.period.end >= today ? REREAD_MS : false,
  })

export function ProductionPanel() {
  const today = useToday()
  const { filters, change } = useReportFilters(today)
  const reading = useReport(filters, today)
  const { data, isFetching, isPlaceholderData, refetch } = reading
  const isWrong = isReversed(filters.period)
  return (
    <div className="flex flex-col gap-4">
      <Filters filters={filters} onChange={change} today={today} />
      {isWrong && <EmptyState>Corrija o período para ver a produção.</EmptyState>}
      {!isWrong && <ReadingState reading={reading} loadingText="Carregando produção..." readAt={data?.readAt} />}
      {!isWrong && data && (
        <Report shown={data} isUpdating={isPlaceholderData} isReading={isFetching} onRefresh={() => void refetch()} />
      )}
    </div>
  )
}

type Props = {
  shown: ShownReport
  /** The report shown is that of an earlier choice. */
  isUpdating: boolean
  isReading: boolean
  onRefresh: () => void
}

function Report({ shown, isUpdating, isReading, onRefresh }: Props) {
  const { filters, report } = shown
  const { period, grouping } = filters
  const { sorted, sortOf } = useSorted(report.linhas, compareLines, { by: 'nome', direction: 'ascending' })
  const exportList = () => {
    const content = reportCsv(grouping, { ...report, linhas: sorted })
    const file = new Blob([content], { type: 'text/csv;charset=utf-8' })
    exportFile(file, `${reportName(grouping, period)}.csv`, 'relatorio_producao')
  }
  const label = `Produção por ${groupingNames[grouping].toLocaleLowerCase('pt-BR')}`
  const isEmpty = report.linhas.length === 0
  return (
    <div aria-busy={isUpdating} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <Summary shown={shown} isUpdating={isUpdating} />
        <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
          <Button icon={<RefreshCw {...icon.md} />} busy={isReading} busyText="Atualizando..." onPress={onRefresh}>
            Atualizar
          </Button>
          <Button icon={<Download {...icon.md} />} isDisabled={isEmpty} onPress={exportList}>
            Exportar CSV
          </Button>
          <Button icon={<Printer {...icon.md} />} isDisabled={isEmpty} onPress={() => window.print()}>
            Imprimir
          </Button>
        </div>
      </div>
      {isEmpty ? (
        <EmptyState icon={<ChartNoAxesColumn {...icon.xl} />}>Nada produzido no período</EmptyState>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ReportTable label={label} grouping={grouping} lines={sorted} totals={report.totais} sortOf={sortOf} />
          <AmountChart report={report} filters={filters} />
        </div>
      )}
      <PrintedReport shown={shown} lines={sorted} label={label} />
    </div>
  )
}

const cutText = ({ report }: ShownReport) =>
  report.linhasTotal > report.linhas.length
    ? `Mostrando ${formatCount(report.linhas.length)} de ${formatCount(report.linhasTotal)} linhas. Os totais são de todas; para ver o resto, diminua o período.`
    : null

function Summary({ shown, isUpdating }: Pick<Props, 'shown' | 'isUpdating'>) {
  const { filters, report } = shown
  const plantName = usePlantName(filters.plant)
  const count = report.linhasTotal === 1 ? '1 linha' : `${formatCount(report.linhasTotal)} linhas`
  const cut = cutText(shown)
  return (
    <div className="min-w-0">
      <h2 className="text-lg font-semibold">Produção de {periodText(filters.period)}</h2>
      <p role="status" className="text-sm text-muted">
        {plantName} · {count}
        {isUpdating && <span className="animate-late"> · Atualizando...</span>}
      </p>
      {cut && <p className="mt-1 text-sm font-medium text-warn-ink">{cut}</p>}
    </div>
  )
}

type PrintedProps = { shown: ShownReport; lines: readonly ProductionLine[]; label: string }

function PrintedReport({ shown, lines, label }: PrintedProps) {
  const { filters, report } = shown
  const { period, grouping, plant } = filters
  const plantName = usePlantName(plant)
  const cut = cutText(shown)
  return (
    <PrintSheet
      title={label}
      facts={[
        ['Filial', plantName],
        ['Período', periodText(period)],
        ['Agrupado por', groupingNames[grouping]],
      ]}
    >
      {() => (
        <>
          {cut && <p>{cut}</p>}
          <PrintTable
            columns={[groupingNames[grouping], ...amountColumns.map((column) => amountNames[column])]}
            rows={lines.map((line) => [
              lineName(line.nome, grouping),
              ...amountColumns.map((column) => formatCount(line[column])),
            ])}
            totals={['Total', ...amountColumns.map((column) => formatCount(report.totais[column]))]}
          />
        </>
      )}
    </PrintSheet>
  )
}
