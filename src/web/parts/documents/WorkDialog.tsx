import { FileText } from 'lucide-react'
import { useState } from 'react'
import { deferred } from '../../device/deferred.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { lateDialog } from '../Late.tsx'
import { ReadingState } from '../ReadingState.tsx'
import { CopyNote } from './CopyNote.tsx'
import { type DocumentEntry, entriesOf, mediaTypeTexts, targetText, type useWorkDocuments } from './documents.ts'
import { SituationBadge } from './SituationBadge.tsx'

/** The list is there before anybody looks at a drawing. */
const DocumentViewer = lateDialog(
  deferred(async () => (await import('./DocumentViewer.tsx')).DocumentViewer, { warm: ['soon'] }),
)

type DialogProps = { reading: ReturnType<typeof useWorkDocuments>; onClose: () => void }

/** The documents of what is in hand. */
export function WorkDialog({ reading, onClose }: DialogProps) {
  const { data, isFetching, refetch } = reading
  const [isAll, setAll] = useState(false)
  const [shown, setShown] = useState<DocumentEntry | null>(null)
  const entries = entriesOf(data?.documents ?? [], { isAll })
  const hasOld = entriesOf(data?.documents ?? [], { isAll: true }).some(
    ({ revision }) => revision.situacao !== 'vigente',
  )
  return (
    <Dialog title="Documentos" onClose={onClose} width="md">
      {!data && <ReadingState reading={reading} loadingText="Carregando documentos..." busyText="Consultando..." />}
      {data?.isCached && <CopyNote isBusy={isFetching} onRetry={() => void refetch()} />}
      {hasOld && <SwitchField label="Mostrar obsoletos" isOn={isAll} onChange={setAll} />}
      {data && entries.length === 0 && (
        <p role="status" className="py-4 text-muted">
          {data.isCached
            ? 'Nenhum foi aberto neste dispositivo.'
            : 'Nenhum documento para este produto, seus terminais e mini aplicadores.'}
        </p>
      )}
      <ul className="flex flex-col gap-2">
        {entries.map((entry) => (
          <li key={entry.revision.id}>
            <EntryButton entry={entry} onPress={() => setShown(entry)} />
          </li>
        ))}
      </ul>
      {shown && <DocumentViewer entry={shown} onClose={() => setShown(null)} />}
    </Dialog>
  )
}

const EntryButton = ({ entry: { document, revision }, onPress }: { entry: DocumentEntry; onPress: () => void }) => (
  <button
    type="button"
    onClick={onPress}
    className="flex min-h-14 w-full items-center gap-3 rounded-md border border-line bg-surface px-3 py-2 text-left hover:border-brand hover:bg-hover"
  >
    <FileText {...icon.lg} className="shrink-0 text-brand-ink" />
    <span className="min-w-0 flex-1">
      <span className="block font-semibold wrap-anywhere">{document.titulo}</span>
      <span className="block text-sm wrap-anywhere text-muted">
        Revisão {revision.revisao} - {mediaTypeTexts[revision.arquivo.tipo]} -{' '}
        {document.vinculos.map(targetText).join(', ')}
      </span>
    </span>
    <SituationBadge situation={revision.situacao} />
  </button>
)
