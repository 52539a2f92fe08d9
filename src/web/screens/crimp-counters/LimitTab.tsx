import { Check, Gauge, Infinity as InfinityIcon, Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { type CrimpCounter, type CrimpCounterList, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { compareNames } from '../../../domain/people/names.ts'
import { mostWornFirst } from '../../../domain/tools/crimp-counters.ts'
import { forecastText } from '../../../domain/tools/tool-life.ts'
import { LimitBar } from '../../parts/LimitBar.tsx'
import { Denied, useMay } from '../../parts/permissions.tsx'
import { useSettings } from '../../parts/settings.ts'
import { TraceAll } from '../../parts/traces/TraceAll.tsx'
import { formatCount } from '../../text/format.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { EmptyState } from '../../ui/Page.tsx'
import { SpinnerMark } from '../../ui/Spinner.tsx'
import { useSorted } from '../../ui/sorting.ts'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { takeFocus } from '../../ui/TextField.tsx'
import { limitText, type Reading } from './counters.ts'
import type { LimitEdit, LimitEdits } from './limit-edits.ts'
import { type Filter, FilterRow, Limit, ListFailure, ListLoading, UnitName } from './table-parts.tsx'

type LimitCellProps = {
  unit: CrimpCounter
  warningPercent: number
  edit: LimitEdit | undefined
  /** Null: it may not be changed. */
  onOpen: (() => void) | null
  onType: (typed: string) => void
  onSave: () => void
  onCancel: () => void
  onReload: () => void
}

/** The limit, and the box in its place once the pencil was pressed. */
function LimitCell({ unit, warningPercent, edit, onOpen, ...acts }: LimitCellProps) {
  const pencil = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = edit !== undefined
  useEffect(() => {
    // Only where the box took the focus with it: somebody may be working elsewhere by now.
    if (!isOpen && wasOpen.current && document.activeElement === document.body) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (edit) return <LimitBox unit={unit} edit={edit} {...acts} />
  return (
    <span className="inline-flex items-center gap-1">
      <Limit unit={unit} warningPercent={warningPercent} />
      {onOpen && (
        <IconButton
          ref={pencil}
          label={`Alterar limite de ${unit.miniaplicator}`}
          tone="brand"
          icon={<Pencil {...icon.md} />}
          onPress={onOpen}
        />
      )}
    </span>
  )
}

type BoxProps = Omit<LimitCellProps, 'edit' | 'onOpen' | 'warningPercent'> & { edit: LimitEdit }

function LimitBox({ unit, edit, onType, onSave, onCancel, onReload }: BoxProps) {
  const { miniaplicator } = unit
  const box = useRef<HTMLInputElement>(null)
  // Opened by a person, not when a long list draws the row anew or a reload brings back what was typed.
  const isOpened = useEffectEvent(() => !edit.isRestored && document.activeElement === document.body)
  useEffect(() => {
    if (isOpened()) takeFocus(box.current)
  }, [])
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // The same Enter would press the pencil that takes the focus.
    event.preventDefault()
    if (event.key === 'Enter') onSave()
    else onCancel()
  }
  const setUnlimited = () => {
    onType(String(UNLIMITED))
    box.current?.focus()
  }
  const currentId = `limite-atual-${encodeURIComponent(miniaplicator)}`
  const problemId = `limite-${encodeURIComponent(miniaplicator)}`
  const problem = edit.problem ?? edit.failure ?? (edit.isChanged ? refusals.changed_meanwhile.message : null)
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <span className="inline-flex flex-wrap items-center justify-end gap-2 lg:flex-nowrap">
        <input
          ref={box}
          aria-label={`Novo limite de ${miniaplicator}`}
          aria-invalid={problem !== null}
          aria-describedby={problem ? `${currentId} ${problemId}` : currentId}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={edit.typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={hear}
          className="code min-h-11 w-37 rounded-md border border-edge bg-surface px-3 text-right text-lg font-medium text-ink aria-invalid:border-bad-fill aria-invalid:bg-bad-soft"
        />
        <IconButton
          label={`Deixar ${miniaplicator} ilimitado`}
          icon={<InfinityIcon {...icon.md} />}
          onPress={setUnlimited}
        />
        <IconButton
          label={`Salvar limite de ${miniaplicator}`}
          tone="brand"
          icon={edit.isBusy ? <SpinnerMark /> : <Check {...icon.md} />}
          onPress={onSave}
        />
        <IconButton label={`Cancelar limite de ${miniaplicator}`} icon={<X {...icon.md} />} onPress={onCancel} />
      </span>
      <span id={currentId} className="text-sm text-muted">
        Limite atual: {limitText(unit.limitOfCrimps)}
      </span>
      {problem && (
        <span id={problemId} role="alert" className="max-w-72 text-right text-sm font-medium text-bad-ink">
          {problem}
        </span>
      )}
      {edit.isChanged && <Button onPress={onReload}>Recarregar</Button>}
    </span>
  )
}

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
  used: (one: CrimpCounter, other: CrimpCounter) => mostWornFirst(other, one),
}

function ControlTable({ units, limits }: { units: readonly CrimpCounter[]; limits: LimitEdits }) {
  const { limitWarningPercent } = useSettings()
  const mayChange = useMay('limits')
  const { sorted, sortOf } = useSorted(units, compare, { by: 'used', direction: 'descending' })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Marcas na barra: aviso ({limitWarningPercent}%) e limite (100%). 'total' soma todos os ciclos.
      </p>
      <Denied permission="limits" />
      <Table label="Limite de crimpagens" rowCount={sorted.length + 1}>
        <TableHead isSortable>
          <Th sort={sortOf('name')}>Mini aplicador</Th>
          <Th sort={sortOf('crimps', 'descending')} align="right">
            Qtd. crimpagem
          </Th>
          <Th align="right">Limite</Th>
          <Th sort={sortOf('used', 'descending')} width="w-1/4">
            Progresso
          </Th>
          <Th width="w-1/4">Terminais</Th>
        </TableHead>
        <LongRows items={sorted} keyOf={(unit) => unit.miniaplicator}>
          {(unit, place) => (
            <ControlRow
              unit={unit}
              limits={limits}
              warningPercent={limitWarningPercent}
              mayChange={mayChange}
              {...place}
            />
          )}
        </LongRows>
      </Table>
    </div>
  )
}

type RowProps = RowPlace & { unit: CrimpCounter; limits: LimitEdits; warningPercent: number; mayChange: boolean }

function ControlRow({ unit, limits, warningPercent, mayChange, ...place }: RowProps) {
  const { miniaplicator, numberOfCrimps, lifetimeCrimps, associatedTerminals } = unit
  return (
    <Row place={place}>
      <Td label="Mini aplicador">
        <span className="flex flex-col max-md:items-end">
          <UnitName>{miniaplicator}</UnitName>
          <TraceAll term={miniaplicator} kind="miniaplicador" />
        </span>
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
          onOpen={mayChange ? () => limits.open(unit) : null}
          onType={(typed) => limits.change(miniaplicator, { typed, problem: null })}
          onSave={() => void limits.save(unit)}
          onCancel={() => limits.close(miniaplicator)}
          onReload={() => void limits.takeCurrent(unit)}
        />
      </Td>
      <Td label="Progresso">
        <div className="flex w-full min-w-0 flex-col text-left">
          <LimitBar unit={unit} warningPercent={warningPercent} />
          {unit.previsao && <span className="text-sm text-muted">{forecastText(unit.previsao)}</span>}
        </div>
      </Td>
      <Td label="Terminais">
        <span className="code text-sm wrap-anywhere">
          {associatedTerminals.length > 0 ? associatedTerminals.join(', ') : 'N/A'}
        </span>
      </Td>
    </Row>
  )
}
