import { Gavel, Tag } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { CONTAINMENT_PAGE, type Containment, type ContainmentRow } from '../../../contract/containments.ts'
import { useMay } from '../../parts/permissions.tsx'
import { usePrinted } from '../../parts/traces/SheetActions.tsx'
import { formatCount } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { StepsDialog } from './decisions/StepsDialog.tsx'
import { chosenOf, isUndecided } from './decisions/ticks.ts'
import { Mark, nameOf, RecordingCells, RecordingHeads } from './RecordingCells.tsx'
import { byItem, labelsHref } from './shown.ts'
import { Tick } from './Tick.tsx'

export const decidedPiles = [
  ['retrabalho', 'Em retrabalho'],
  ['liberadas', 'Liberadas'],
  ['sucateadas', 'Sucateadas'],
] as const

type Props = {
  containment: Containment
  rows: readonly ContainmentRow[]
  onDecide: (rows: readonly number[]) => void
  /** Ends of the whole, beside the decisions about its parts. */
  ends: ReactNode
}

/** Ticks of the rows that 'Decidir' takes: no row looks ticked that it would leave out. */
function useTicked(rows: readonly ContainmentRow[]) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const open = rows.filter(isUndecided).slice(0, CONTAINMENT_PAGE)
  const chosen = chosenOf(rows, ticked)
  const taken = new Set(chosen.map(({ id }) => id))
  const isFull = chosen.length === CONTAINMENT_PAGE
  return {
    ...{ open, chosen, isFull },
    isTicked: (id: number) => taken.has(id),
    tick: (id: number, isOn: boolean) => {
      const others = [...taken].filter((one) => one !== id)
      if (!isOn || !isFull) setTicked(new Set(isOn ? [...others, id] : others))
    },
    tickAll: (isOn: boolean) => setTicked(new Set(isOn ? open.map(({ id }) => id) : [])),
  }
}

/** Rows of a containment with their pieces and steps; who may decide ticks some, or takes one. */
export function RowTable({ containment, rows, onDecide, ends }: Props) {
  const [steps, setSteps] = useState<number | null>(null)
  const shown = rows.find(({ id }) => id === steps)
  const { print, outcome } = usePrinted('Etiqueta', 'Não foi possível preparar a etiqueta.')
  const mayDecide = useMay('dispose') && containment.situacao === 'aberta'
  const sorted = useMemo(() => byItem(rows), [rows])
  const { open, chosen, isFull, isTicked, tick, tickAll } = useTicked(sorted)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 empty:hidden">
        {mayDecide && open.length > 0 && (
          <div className="flex flex-wrap items-center gap-x-2">
            <Tick name="Todas as linhas" isOn={chosen.length === open.length} onChange={tickAll}>
              Todas
            </Tick>
            <Button
              size="lg"
              icon={<Gavel {...icon.md} />}
              isDisabled={chosen.length === 0}
              onPress={() => onDecide(chosen.map(({ id }) => id))}
            >
              {decideText(chosen.length)}
            </Button>
            {isFull && (
              <span className="text-sm text-muted">No máximo {formatCount(CONTAINMENT_PAGE)} de uma vez.</span>
            )}
          </div>
        )}
        {ends}
      </div>
      {outcome}
      <Table label="Peças da contenção" rowCount={sorted.length + 1}>
        <TableHead>
          <RecordingHeads />
          <Th align="right">Suspeitas</Th>
          {decidedPiles.map(([key, name]) => (
            <Th key={key} align="right">
              {name}
            </Th>
          ))}
          <Th stickyEnd>Ações</Th>
        </TableHead>
        <LongRows items={sorted} keyOf={({ id }) => String(id)}>
          {(row, place) => (
            <ContainedRow
              {...{ row, place, mayDecide }}
              isTicked={isTicked(row.id)}
              onTick={(isOn) => tick(row.id, isOn)}
              onDecide={() => onDecide([row.id])}
              onSteps={() => setSteps(row.id)}
              onPrint={() => print(labelsHref(containment.id, 1, row.id))}
            />
          )}
        </LongRows>
      </Table>
      {shown && <StepsDialog {...{ containment, mayDecide }} row={shown} onClose={() => setSteps(null)} />}
    </div>
  )
}

const decideText = (count: number): string => {
  if (count === 0) return 'Decidir as marcadas'
  return count === 1 ? 'Decidir 1 marcada' : `Decidir ${formatCount(count)} marcadas`
}

type RowProps = {
  row: ContainmentRow
  place: RowPlace
  mayDecide: boolean
  isTicked: boolean
  onTick: (isOn: boolean) => void
  onDecide: () => void
  onSteps: () => void
  onPrint: () => void
}

function ContainedRow({ row, place, mayDecide, isTicked, onTick, onDecide, onSteps, onPrint }: RowProps) {
  const name = `${nameOf(row)}, ${formatCount(row.pecas)} peças`
  const canDecide = mayDecide && isUndecided(row)
  return (
    <Row place={place} isSelected={canDecide && isTicked}>
      <RecordingCells
        of={row}
        tick={canDecide && <Tick name={name} isOn={isTicked} onChange={onTick} />}
        marks={
          <>
            <Mark of={row.certeza} />
            {row.divergente && <Badge tone="bad">diverge</Badge>}
          </>
        }
      />
      <Td label="Suspeitas" align="right">
        <span className="flex flex-col max-md:items-end">
          <span className={row.suspeitas > 0 ? 'text-lg font-semibold text-bad-ink' : ''}>
            {formatCount(row.suspeitas)}
          </span>
          <span className="text-sm whitespace-nowrap text-muted">de {formatCount(row.pecas)}</span>
        </span>
      </Td>
      {decidedPiles.map(([key, label]) => (
        <Td key={key} label={label} align="right" isBlank={row[key] === 0}>
          {row[key] === 0 ? '–' : formatCount(row[key])}
        </Td>
      ))}
      <Td stickyEnd>
        <span className="flex flex-wrap items-center justify-end gap-1">
          {canDecide && (
            <Button size="tight" aria-label={`Decidir: ${name}`} onPress={onDecide}>
              Decidir
            </Button>
          )}
          <IconButton label={`Imprimir etiqueta: ${name}`} icon={<Tag {...icon.md} />} onPress={onPrint} />
          {row.passos.length > 0 && (
            <Button size="tight" variant="quiet" aria-label={`Passos: ${name}`} onPress={onSteps}>
              {row.passos.length === 1 ? '1 passo' : `${row.passos.length} passos`}
            </Button>
          )}
        </span>
      </Td>
    </Row>
  )
}
