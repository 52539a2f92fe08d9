import { useCallback } from 'react'
import { formatInstant } from '../../app/format.ts'
import { useSettings } from '../settings.ts'
import { DocumentViewer } from './DocumentViewer.tsx'
import { type DocumentEntry, loadFile } from './documents.ts'

const situations = { vigente: '', obsoleto: ' - Obsoleto', retirado: ' - Retirado' } as const

/** Shows one revision of a document over the screen. */
export function EntryViewer({ entry, onClose }: { entry: DocumentEntry; onClose: () => void }) {
  const { timeZone } = useSettings()
  const { document, revision } = entry
  // A list that is read again meanwhile must not open the same file anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same file under the same SHA-256
  const load = useCallback((signal: AbortSignal) => loadFile(entry, signal), [revision.arquivo.sha256])
  const sent = formatInstant(revision.enviadoEm, timeZone)
  return (
    <DocumentViewer
      title={document.titulo}
      note={`Revisão ${revision.revisao}${situations[revision.situacao]} - enviada em ${sent}`}
      load={load}
      onClose={onClose}
    />
  )
}
