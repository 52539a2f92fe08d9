import { useState } from 'react'
import { NAME_LENGTH_MAX } from '../../../../contract/applicators.ts'
import type { CrimpCounter } from '../../../../contract/crimp-counters.ts'
import { filterUnits } from '../../../../domain/tools/crimp-counters.ts'
import { partName } from '../../../../domain/tools/wear-parts.ts'
import { formatCount } from '../../../text/format.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useCounters } from '../counters.ts'
import { ListFailure, ListLoading } from '../table-parts.tsx'

/** With more units than these a person types some letters first. */
const UNITS_SHOWN_MAX = 50

type Props = {
  title: string
  isOffered?: (unit: CrimpCounter) => boolean
  onSelect: (unit: CrimpCounter) => void
  onClose: () => void
}

/** A tool, to be picked from all that there are. */
export function UnitSelector({ title, isOffered = () => true, onSelect, onClose }: Props) {
  const { list, ...reading } = useCounters('')
  const { isFirst, error } = reading
  const [filter, setFilter] = useState('')
  const units = filterUnits(list.controlTable.filter(isOffered), filter)
  return (
    <Dialog title={title} width="md" onClose={onClose}>
      <TextField
        autoFocus
        label="Mini aplicador"
        placeholder="Digite uma parte do nome"
        maxLength={NAME_LENGTH_MAX}
        value={filter}
        onChange={setFilter}
        code
      />
      {isFirst && <ListLoading />}
      <ListFailure reading={reading} />
      {!isFirst && !error && units.length === 0 && <p className="text-muted">Nenhum mini aplicador para escolher.</p>}
      <ul className="flex flex-col gap-1">
        {units.slice(0, UNITS_SHOWN_MAX).map((unit) => (
          <li key={unit.miniaplicator}>
            <button
              type="button"
              onClick={() => onSelect(unit)}
              className="flex min-h-12 w-full flex-wrap items-center gap-x-4 rounded-md border border-line px-3 py-2 text-left hover:bg-hover"
            >
              <strong className="code text-lg wrap-anywhere">{unit.miniaplicator}</strong>
              <span className="text-sm text-muted wrap-anywhere">{(unit.pecas ?? []).map(partName).join(', ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {units.length > UNITS_SHOWN_MAX && (
        <p className="text-sm text-muted">
          Mais {formatCount(units.length - UNITS_SHOWN_MAX)}: digite uma parte do nome.
        </p>
      )}
    </Dialog>
  )
}
