import { Link } from '@tanstack/react-router'
import { Check, CircleAlert, Clock, Ruler } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { UNREGISTERED } from '../../../contract/applicators.ts'
import type { TraceLine } from '../../../contract/traces.ts'
import { nameKey } from '../../../domain/recordings.ts'
import {
  gaugeText,
  isBelowMinimum,
  isOutsidePlan,
  kindLabels,
  measureText,
  millimetresText,
  planLines,
  requiredText,
  shiftText,
  situationLabels,
  stepLabels,
} from '../../../domain/traces.ts'
import { formatCount, formatInstant } from '../../app/format.ts'
import { links, traceSearch } from '../../app/links.ts'
import { useSettings } from '../../parts/settings.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { Traced, TraceGroup } from './traces.ts'

type TraceLinkProps = Traced & {
  /** What is on screen: a link to it would lead nowhere. */
  current: Traced
}

/** A code that traces itself. */
export function TraceLink({ term, kind, current }: TraceLinkProps) {
  if (term === '') return '-'
  if (kind === 'miniaplicador' && nameKey(term) === nameKey(UNREGISTERED)) {
    // It stands for no tool: a trace of it would find nothing.
    return <span className={look}>{term}</span>
  }
  const isCurrent = term === current.term && kind === current.kind
  if (isCurrent) return <strong className={`${look} ${breaks(term)}`}>{term}</strong>
  return (
    <Link
      to={links.reports}
      search={(before: object) => ({ ...before, ...traceSearch({ term, kind }), filtro: undefined })}
      title={`Rastrear ${kindLabels[kind].toLowerCase()} ${term}`}
      className={`${look} ${breaks(term)} -mx-1 rounded-sm px-1 font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:bg-brand-soft hover:decoration-current`}
    >
      {term}
    </Link>
  )
}

const look = 'code inline-flex min-h-11 max-w-60 items-center'
/** A short code stands in one line; a name breaks at its blanks, and only what is too long for a line anywhere. */
const breaks = (term: string) => (term.length <= 16 && !term.includes(' ') ? 'whitespace-nowrap' : 'wrap-break-word')

type TraceGroupRowProps = { group: TraceGroup; current: Traced; place: RowPlace }

/** The head over the lines of one item: of which order it is, and where both are traced from. */
export function TraceGroupRow({ group, current, place }: TraceGroupRowProps) {
  const { plants } = useSettings()
  const { first, lines } = group
  const countText = lines.length === 1 ? '1 apontamento' : `${formatCount(lines.length)} apontamentos`
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
            {plants.find(({ code }) => code === first.filial)?.label ?? first.filial} · {countText}
          </span>
        </span>
      </th>
    </tr>
  )
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <span className="text-sm text-muted">{name}</span>
    {children}
  </span>
)

type Props = { groups: readonly TraceGroup[]; current: Traced }

type Entry = { key: string; group: TraceGroup } | { key: string; line: TraceLine }

export function TraceTable({ groups, current }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const entries = useMemo(
    () =>
      groups.flatMap((group): Entry[] => [
        { key: group.key, group },
        ...group.lines.map((line) => ({ key: line.id, line })),
      ]),
    [groups],
  )
  return (
    <Table label="Apontamentos" frameRef={setFrame} rowCount={entries.length + 1}>
      <TableHead>
        <Th sticky>Etapa e data</Th>
        <Th align="right">Peças</Th>
        <Th>Lote e material</Th>
        <Th>Mini aplicador e selo</Th>
        <Th>Máquina e operador</Th>
        <Th>Força e altura</Th>
        <Th>Situação</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ key }) => key} frame={frame}>
        {(entry, place) =>
          'group' in entry ? (
            <TraceGroupRow group={entry.group} current={current} place={place} />
          ) : (
            <LineRow line={entry.line} current={current} place={place} />
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
        <Situation of={line.situacao} />
      </Td>
    </Row>
  )
}

/** What matters, and quietly under it what goes with it. */
const Lines = ({ children, under }: { children: ReactNode; under: ReactNode }) => (
  <span className="flex min-w-0 flex-col max-md:items-end">
    <span>{children}</span>
    <span className="text-sm text-muted empty:hidden">{under}</span>
  </span>
)

const gaugeOf = ({ bitolaMilli }: TraceLine) => (bitolaMilli === null ? '' : `${gaugeText(bitolaMilli)} mm²`)

const withUnit = (value: string, unit: string) => (value === '-' ? value : `${value} ${unit}`)

/** What is asked of a value stands beside it. */
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
