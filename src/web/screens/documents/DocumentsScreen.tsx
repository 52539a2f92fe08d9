import { FileSearch, FileUp, SearchX } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import {
  documentChanges,
  type TargetKind,
  targetKinds,
  WITHDRAWAL_REASON_LENGTH_MAX,
} from '../../../contract/documents.ts'
import { saysSomething } from '../../../contract/values.ts'
import { showToast } from '../../device/toasts.ts'
import { CopyNote } from '../../parts/documents/CopyNote.tsx'
import { DocumentViewer } from '../../parts/documents/DocumentViewer.tsx'
import { type DocumentEntry, entriesOf, targetKindTexts, useDocuments } from '../../parts/documents/documents.ts'
import { useFilterKey } from '../../parts/FilterField.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState, PageHeading } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Act, changeFailure, changes } from './acts.ts'
import { DocumentTable } from './DocumentTable.tsx'
import { EditDialog } from './EditDialog.tsx'
import { SendDialog } from './SendDialog.tsx'
import { useFileDrop } from './useFileDrop.ts'

type Props = { entry: DocumentEntry; onClose: () => void }

/** Asks before a revision goes out of sight, and why. */
function WithdrawDialog({ entry: { document, revision }, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const { save, isBusy, error } = useSave({
    changes,
    toast: 'Revisão retirada com sucesso!',
    onSaved: onClose,
    send: () => call(documentChanges.withdraw, { params: { id: revision.id }, body: { motivo: reason.trim() } }),
  })
  const confirm = () => {
    if (!saysSomething(reason)) return setReasonMissing(true)
    save()
  }
  return (
    <ConfirmDialog
      title="Retirar documento"
      kind="danger"
      confirmText="Retirar"
      busyText="Retirando..."
      isBusy={isBusy}
      error={error && changeFailure(error)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        Retirar a revisão {revision.revisao} de {document.titulo}?
      </p>
      <p className="text-muted">
        Os operadores deixam de ver esta revisão. O arquivo fica guardado e pode ser reativado.
      </p>
      <TextField
        label="Motivo"
        isRequired
        maxLength={WITHDRAWAL_REASON_LENGTH_MAX}
        value={reason}
        onChange={(text) => {
          setReason(text)
          setReasonMissing(false)
        }}
        error={isReasonMissing ? 'Informe o motivo' : undefined}
      />
    </ConfirmDialog>
  )
}

type Filter = { text: string; kind: TargetKind | ''; isAll: boolean }
const everything: Filter = { text: '', kind: '', isAll: false }

/** Drawings and work instructions: everybody searches and opens, administrators send and withdraw. */
export function DocumentsScreen() {
  const mayChange = useMay('documents')
  const [filter, setFilter] = useState(everything)
  const { text, kind, isAll } = useDeferredValue(filter)
  const reading = useDocuments({ text: text.trim(), kind })
  const { data, isFetching, refetch } = reading
  const [act, setAct] = useState<Act | null>(null)
  const isChangeable = mayChange && data?.isCached === false
  const send = (file: File | null) =>
    setAct(act?.act === 'send' ? { ...act, file } : { act: 'send', document: null, file })
  const isOver = useFileDrop(isChangeable && act === null ? send : null)
  const entries = entriesOf(data?.documents ?? [], { isAll })
  const restore = useRestore()
  return (
    <>
      <PageHeading
        title="Documentos"
        subtitle="Desenhos e instruções de trabalho"
        action={
          isChangeable && (
            <Button variant="primary" icon={<FileUp {...icon.md} />} onPress={() => send(null)}>
              Enviar documento
            </Button>
          )
        }
      />
      <Filters filter={filter} onChange={setFilter} mayChange={mayChange} />
      <ReadingState reading={reading} loadingText="Carregando documentos..." busyText="Consultando..." />
      {data?.isCached && <CopyNote isBusy={isFetching} onRetry={() => void refetch()} />}
      {data && data.total > data.documents.length && (
        <p role="status" className="text-sm text-muted">
          Há mais documentos do que cabem na lista. Refine a busca.
        </p>
      )}
      {data && entries.length === 0 && (
        <Nothing isFiltered={text.trim() !== '' || kind !== ''} isCached={data.isCached} />
      )}
      {entries.length > 0 && (
        <DocumentTable entries={entries} isChangeable={isChangeable} onAct={setAct} onRestore={restore} />
      )}
      {isOver && <DropHint />}
      {act && <Opened act={act} onFile={send} onClose={() => setAct(null)} />}
    </>
  )
}

const useRestore = () =>
  useSave({
    send: ({ revision }: DocumentEntry) => call(documentChanges.restore, { params: { id: revision.id } }),
    changes,
    toast: 'Revisão reativada com sucesso!',
    onFailed: (error) => showToast({ kind: 'error', text: changeFailure(error) }),
  }).save

type OpenedProps = { act: Act; onFile: (file: File) => void; onClose: () => void }

const dialogs = { open: DocumentViewer, edit: EditDialog, withdraw: WithdrawDialog } as const

function Opened({ act, onFile, onClose }: OpenedProps) {
  if (act.act === 'send')
    return <SendDialog document={act.document} file={act.file} onFile={onFile} onClose={onClose} />
  const About = dialogs[act.act]
  return <About entry={act.entry} onClose={onClose} />
}

type FiltersProps = { filter: Filter; onChange: (filter: Filter) => void; mayChange: boolean }

function Filters({ filter, onChange, mayChange }: FiltersProps) {
  const box = useRef<HTMLInputElement>(null)
  useFilterKey(box)
  return (
    <Card>
      <div className="flex flex-wrap items-end gap-4">
        <div className="min-w-56 flex-2 max-md:min-w-full">
          <TextField
            label="Buscar"
            placeholder="Título, código, revisão ou arquivo"
            inputRef={box}
            maxLength={100}
            value={filter.text}
            onChange={(text) => onChange({ ...filter, text })}
          />
        </div>
        <div className="min-w-48 flex-1">
          <SelectField
            label="Referente a"
            placeholder="Todos"
            options={targetKinds}
            textOf={(kind) => targetKindTexts[kind]}
            value={filter.kind}
            onChange={(kind) => onChange({ ...filter, kind })}
          />
        </div>
        <SwitchField
          label={mayChange ? 'Mostrar obsoletos e retirados' : 'Mostrar obsoletos'}
          isOn={filter.isAll}
          onChange={(isAll) => onChange({ ...filter, isAll })}
        />
      </div>
    </Card>
  )
}

function Nothing({ isFiltered, isCached }: { isFiltered: boolean; isCached: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={<SearchX {...icon.xl} />}>Nenhum documento encontrado com os filtros aplicados.</EmptyState>
    )
  }
  return (
    <EmptyState icon={<FileSearch {...icon.xl} />}>
      {isCached ? 'Nenhum documento foi aberto neste dispositivo.' : 'Ainda não há documentos.'}
    </EmptyState>
  )
}

const DropHint = () => (
  <div className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center bg-shade">
    <p className="flex items-center gap-3 rounded-lg bg-surface px-8 py-6 text-xl font-semibold shadow-float">
      <FileUp {...icon.lg} className="text-brand-ink" />
      Solte o arquivo para enviar
    </p>
  </div>
)
