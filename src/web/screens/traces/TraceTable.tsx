import { Check, CircleAlert, Clock, Ruler } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { TraceLine } from '../../../contract/traces.ts'
import type { TraceEntry } from '../../../domain/reports/trace-entries.ts'
import {
  gaugeText,
  isBelowMinimum,
  isOutsidePlan,
  measureText,
  millimetresText,
  planLines,
  requiredText,
  shiftText,
  situationLabels,
  stageScrapText,
  stepLabels,
} from '../../../domain/reports/traces.ts'
import { ContainmentLink } from '../../parts/containments/ContainmentLink.tsx'
import { useSettings } from '../../parts/settings.ts'
import { HistoryLink } from '../../parts/traces/HistoryLink.tsx'
import { formatCount, formatInstant } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { SampleRow } from './SampleRow.tsx'
import { Lines, TraceLink } from './TraceLink.tsx'
import type { Traced, TraceGroup } from './traces.ts'

type TraceGroupRowProps = { group: TraceGroup; current: Traced; place: RowPlace }

/** The head over the lines of one item: of which order it is, and where both are traced from. */
function TraceGroupRow({ group, current, place }: TraceGroupRowProps) {
  const { plants } = useSettings()
  const { first, entries } = group
  return (
    <tr {...place} className="max-md:block">
      <th
        scope="rowgroup"
        colSpan={8}
        className="border-b border-line bg-sunken px-3 py-1 text-left font-normal lg:px-4 max-md:block max-md:rounded-lg max-md:border"
      >
        <span className="sticky left-3 lg:left-4 inline-flex max-w-[calc(100vw-4rem)] flex-wrap items-center gap-x-5">
          <Named name="Ordem">
            <TraceLink term={first.ordem} kind="ordem" current={current} />
          </Named>
          {first.posicao !== '' && (
            <Named name="Junção">
              <strong className="code inline-flex min-h-11 items-center">{first.posicao}</strong>
            </Named>
          )}
          {first.item !== '' && (
            <Named name="Item">
              <strong className="code inline-flex min-h-11 items-center">{first.item}</strong>
            </Named>
          )}
          {first.barras !== '' && (
            <Named name="Código de barras">
              <TraceLink term={first.barras} kind="barras" current={current} />
            </Named>
          )}
          <span className="text-sm text-muted">
            {plants.find(({ code }) => code === first.filial)?.label ?? first.filial} · {countText(entries)}
          </span>
          {scrapTexts(entries).map((text) => (
            <span key={text} className="text-sm text-muted">
              {text}
            </span>
          ))}
        </span>
      </th>
    </tr>
  )
}

/** 'Terminal Lado 1 · Refugo da etapa: 17 (…)', once for each stage. */
const scrapTexts = (entries: readonly TraceEntry[]): string[] => [
  ...new Set(
    entries.flatMap((entry) => {
      const text = 'line' in entry ? stageScrapText(entry.line) : ''
      return 'line' in entry && text !== '' ? [`${stepLabels[entry.line.etapa]} · ${text}`] : []
    }),
  ),
]

/** '2 apontamentos, 1 medição' */
function countText(entries: readonly TraceEntry[]): string {
  const lines = entries.filter((entry) => 'line' in entry).length
  const samples = entries.length - lines
  const texts = [
    lines > 0 && (lines === 1 ? '1 apontamento' : `${formatCount(lines)} apontamentos`),
    samples > 0 && (samples === 1 ? '1 medição' : `${formatCount(samples)} medições`),
  ]
  return texts.filter(Boolean).join(', ')
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <span className="text-sm text-muted">{name}</span>
    {children}
  </span>
)

type Props = { groups: readonly TraceGroup[]; current: Traced }

type Entry = { key: string; group: TraceGroup } | (TraceEntry & { key: string })

export function TraceTable({ groups, current }: Props) {
  const entries = useMemo(
    () =>
      groups.flatMap((group): Entry[] => [
        { key: group.key, group },
        ...group.entries.map((entry) => ({ key: entry.id, ...entry })),
      ]),
    [groups],
  )
  return (
    <Table label="Apontamentos" rowCount={entries.length + 1}>
      <TableHead>
        <Th sticky>Etapa e data</Th>
        <Th align="right">Peças</Th>
        <Th>Lote e material</Th>
        <Th>Mini aplicador e selo</Th>
        <Th>Máquina e operador</Th>
        <Th width="min-w-32">Força e altura</Th>
        <Th>Situação</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ key }) => key}>
        {(entry, place) =>
          'group' in entry ? (
            <TraceGroupRow group={entry.group} current={current} place={place} />
          ) : 'line' in entry ? (
            <LineRow line={entry.line} current={current} place={place} />
          ) : (
            <SampleRow sample={entry.sample} current={current} place={place} />
          )
        }
      </LongRows>
    </Table>
  )
}

type LineProps = { line: TraceLine; current: Traced; place: RowPlace }

function LineRow({ line, current, place }: LineProps) {
  const { timeZone } = useSettings()
  const seal = [line.selo, line.seladora].filter(Boolean).join(' · ')
  return (
    <Row place={place}>
      <Td sticky>
        <span className="flex flex-col max-md:w-full max-md:flex-row max-md:flex-wrap max-md:justify-between">
          <strong>{stepLabels[line.etapa]}</strong>
          <span className="whitespace-nowrap">{formatInstant(line.registradoEm, timeZone)}</span>
          {line.relogioMinutos !== null && (
            <span className="text-sm text-muted">relógio corrigido: {shiftText(line.relogioMinutos)}</span>
          )}
        </span>
      </Td>
      <Td label="Peças" align="right">
        <strong className="text-lg">{formatCount(line.pecas)}</strong>
      </Td>
      <Td label="Lote e material" isBlank={line.lote === '' && line.codigo === ''}>
        <Lines under={<span className="code">{[line.codigo, gaugeOf(line)].filter(Boolean).join(' · ')}</span>}>
          <TraceLink term={line.lote} kind="lote" current={current} />
        </Lines>
      </Td>
      <Td label="Mini aplicador e selo" isBlank={line.miniaplicador === '' && seal === ''}>
        <Lines under={<span className="code">{seal}</span>}>
          {(line.miniaplicador !== '' || seal === '') && (
            <TraceLink term={line.miniaplicador} kind="miniaplicador" current={current} />
          )}
        </Lines>
      </Td>
      <Td label="Máquina e operador">
        <Lines under={line.operador}>
          <TraceLink term={line.maquina} kind="maquina" current={current} />
        </Lines>
      </Td>
      <Td label="Força e altura" isBlank={line.forca === null && line.alturaMm === null}>
        <Measures line={line} />
      </Td>
      <Td label="Situação">
        <span className="flex flex-col max-md:items-end">
          <Situation of={line.situacao} />
          {line.contencoes?.map(({ numero, situacao }) => (
            <span key={numero} className="inline-flex flex-wrap items-center gap-x-2">
              <ContainmentLink id={numero}>{numero}</ContainmentLink>
              {situacao}
            </span>
          ))}
          <HistoryLink
            place={{ ...line, parte: line.etapa, codigoBarras: line.barras }}
            act={line.id}
            label={`${stepLabels[line.etapa]}, ${formatInstant(line.registradoEm, timeZone)}`}
          />
        </span>
      </Td>
    </Row>
  )
}

const gaugeOf = ({ bitolaMilli }: TraceLine) => (bitolaMilli === null ? '' : `${gaugeText(bitolaMilli)} mm²`)

const withUnit = (value: string, unit: string) => (value === '-' ? value : `${value} ${unit}`)

/** Measured values, each beside its limit. */
function Measures({ line }: { line: TraceLine }) {
  const { forceUnit } = useSettings()
  const { forca, forcaMin, alturaMm, alturaNominalMm, motivoForaDoLimite } = line
  return (
    <span className="flex flex-col gap-1 max-md:items-end">
      {forca === null && alturaMm === null && '-'}
      {forca !== null && (
        <Measure
          value={withUnit(measureText(forca), forceUnit)}
          required={`mín. ${withUnit(requiredText(forca, measureText(forcaMin)), forceUnit)}`}
          isMeasured={line.forcaMedida}
        />
      )}
      {isBelowMinimum(line) && (
        <span className="text-sm font-medium text-bad-ink">
          {['fora do mínimo', motivoForaDoLimite].filter(Boolean).join(': ')}
        </span>
      )}
      {alturaMm !== null && (
        <Measure
          value={withUnit(millimetresText(alturaMm), 'mm')}
          required={`nominal ${withUnit(requiredText(alturaMm, millimetresText(alturaNominalMm)), 'mm')}`}
          isMeasured={line.alturaMedida}
        />
      )}
      {planLines(line).map((text) => (
        <span key={text} className={`text-sm ${isOutsidePlan(line) ? 'font-medium text-bad-ink' : 'text-muted'}`}>
          {text}
        </span>
      ))}
    </span>
  )
}

type MeasureProps = { value: string; required: string; isMeasured: boolean | null }

const Measure = ({ value, required, isMeasured }: MeasureProps) => (
  <span className="flex flex-wrap items-center gap-x-2 max-md:justify-end">
    <span className="whitespace-nowrap">{value}</span>
    <span className="text-sm whitespace-nowrap text-muted">{required}</span>
    {isMeasured === false && (
      <span className="inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap text-warn-ink">
        <Ruler {...icon.sm} />
        não medido
      </span>
    )}
    {isMeasured && (
      <span className="inline-flex items-center gap-1 text-sm font-medium text-ok-ink">
        <Check {...icon.sm} />
        medido
      </span>
    )}
  </span>
)

/** Quiet where all is well. */
const Situation = ({ of }: { of: TraceLine['situacao'] }) =>
  of === 'entregue' ? (
    <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap text-muted">
      <Check {...icon.sm} />
      {situationLabels[of]}
    </span>
  ) : of === 'aguardando' ? (
    <Badge icon={<Clock {...icon.sm} />}>{situationLabels[of]}</Badge>
  ) : (
    <Badge tone="warn" icon={<CircleAlert {...icon.sm} />}>
      {situationLabels[of]}
    </Badge>
  )
