import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FilterX, ListPlus, Plus, SearchX } from 'lucide-react'
import { type Ref, useDeferredValue, useEffect, useRef, useState } from 'react'
import { showToast } from '../../device/toasts.ts'
import { errorText } from '../../server/api.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import { formatRecentInstant } from '../../text/format.ts'
import { RetryAlert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState, PageHeading } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useFilterKey } from '../FilterField.tsx'
import { Denied, useMay } from '../permissions.tsx'
import { useSettings } from '../settings.ts'
import {
  failureOf,
  isGone,
  type Management,
  type Pair,
  type PairAct,
  type PairForm,
  pairText,
  problemText,
} from './management.ts'
import { PairDialog } from './PairDialog.tsx'
import { PairTable } from './PairTable.tsx'
import { readPairDraft } from './pair-form.ts'

type Props<Field extends string> = {
  management: Management<Field>
  pair: Pair<Field>
  onDeleted: () => void
  onClose: () => void
}

/** Asks, naming the pair as this page knows it; what somebody else has changed meanwhile is asked anew. */
function DeletePairDialog<Field extends string>({ management, pair, onDeleted, onClose }: Props<Field>) {
  const { changes, calls, texts } = management
  const queries = useQueryClient()
  const [seen, setSeen] = useState(pair)
  const { save, isBusy, error, isChanged, reload } = useSave({
    send: () => calls.delete(seen),
    changes,
    toast: texts.deleted,
    onSaved: () => {
      queries.setQueryData(calls.list.queryKey, (before) => before?.filter(({ id }) => id !== seen.id))
      onDeleted()
    },
    onFailed: (thrown) => {
      if (!isChangedMeanwhile(thrown) && !isGone(thrown)) {
        showToast({ kind: 'error', ...failureOf(thrown, texts.deleteFailed) })
      }
    },
    reread: async () => setSeen(await calls.get(seen.id)),
  })
  return (
    <ConfirmDialog
      title="Confirmar Exclusão"
      kind="danger"
      confirmText="Excluir"
      busyText="Excluindo..."
      isBusy={isBusy}
      error={problemText(error, isChanged)}
      errorAction={isChanged && !isGone(error) && <Button onPress={reload}>Recarregar</Button>}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{texts.deleteQuestion(pairText(management, seen))}</p>
      {texts.deleteNote && <p className="text-muted">{texts.deleteNote}</p>}
    </ConfirmDialog>
  )
}

/** Lists, creates, changes and deletes pairs of names. */
export function ManagementScreen<Field extends string>({ management }: { management: Management<Field> }) {
  const { title, subtitle, calls, texts } = management
  const reading = useQuery(calls.list)
  const { data: pairs, isError } = reading
  const { open, setOpen, content } = useOpenDialog(management)
  const mayChange = useMay('tools')
  useEffect(() => {
    // Said once for a list that is there already, not each time that it is read again by itself.
    if (isError) showToast({ kind: 'error', text: texts.loadFailed })
  }, [isError, texts])
  return (
    <>
      <PageHeading
        title={title}
        subtitle={subtitle}
        action={
          mayChange && (
            <Button variant="primary" icon={<Plus {...icon.md} />} onPress={() => setOpen({ act: 'edit', pair: null })}>
              Adicionar
            </Button>
          )
        }
      />
      <Denied permission="tools" />
      <ReadingAlert reading={reading} />
      <Filtered
        management={management}
        pairs={pairs}
        isLoading={reading.isFetching}
        onAct={mayChange ? setOpen : null}
        resultRef={content}
      />
      {open?.act === 'edit' && (
        <PairDialog management={management} pair={open.pair} pairs={pairs ?? []} onClose={() => setOpen(null)} />
      )}
      {open?.act === 'delete' && (
        <DeletePairDialog
          management={management}
          pair={open.pair}
          onDeleted={() => setOpen('deleted')}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

/** After a deletion the button that opened the dialog is gone: the focus goes to the list instead. */
function useOpenDialog<Field extends string>({ topic }: Management<Field>) {
  const [open, setOpen] = useState<PairAct<Field> | 'deleted' | null>(() => {
    const draft = readPairDraft<Field>(topic)
    return draft?.isOpen ? { act: 'edit', pair: draft.seen } : null
  })
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open === 'deleted') content.current?.focus()
  }, [open])
  return { open: open === 'deleted' ? null : open, setOpen, content }
}

type Reading = { error: Error | null; dataUpdatedAt: number; isFetching: boolean; refetch: () => unknown }

function ReadingAlert({ reading }: { reading: Reading }) {
  const { error, dataUpdatedAt, isFetching, refetch } = reading
  const { timeZone } = useSettings()
  if (!error) return null
  const hasOld = dataUpdatedAt > 0
  const since = hasOld && formatRecentInstant(new Date(dataUpdatedAt).toISOString(), timeZone)
  return (
    <RetryAlert
      kind={hasOld ? 'warning' : 'error'}
      hasOld={hasOld}
      isRetrying={isFetching}
      busyText="Consultando..."
      onRetry={refetch}
    >
      {since ? `Não foi possível atualizar a lista. Dados de ${since}.` : errorText(error)}
    </RetryAlert>
  )
}

type FilteredProps<Field extends string> = {
  management: Management<Field>
  pairs: readonly Pair<Field>[] | undefined
  isLoading: boolean
  /** Null: nothing may be changed. */
  onAct: ((act: PairAct<Field>) => void) | null
  resultRef: Ref<HTMLDivElement>
}

function Filtered<Field extends string>({ management, pairs, isLoading, onAct, resultRef }: FilteredProps<Field>) {
  const { fields, texts } = management
  const none = Object.fromEntries(fields.map(({ name }) => [name, ''])) as PairForm<Field>
  const [filters, setFilters] = useState(none)
  const deferred = useDeferredValue(filters)
  const firstBox = useRef<HTMLInputElement>(null)
  useFilterKey(firstBox)
  const clear = () => {
    setFilters(none)
    firstBox.current?.focus()
  }
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-end gap-4">
          {fields.map(({ name, label }, index) => (
            <div key={name} className="min-w-56 flex-1 max-md:min-w-full">
              <TextField
                label={`Filtrar por ${label.toLowerCase()}`}
                placeholder="Digite para filtrar"
                {...(index === 0 ? { inputRef: firstBox } : {})}
                value={filters[name]}
                onChange={(text) => setFilters({ ...filters, [name]: text })}
              />
            </div>
          ))}
          <Button
            size="lg"
            icon={<FilterX {...icon.md} />}
            isDisabled={fields.every(({ name }) => filters[name] === '')}
            onPress={clear}
          >
            Limpar filtros
          </Button>
        </div>
      </Card>
      <div ref={resultRef} tabIndex={-1} className="outline-none">
        {!pairs && isLoading && <Spinner>{texts.loading}</Spinner>}
        {pairs?.length === 0 && <EmptyState icon={<ListPlus {...icon.xl} />}>{texts.empty}</EmptyState>}
        {pairs && pairs.length > 0 && (
          <PairTable
            management={management}
            pairs={pairs}
            filters={deferred}
            noMatch={
              <EmptyState icon={<SearchX {...icon.xl} />}>
                Nenhum registro encontrado com os filtros aplicados.
              </EmptyState>
            }
            onAct={onAct}
          />
        )}
      </div>
    </>
  )
}
