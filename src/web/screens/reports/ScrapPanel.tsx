import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download, Printer, Trash2 } from 'lucide-react'
import { scrapStages } from '../../../contract/scrap-reasons.ts'
import {
  type ScrapGrouping,
  type ScrapLine,
  type ScrapReport,
  scrapGroupings,
  scrapReports,
} from '../../../contract/scrap-reports.ts'
import { isReversed } from '../../../domain/plant/periods.ts'
import { periodText } from '../../../domain/reports/production-reports.ts'
import {
  permilleText,
  ppmText,
  scrapGroupingNames,
  scrapLineName,
  scrapTotalsText,
} from '../../../domain/reports/scrap-reports.ts'
import { stageNames } from '../../../domain/tools/scrap-sheets.ts'
import { PeriodFields } from '../../parts/fields/PeriodFields.tsx'
import { PlantChoice } from '../../parts/fields/PlantChoice.tsx'
import { PrintSheet, PrintTable } from '../../parts/PrintSheet.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { Row, Table, TableFoot, TableHead, Td, Th } from '../../ui/Table.tsx'
import { type ScrapFilters, usePlantName, useScrapFilters, useToday } from './filters.ts'
import { QuickPeriods } from './QuickPeriods.tsx'
import { ScrapPareto } from './ScrapPareto.tsx'

const requestOf = ({ period, plant, grouping, stage, hasProcess }: ScrapFilters) => ({
  ...{ inicio: period.start, fim: period.end, por: grouping },
  ...(plant === '' ? {} : { filial: plant }),
  ...(stage === '' ? {} : { etapa: stage }),
  ...(hasProcess ? { processo: 'sim' as const } : {}),
})

type FiltersProps = ReturnType<typeof useScrapFilters> & { today: string }

const Filters = ({ filters, change, today }: FiltersProps) => (
  <Card>
    <div className="flex flex-col gap-4">
      <QuickPeriods period={filters.period} today={today} onChange={(period) => change({ period })} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] items-start gap-4 md:grid-cols-2 lg:grid-cols-4">
        <PeriodFields period={filters.period} onChange={(period, options) => change({ period }, options)} />
        <div className="max-md:col-span-full md:col-span-2">
          <PlantChoice hasAll value={filters.plant} onChange={(plant) => change({ plant })} />
        </div>
        <SelectField
          label="Por"
          options={scrapGroupings}
          textOf={(one) => scrapGroupingNames[one]}
          value={filters.grouping}
          onChange={(chosen) => chosen !== '' && change({ grouping: chosen })}
        />
        <SelectField
          label="Etapa"
          placeholder="Todas"
          options={scrapStages}
          textOf={(one) => stageNames[one]}
          value={filters.stage}
          onChange={(stage) => change({ stage })}
        />
        <div className="max-md:col-span-full md:col-span-2 md:pt-6">
          <SwitchField
            label="Contar ajuste e ensaio"
            isOn={filters.hasProcess}
            onChange={(hasProcess) => change({ hasProcess })}
          />
        </div>
      </div>
    </div>
  </Card>
)

/** What was thrown away and why: a figure of a process, never of a person. */
export function ScrapPanel() {
  const today = useToday()
  const { filters, change } = useScrapFilters(today)
  const isWrong = isReversed(filters.period)
  const reading = useQuery({
    ...query(scrapReports.get, { query: requestOf(filters) }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
  })
  const { data, isPlaceholderData } = reading
  return (
    <div className="flex flex-col gap-4">
      <Filters {...{ filters, change, today }} />
      {isWrong && <EmptyState>Corrija o período para ver o refugo.</EmptyState>}
      {!isWrong && <ReadingState reading={reading} loadingText="Carregando refugo..." />}
      {!isWrong && data && <Report report={data} filters={filters} isUpdating={isPlaceholderData} />}
    </div>
  )
}

type Props = { report: ScrapReport; filters: ScrapFilters }

function Report({ report, filters, isUpdating }: Props & { isUpdating: boolean }) {
  const { grouping } = filters
  const isEmpty = report.linhas.length === 0
  const csv = `${scrapReports.csv.path}?${new URLSearchParams(requestOf(filters))}`
  const title = `Refugo por ${scrapGroupingNames[grouping].toLocaleLowerCase('pt-BR')}`
  return (
    <div aria-busy={isUpdating} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 className="text-lg font-semibold">{scrapTotalsText(report.totais)}</h2>
        {!isEmpty && (
          <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
            <ButtonLink href={csv} download icon={<Download {...icon.md} />}>
              Exportar CSV
            </ButtonLink>
            <Button size="lg" icon={<Printer {...icon.md} />} onPress={() => window.print()}>
              Imprimir
            </Button>
          </div>
        )}
      </div>
      {isEmpty ? (
        <EmptyState icon={<Trash2 {...icon.xl} />}>Nenhum refugo no período.</EmptyState>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ScrapTable {...{ title, grouping, report }} />
          <ScrapPareto
            title={title}
            lines={report.linhas}
            nameOf={({ nome }) => scrapLineName(nome, grouping)}
            isCumulative={grouping === 'motivo'}
          />
        </div>
      )}
      <p className="text-sm text-muted">
        Um fio cortado e crimpado nos dois lados conta três vezes, nas boas e no refugo.
      </p>
      <Printed {...{ title, report, filters }} />
    </div>
  )
}

type TableProps = { title: string; grouping: ScrapGrouping; report: ScrapReport }

function ScrapTable({ title, grouping, report: { linhas, linhasTotal, totais } }: TableProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Table label={title} rowCount={linhas.length + 2}>
        <TableHead>
          <Th sticky>{scrapGroupingNames[grouping]}</Th>
          {columns.map(([head]) => (
            <Th key={head} align="right">
              {head}
            </Th>
          ))}
        </TableHead>
        <LongRows items={linhas} keyOf={({ nome }) => nome}>
          {(line, place) => (
            <Row place={place}>
              <Td sticky>
                <span className="font-semibold wrap-anywhere max-md:mr-auto max-md:text-left">
                  {scrapLineName(line.nome, grouping)}
                </span>
              </Td>
              <Cells of={line} />
            </Row>
          )}
        </LongRows>
        <TableFoot>
          <Row place={{ 'aria-rowindex': linhas.length + 2 }}>
            <Td sticky>
              <span className="max-md:mr-auto">Total</span>
            </Td>
            <Cells of={totalLine(totais)} />
          </Row>
        </TableFoot>
      </Table>
      {linhasTotal > linhas.length && (
        <p className="text-sm font-medium text-warn-ink">
          Mostrando {formatCount(linhas.length)} de {formatCount(linhasTotal)} linhas. Os totais são de todas.
        </p>
      )}
    </div>
  )
}

const totalLine = (totals: ScrapReport['totais']): ScrapLine => {
  const share = totals.pecas === 0 ? 0 : 1000
  return { ...totals, nome: '', permil: share, acumulado: share }
}

const columns: readonly [head: string, cell: (line: ScrapLine) => string][] = [
  ['Peças', ({ pecas }) => formatCount(pecas)],
  ['%', ({ permil }) => permilleText(permil)],
  ['Acumulado', ({ acumulado }) => permilleText(acumulado)],
  ['ppm', ({ ppm }) => ppmText(ppm)],
  ['Retrabalho', ({ retrabalho }) => formatCount(retrabalho)],
]

const Cells = ({ of }: { of: ScrapLine }) =>
  columns.map(([head, cell]) => (
    <Td key={head} label={head} align="right" isThird={head !== 'Peças'}>
      {cell(of)}
    </Td>
  ))

function Printed({ title, report, filters }: Props & { title: string }) {
  const { grouping, plant, period, stage } = filters
  const plantName = usePlantName(plant)
  return (
    <PrintSheet
      title={title}
      facts={[
        ['Filial', plantName],
        ['Período', periodText(period)],
        ['Etapa', stageNames[stage || 'todas']],
        ['Resultado', scrapTotalsText(report.totais)],
      ]}
    >
      {() => (
        <PrintTable
          columns={[scrapGroupingNames[grouping], ...columns.map(([head]) => head)]}
          rows={report.linhas.map((line) => [
            scrapLineName(line.nome, grouping),
            ...columns.map(([, cell]) => cell(line)),
          ])}
          totals={['Total', ...columns.map(([, cell]) => cell(totalLine(report.totais)))]}
        />
      )}
    </PrintSheet>
  )
}
