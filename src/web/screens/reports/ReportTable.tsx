import type { Grouping, ProductionLine, ProductionTotals } from '../../../contract/production-reports.ts'
import { compareNames } from '../../../domain/people/names.ts'
import { groupingNames, lineName } from '../../../domain/reports/production-reports.ts'
import { formatCount } from '../../text/format.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import type { HeadSort } from '../../ui/sorting.ts'
import { Row, Table, TableFoot, TableHead, Td, Th } from '../../ui/Table.tsx'

export const amountColumns = ['apontamentos', 'cortes', 'crimpagens', 'juncoes'] as const
type Column = 'nome' | (typeof amountColumns)[number]

export const amountNames: Record<(typeof amountColumns)[number], string> = {
  apontamentos: 'Apontamentos',
  cortes: 'Cortes',
  crimpagens: 'Crimpagens',
  juncoes: 'Junções',
}

const namelessLast = (one: ProductionLine, other: ProductionLine) => Number(one.nome === '') - Number(other.nome === '')

export const compareLines: Record<Column, (one: ProductionLine, other: ProductionLine) => number> = {
  nome: (one, other) => namelessLast(one, other) || compareNames(one.nome, other.nome),
  apontamentos: (one, other) => one.apontamentos - other.apontamentos,
  cortes: (one, other) => one.cortes - other.cortes,
  crimpagens: (one, other) => one.crimpagens - other.crimpagens,
  juncoes: (one, other) => one.juncoes - other.juncoes,
}

type Props = {
  label: string
  grouping: Grouping
  lines: readonly ProductionLine[]
  totals: ProductionTotals
  sortOf: (column: Column) => HeadSort
}

/** Its totals stay in sight. */
export function ReportTable({ label, grouping, lines, totals, sortOf }: Props) {
  const most = mostOf(lines)
  return (
    <Table label={label} rowCount={lines.length + 2}>
      <TableHead isSortable>
        <Th sticky sort={sortOf('nome')}>
          {groupingNames[grouping]}
        </Th>
        {amountColumns.map((column) => (
          <Th key={column} align="right" sort={sortOf(column)}>
            {amountNames[column]}
          </Th>
        ))}
      </TableHead>
      <LongRows items={lines} keyOf={({ nome }) => nome}>
        {(line, place) => (
          <Row place={place}>
            <Td sticky>
              <span className="code font-semibold wrap-anywhere max-md:mr-auto max-md:text-left">
                {lineName(line.nome, grouping)}
              </span>
            </Td>
            <Amounts of={line} most={most} />
          </Row>
        )}
      </LongRows>
      <TableFoot>
        <Row place={{ 'aria-rowindex': lines.length + 2 }}>
          <Td sticky>
            <span className="max-md:mr-auto">Total</span>
          </Td>
          <Amounts of={totals} />
        </Row>
      </TableFoot>
    </Table>
  )
}

const mostOf = (lines: readonly ProductionLine[]): ProductionTotals => {
  const most = { apontamentos: 1, cortes: 1, crimpagens: 1, juncoes: 1 }
  for (const line of lines) for (const column of amountColumns) most[column] = Math.max(most[column], line[column])
  return most
}

/** With `most` each has a bar behind it, as long as its share of the largest one of its column. */
const Amounts = ({ of, most }: { of: ProductionTotals; most?: ProductionTotals }) =>
  amountColumns.map((column) => (
    <Td key={column} label={amountNames[column]} align="right" isThird={column !== 'apontamentos'}>
      <span className="relative block px-1">
        {most && of[column] > 0 && (
          <span
            aria-hidden
            className="absolute inset-y-0 right-0 rounded-full bg-track"
            style={{ width: `${(100 * of[column]) / most[column]}%` }}
          />
        )}
        <span className="relative">{formatCount(of[column])}</span>
      </span>
    </Td>
  ))
