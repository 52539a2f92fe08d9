import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, Download, Printer, RefreshCw } from 'lucide-react'
import {
  type AskedShift,
  askedShifts,
  type Grouping,
  groupings,
  type ProductionLine,
  type ProductionReport,
  productionReports,
} from '../../../contract/production-reports.ts'
import { isReversed } from '../../../domain/plant/periods.ts'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import {
  askedShiftTexts,
  groupingNames,
  growthPercent,
  isOfTime,
  lineName,
  periodText,
  type QuickChoice,
  quickChoices,
  quickChoiceTexts,
  quickPeriod,
  reportCsv,
  reportName,
  shiftLine,
} from '../../../domain/reports/production-reports.ts'
import { serverNow } from '../../device/clock.ts'
import { PeriodFields } from '../../parts/fields/PeriodFields.tsx'
import { PlantChoice } from '../../parts/fields/PlantChoice.tsx'
import { PrintSheet, PrintTable } from '../../parts/PrintSheet.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { exportFile } from '../../server/export-file.ts'
import { query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useSorted } from '../../ui/sorting.ts'
import { AmountChart } from './AmountChart.tsx'
import { type FilterChange, type ReportFilters, usePlantName, useReportFilters, useToday } from './filters.ts'
import { amountColumns, amountNames, compareLines, ReportTable } from './ReportTable.tsx'

type FiltersProps = { filters: ReportFilters; onChange: FilterChange<ReportFilters>; today: string }

function Filters({ filters, onChange, today }: FiltersProps) {
  const { period, grouping, plant } = filters
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <QuickChoices filters={filters} onChange={onChange} today={today} />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] items-start gap-4 md:grid-cols-2 lg:grid-cols-5">
          <PeriodFields period={period} onChange={(changed, options) => onChange({ period: changed }, options)} />
          <div className="max-md:col-span-full md:col-span-2">
            <PlantChoice hasAll value={plant} onChange={(code) => onChange({ plant: code })} />
          </div>
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
function QuickChoices({ filters: { period, shift }, onChange, today }: FiltersProps) {
  const isPeriod = (choice: QuickChoice) => {
    const { start, end } = quickPeriod(choice, today)
    return shift === null && start === period.start && end === period.end
  }
  return (
    <Chips
      label="Período"
      isLabelHidden
      options={[
        ...askedShifts.map((value) => ({ value, text: askedShiftTexts[value] })),
        ...quickChoices.map((value) => ({ value, text: quickChoiceTexts[value] })),
      ]}
      isOn={(choice) => (isShift(choice) ? choice === shift : isPeriod(choice))}
      onPress={(choice) => onChange(isShift(choice) ? { shift: choice } : { period: quickPeriod(choice, today) })}
    />
  )
}

const isShift = (choice: AskedShift | QuickChoice): choice is AskedShift => askedShifts.some((one) => one === choice)

/** With what it was asked for: the last one stays on screen until the next has come. */
type ShownReport = { filters: ReportFilters; report: ProductionReport; readAt: string }

const REREAD_MS = 60_000

function reportQuery(filters: ReportFilters) {
  const { period, grouping, plant, shift } = filters
  const span = shift ? { turno: shift } : { inicio: period.start, fim: period.end }
  const request = { ...span, por: grouping, ...(plant === '' ? {} : { filial: plant }) }
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
    enabled: filters.shift !== null || !isReversed(filters.period),
    refetchInterval: filters.shift !== null || filters.period.end >= today ? REREAD_MS : false,
  })

export function ProductionPanel() {
  const today = useToday()
  const { filters, change } = useReportFilters(today)
  const reading = useReport(filters, today)
  const { data, isFetching, isPlaceholderData, refetch } = reading
  const isWrong = filters.shift === null && isReversed(filters.period)
  return (
    <div className="flex flex-col gap-4">
      <Filters filters={filters} onChange={change} today={today} />
      {isWrong && <EmptyState>Corrija o período para ver a produção.</EmptyState>}
      {!isWrong && <ReadingState reading={reading} loadingText="Carregando produção..." readAt={data?.readAt} />}
      {!isWrong && data && (
        <Report
          key={data.filters.grouping}
          shown={data}
          isUpdating={isPlaceholderData}
          isReading={isFetching}
          onRefresh={() => void refetch()}
        />
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
  const { grouping } = filters
  const span = useSpan(shown)
  const { sorted, sortOf } = useSorted(report.linhas, compareLines, firstSort(grouping))
  const exportList = () => {
    const content = reportCsv(grouping, { ...report, linhas: sorted })
    const file = new Blob([content], { type: 'text/csv;charset=utf-8' })
    exportFile(file, `${span.file}.csv`, 'relatorio_producao')
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
      <Totals shown={shown} />
      {isEmpty ? (
        <EmptyState icon={<ChartNoAxesColumn {...icon.xl} />}>Nada produzido no período</EmptyState>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ReportTable label={label} grouping={grouping} lines={sorted} totals={report.totais} sortOf={sortOf} />
          <AmountChart report={report} filters={filters} span={span} />
        </div>
      )}
      <PrintedReport shown={shown} lines={sorted} label={label} />
    </div>
  )
}

/** Days and shifts follow each other; of anything else whatever made most comes first. */
const firstSort = (grouping: Grouping) =>
  isOfTime(grouping)
    ? ({ by: 'nome', direction: 'ascending' } as const)
    : ({ by: 'apontamentos', direction: 'descending' } as const)

/** What the report is of: in words, and in the name of its files. */
function useSpan({ filters: { period, grouping }, report: { turno } }: ShownReport): { text: string; file: string } {
  const { timeZone } = useSettings()
  if (!turno) return { text: periodText(period), file: reportName(grouping, period) }
  const line = shiftLine({ startMs: Date.parse(turno.inicio), endMs: Date.parse(turno.fim) }, timeZone)
  const file = `relatorio_producao_${grouping}_turno_${line.slice(0, 16).replace(/[ :]/g, '')}`
  return { text: lineName(line, 'turno'), file }
}

const beforeText = ({ filters: { period, shift } }: ShownReport): string => {
  if (shift) return 'o mesmo turno da véspera'
  return period.start === period.end ? 'a véspera' : 'o período anterior'
}

/** The three figures, and how they stand to those of the period before. */
function Totals({ shown }: { shown: ShownReport }) {
  const { totais, antes, naoMedidos } = shown.report
  return (
    <dl aria-label="Totais" className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      {(['cortes', 'crimpagens', 'juncoes'] as const).map((amount) => (
        <div key={amount} className="rounded-lg border border-line bg-surface p-4 shadow-card">
          <dt className="font-medium text-muted">{amountNames[amount]}</dt>
          <dd>
            <span className="block text-3xl font-semibold">{formatCount(totais[amount])}</span>
            <span className="block text-sm text-muted">
              {antes && <Growth now={totais[amount]} before={antes[amount]} than={beforeText(shown)} />}
            </span>
            {amount === 'crimpagens' && naoMedidos !== undefined && (
              <span className="block text-sm text-muted">
                {naoMedidos === 1 ? '1 não medido' : `${formatCount(naoMedidos)} não medidos`}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Growth({ now, before, than }: { now: number; before: number; than: string }) {
  const percent = growthPercent(now, before)
  if (percent === null) return <>nada antes</>
  const sign = percent > 0 ? '▲' : percent < 0 ? '▼' : '='
  return (
    <span title={`${formatCount(before)} antes`}>
      {sign} {formatCount(Math.abs(percent))}% ante {than}
    </span>
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
      <h2 className="text-lg font-semibold">Produção de {useSpan(shown).text}</h2>
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
  const { grouping, plant } = filters
  const plantName = usePlantName(plant)
  const cut = cutText(shown)
  return (
    <PrintSheet
      title={label}
      facts={[
        ['Filial', plantName],
        ['Período', useSpan(shown).text],
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
