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

type RowProps = { unit: CrimpCounter; limits: LimitEdits; warningPercent: number; mayChange: boolean }

/** The limit, and the box in its place once the pencil was pressed. */
function LimitCell({ unit, limits, warningPercent, mayChange }: RowProps) {
  const edit = limits.edits[unit.miniaplicator]
  const pencil = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = edit !== undefined
  useEffect(() => {
    // Only where the box took the focus with it: somebody may be working elsewhere by now.
    if (!isOpen && wasOpen.current && document.activeElement === document.body) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (edit) return <LimitBox unit={unit} edit={edit} limits={limits} />
  return (
    <span className="inline-flex items-center gap-1">
      <Limit unit={unit} warningPercent={warningPercent} />
      {mayChange && (
        <IconButton
          ref={pencil}
          label={`Alterar limite de ${unit.miniaplicator}`}
          tone="brand"
          icon={<Pencil {...icon.md} />}
          onPress={() => limits.open(unit)}
        />
      )}
    </span>
  )
}

type BoxProps = Pick<RowProps, 'unit' | 'limits'> & { edit: LimitEdit }

function LimitBox({ unit, edit, limits }: BoxProps) {
  const { miniaplicator } = unit
  const type = (typed: string) => limits.change(miniaplicator, { typed, problem: null })
  const save = () => limits.save(unit)
  const cancel = () => limits.close(miniaplicator)
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
    if (event.key === 'Enter') save()
    else cancel()
  }
  const setUnlimited = () => {
    type(String(UNLIMITED))
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
          onChange={(event) => type(event.target.value)}
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
          onPress={save}
        />
        <IconButton label={`Cancelar limite de ${miniaplicator}`} icon={<X {...icon.md} />} onPress={cancel} />
      </span>
      <span id={currentId} className="text-sm text-muted">
        Limite atual: {limitText(unit.limitOfCrimps)}
      </span>
      {problem && (
        <span id={problemId} role="alert" className="max-w-72 text-right text-sm font-medium text-bad-ink">
          {problem}
        </span>
      )}
      {edit.isChanged && <Button onPress={() => void limits.takeCurrent(unit)}>Recarregar</Button>}
    </span>
  )
}

type Props = { reading: Reading & { list: CrimpCounterList }; filter: Filter; limits: LimitEdits }

export function LimitTab({ reading, filter, limits }: Props) {
  const { list, isFirst, error } = reading
  const units = list.controlTable
  const isEmpty = !isFirst && !error && units.length === 0
  const all = `${formatCount(list.totalCount)} ${list.totalCount === 1 ? 'mini aplicador' : 'mini aplicadores'}`
  const isPart = units.length !== list.totalCount
  return (
    <div className="flex flex-col gap-4">
      <FilterRow
        filter={filter}
        reading={reading}
        countText={isPart ? `Mostrando ${formatCount(units.length)} de ${all}` : all}
      />
      <ListFailure reading={reading} />
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
              place={place}
            />
          )}
        </LongRows>
      </Table>
    </div>
  )
}

function ControlRow({ place, ...row }: RowProps & { place: RowPlace }) {
  const { unit, warningPercent } = row
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
        <LimitCell {...row} />
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
