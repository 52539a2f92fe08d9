import { Gauge } from 'lucide-react'
import { useState } from 'react'
import type { CrimpCounter, CrimpCounterList } from '../../../contract/crimp-counters.ts'
import { usedPercent } from '../../../domain/crimp-counters.ts'
import { compareNames } from '../../../domain/names.ts'
import { formatCount } from '../../format.ts'
import { LimitBar } from '../../parts/LimitBar.tsx'
import { useSettings } from '../../parts/settings.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { EmptyState } from '../../ui/Page.tsx'
import { useSorted } from '../../ui/sorting.ts'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { Reading } from './counters.ts'
import { FilterRow } from './FilterRow.tsx'
import type { Filter } from './filters.ts'
import { LimitCell } from './LimitCell.tsx'
import type { LimitEdits } from './limit-edits.ts'
import { ListFailure, ListLoading } from './reading-states.tsx'
import { UnitName } from './UnitName.tsx'

type Props = { reading: Reading & { list: CrimpCounterList }; filter: Filter; limits: LimitEdits }

export function LimitTab({ reading, filter, limits }: Props) {
  const { list, isFirst, isLoading, error, refresh } = reading
  const units = list.controlTable
  const isEmpty = !isFirst && !error && units.length === 0
  const all = `${formatCount(list.totalCount)} ${list.totalCount === 1 ? 'mini aplicador' : 'mini aplicadores'}`
  const isPart = units.length !== list.totalCount
  return (
    <div className="flex flex-col gap-4">
      <FilterRow
        filter={filter}
        countText={isFirst || error ? '' : isPart ? `Mostrando ${formatCount(units.length)} de ${all}` : all}
        isLoading={isLoading}
        onRefresh={refresh}
      />
      {error && <ListFailure error={error} onRetry={refresh} isRetrying={isLoading} />}
      {isFirst && <ListLoading />}
      {isEmpty && (
        <EmptyState icon={<Gauge {...icon.xl} />}>
          Não há dados de controle de crimpagens para exibir{filter.applied === '' ? '' : ' com o filtro atual.'}
        </EmptyState>
      )}
      {units.length > 0 && <ControlTable units={units} limits={limits} />}
      <p role="status" className="sr-only">
        {limits.savedText}
      </p>
    </div>
  )
}

const compare = {
  name: (one: CrimpCounter, other: CrimpCounter) => compareNames(one.miniaplicator, other.miniaplicator),
  crimps: (one: CrimpCounter, other: CrimpCounter) => one.numberOfCrimps - other.numberOfCrimps,
  used: (one: CrimpCounter, other: CrimpCounter) => usedPercent(one) - usedPercent(other),
}

function ControlTable({ units, limits }: { units: readonly CrimpCounter[]; limits: LimitEdits }) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const { limitWarningPercent } = useSettings()
  const { sorted, sortOf } = useSorted(units, compare, { by: 'name', direction: 'ascending' })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Marcas na barra: {limitWarningPercent}% aviso, 100% limite. Abaixo das crimpagens, o total de todos os ciclos.
      </p>
      <Table label="Limite de crimpagens" frameRef={setFrame} rowCount={sorted.length + 1}>
        <TableHead isSortable>
          <Th sort={sortOf('name')}>Mini aplicador</Th>
          <Th sort={sortOf('crimps')} align="right">
            Qtd. crimpagem
          </Th>
          <Th align="right">Limite</Th>
          <Th sort={sortOf('used')} width="w-1/4">
            Progresso
          </Th>
          <Th width="w-1/4">Terminais</Th>
        </TableHead>
        <LongRows items={sorted} keyOf={(unit) => unit.miniaplicator} frame={frame}>
          {(unit, place) => <ControlRow unit={unit} limits={limits} warningPercent={limitWarningPercent} {...place} />}
        </LongRows>
      </Table>
    </div>
  )
}

type RowProps = RowPlace & { unit: CrimpCounter; limits: LimitEdits; warningPercent: number }

function ControlRow({ unit, limits, warningPercent, ...place }: RowProps) {
  const { miniaplicator, numberOfCrimps, lifetimeCrimps, associatedTerminals } = unit
  return (
    <Row place={place}>
      <Td label="Mini aplicador">
        <UnitName>{miniaplicator}</UnitName>
      </Td>
      <Td label="Qtd. crimpagem" align="right">
        <span className="inline-flex flex-col items-end">
          <span className="text-lg font-semibold">{formatCount(numberOfCrimps)}</span>
          <span className="text-xs text-muted">total {formatCount(lifetimeCrimps)}</span>
        </span>
      </Td>
      <Td label="Limite" align="right">
        <LimitCell
          unit={unit}
          warningPercent={warningPercent}
          edit={limits.edits[miniaplicator]}
          onOpen={() => limits.open(unit)}
          onType={(typed) => limits.change(miniaplicator, { typed, problem: null })}
          onSave={() => void limits.save(unit)}
          onCancel={() => limits.close(miniaplicator)}
          onReload={() => void limits.takeCurrent(unit)}
        />
      </Td>
      <Td label="Progresso">
        <LimitBar unit={unit} warningPercent={warningPercent} />
      </Td>
      <Td label="Terminais">
        <span className="code text-sm wrap-anywhere">
          {associatedTerminals.length > 0 ? associatedTerminals.join(', ') : 'N/A'}
        </span>
      </Td>
    </Row>
  )
}
