import { useMemo, useState, useSyncExternalStore } from 'react'
import { logLevels, testTexts } from '../../../contract/log-entries.ts'
import { browserLog, clearLog, subscribeToLog, writeLog } from '../../device/log.ts'
import { FilterField } from '../../parts/FilterField.tsx'
import { formatCount } from '../../text/format.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EntryTable } from './EntryTable.tsx'
import { ENTRIES_SHOWN_MAX, filterEntries, type MinLevel, shownHere } from './entries.ts'
import { LevelField, Nothing } from './filter-fields.tsx'
import { LogActions } from './LogActions.tsx'

const writeTestEntries = () => {
  for (const level of logLevels) writeLog({ level, source: 'Teste', message: testTexts[level] })
}

/** The log of this browser. */
export function DeviceTab() {
  const log = useSyncExternalStore(subscribeToLog, browserLog)
  const [chosen, setChosen] = useState<MinLevel>('')
  const [text, setText] = useState('')
  const [isClearing, setClearing] = useState(false)
  const found = useMemo(() => filterEntries(shownHere(log), { minLevel: chosen, text }), [log, chosen, text])
  const shown = found.slice(0, ENTRIES_SHOWN_MAX)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="min-w-52 max-md:w-full">
          <LevelField value={chosen} onChange={setChosen} />
        </div>
        <div className="min-w-60 flex-1 max-md:min-w-full">
          <FilterField
            label="Filtrar por texto"
            placeholder="Digite para filtrar"
            value={text}
            onChange={setText}
            maxLength={100}
          />
        </div>
        <LogActions
          entries={found}
          kind="log_dispositivo"
          onTest={writeTestEntries}
          onClear={() => setClearing(true)}
          isEmpty={log.length === 0}
        />
        <p role="status" className="w-full text-sm text-muted">
          {countText(shown.length, found.length, log.length)}
        </p>
      </div>
      {shown.length > 0 && <EntryTable label="Log deste dispositivo" entries={shown} />}
      {shown.length === 0 && <Nothing isFiltered={log.length > 0}>Nada foi registrado neste dispositivo.</Nothing>}
      {isClearing && <ClearDialog count={log.length} onClose={() => setClearing(false)} />}
    </div>
  )
}

function countText(shown: number, found: number, total: number): string {
  if (total === 0) return ''
  const of = found === total ? '' : `, de ${formatCount(total)}`
  if (shown < found) return `Mostrando as ${formatCount(shown)} mais novas de ${formatCount(found)} entradas${of}`
  return `${formatCount(found)} ${found === 1 ? 'entrada' : 'entradas'}${of}`
}

const ClearDialog = ({ count, onClose }: { count: number; onClose: () => void }) => (
  <ConfirmDialog
    title="Limpar o log deste dispositivo?"
    kind="danger"
    confirmText="Limpar"
    onConfirm={() => {
      clearLog()
      onClose()
    }}
    onClose={onClose}
  >
    <p>
      {count === 1 ? 'A entrada será apagada.' : `As ${formatCount(count)} entradas serão apagadas.`} Se o suporte
      precisa delas, exporte antes.
    </p>
  </ConfirmDialog>
)
