import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { logEntries } from '../../../contract/log-entries.ts'
import { addDays, dayStartMs, toInstant } from '../../../domain/plant/plant-time.ts'
import { showToast } from '../../device/toasts.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call, errorText } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { EntryTable } from './EntryTable.tsx'
import { type MinLevel, shownOfServers } from './entries.ts'
import { DayBox, LevelField, Nothing, TextFilter } from './filter-fields.tsx'
import { LogActions } from './LogActions.tsx'

type ServerFilter = {
  minLevel: MinLevel
  /** Days at the plant, both within; empty: open. */
  from: string
  to: string
  text: string
  maxCount: number
}

const queryOf = ({ minLevel, from, to, text, maxCount }: ServerFilter, timeZone: string) => ({
  maxCount,
  ...(minLevel === '' ? {} : { minLevel }),
  ...(from === '' ? {} : { startDate: toInstant(dayStartMs(from, timeZone)) }),
  ...(to === '' ? {} : { endDate: toInstant(dayStartMs(addDays(to, 1), timeZone) - 1) }),
  ...(text === '' ? {} : { texto: text }),
})

function useServerLog(filter: ServerFilter, timeZone: string) {
  const reading = useQuery({
    ...query(logEntries.list, { query: queryOf(filter, timeZone) }),
    placeholderData: keepPreviousData,
  })
  const entries = useMemo(() => reading.data && shownOfServers(reading.data), [reading.data])
  return { ...reading, entries }
}

const everything: ServerFilter = { minLevel: '', from: '', to: '', text: '', maxCount: 500 }
const counts = ['100', '500', '1000', '5000'] as const

/** The log of the servers, for administrators. */
export function ServerTab() {
  const { timeZone } = useSettings()
  const [filter, setFilter] = useState(everything)
  const [isClearing, setClearing] = useState(false)
  const reading = useServerLog(filter, timeZone)
  const { entries = [], isPending, isFetching, isPlaceholderData, error, refetch } = reading
  const test = useSave({
    send: () => call(logEntries.test, {}),
    changes: [logEntries.list],
    isDoneWhenShown: true,
    onFailed: (failed) => showToast({ kind: 'error', text: errorText(failed) }),
  })
  const isFiltered = [filter.minLevel, filter.from, filter.to, filter.text].some((chosen) => chosen !== '')
  const change = (changed: Partial<ServerFilter>) => setFilter((before) => ({ ...before, ...changed }))
  return (
    <div className="flex flex-col gap-4">
      <FilterFields filter={filter} onChange={change} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-40 flex-1 text-sm text-muted">
          {isPending || error ? '' : countText(entries.length, filter.maxCount, isPlaceholderData)}
        </p>
        <Button
          icon={<RefreshCw {...icon.md} />}
          busy={isFetching}
          busyText="Carregando..."
          onPress={() => void refetch()}
        >
          Atualizar
        </Button>
        <LogActions
          entries={entries}
          kind="log_servidor"
          isTesting={test.isBusy}
          onTest={() => test.save()}
          onClear={() => setClearing(true)}
          isEmpty={entries.length === 0 && !isFiltered}
        />
      </div>
      <ReadingState reading={reading} loadingText="Carregando o log do servidor..." />
      {entries.length > 0 && <EntryTable label="Log do servidor" entries={entries} />}
      {!isPending && !error && entries.length === 0 && (
        <Nothing isFiltered={isFiltered}>O log do servidor está vazio.</Nothing>
      )}
      {isClearing && <ClearDialog onClose={() => setClearing(false)} />}
    </div>
  )
}

const countText = (count: number, countMax: number, isOutdated: boolean) => {
  if (isOutdated) return 'Carregando...'
  if (count === countMax) return `Mostrando as ${formatCount(count)} mais novas`
  return `${formatCount(count)} ${count === 1 ? 'entrada' : 'entradas'}`
}

type FieldsProps = { filter: ServerFilter; onChange: (changed: Partial<ServerFilter>) => void }

function FilterFields({ filter, onChange }: FieldsProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-x-4 gap-y-2 md:grid-cols-4 2xl:grid-cols-[12rem_11rem_11rem_12rem_minmax(0,1fr)]">
      <LevelField value={filter.minLevel} onChange={(minLevel) => onChange({ minLevel })} />
      <DayBox label="De" onChange={(from) => onChange({ from })} />
      <DayBox label="Até" onChange={(to) => onChange({ to })} />
      <SelectField
        label="Mostrar até"
        options={counts}
        textOf={(count) => formatCount(Number(count))}
        value={counts.find((count) => Number(count) === filter.maxCount) ?? ''}
        onChange={(count) => onChange({ maxCount: Number(count) })}
      />
      <div className="max-2xl:col-span-full">
        <TextFilter placeholder="Digite e tecle Enter" text={filter.text} onChange={(text) => onChange({ text })} />
      </div>
    </div>
  )
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const { save, isBusy, failure } = useSave({
    send: () => call(logEntries.clear, {}),
    changes: [logEntries.list],
    isDoneWhenShown: true,
    toast: 'Log do servidor limpo',
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title="Limpar o log do servidor?"
      kind="danger"
      confirmText="Limpar"
      busyText="Limpando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p>Todas as entradas serão apagadas, também as que o filtro não mostra. Fica registrado quem limpou.</p>
    </ConfirmDialog>
  )
}
