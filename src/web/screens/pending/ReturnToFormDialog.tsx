import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CutItem, items } from '../../../contract/items.ts'
import { EDITING_ITEM_KEY } from '../../app/links.ts'
import { useUser } from '../../device/credentials.ts'
import { keepInTab } from '../../device/store.ts'
import { clearTyped, isTyped, restoreTyped } from '../../recording/drafts.ts'
import { authorOf, kindOf } from '../../recording/kinds.ts'
import type { WaitingRecording } from '../../recording/queue.ts'
import { takeBack } from '../../recording/queue-db.ts'
import { call, errorText } from '../../server/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

type Props = { recording: WaitingRecording; onClose: () => void }

/** The way out for what the server will never take as it is: corrected in its form it becomes another recording. */
export function ReturnToFormDialog({ recording, onClose }: Props) {
  const { payload, answeredBefore, username } = recording
  const user = useUser()
  const { giveBack, isBusy, error } = useGiveBack(recording, onClose)
  const { draft, messages } = kindOf(recording)
  const [isReplacing] = useState(() => draft !== null && isTyped(draft.keyOf(recording), draft.sectionOf(recording)))
  return (
    <ConfirmDialog
      title={`${messages.takeBack}?`}
      kind="warning"
      confirmText={messages.takeBack.split(' ')[0] ?? ''}
      busyText="Aguarde..."
      isBusy={isBusy}
      error={error}
      onConfirm={() => void giveBack()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <p className="text-lg font-semibold">{recordingTitle(payload)}</p>
        <RecordingSummary recording={payload} />
      </div>
      <p>{messages.takenBack}</p>
      {isReplacing && <p>O que está digitado nesta etapa será substituído.</p>}
      {answeredBefore && <p>Confira antes no ERP: ele pode já ter este apontamento.</p>}
      {username !== user?.username && <p>Registrado por você, ele passa a ser seu e não de {authorOf(recording)}.</p>}
    </ConfirmDialog>
  )
}

function useGiveBack(recording: WaitingRecording, onClose: () => void) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const giveBack = async () => {
    setBusy(true)
    try {
      const item = await readItem(recording)
      const problem = await moveToForm(recording, item)
      if (problem) return setError(problem)
      onClose()
      if (item) keepInTab(EDITING_ITEM_KEY, item)
      await navigate({ href: kindOf(recording).pathOf(recording), state: item ? { item } : {} })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { giveBack, isBusy, error }
}

/** What its form is about, where the draft holds it. */
async function readItem(recording: WaitingRecording): Promise<CutItem | undefined> {
  const barcode = kindOf(recording).draft?.barcodeOf(recording)
  if (barcode === undefined) return undefined
  const query = { filial: recording.branch }
  return (await call(items.get, { params: { codigoBarras: barcode }, query })).item
}

/** In the form before it leaves the queue: in between it is in both, never in none. Null: done. */
async function moveToForm(recording: WaitingRecording, item: CutItem | undefined): Promise<string | null> {
  const { draft } = kindOf(recording)
  if (draft && !restoreTyped(draft.keyOf(recording), draft.formsOf(recording), item)) {
    return 'Não foi possível guardar o formulário neste dispositivo. Nada mudou.'
  }
  if (await takeBack(recording)) return null
  if (draft) clearTyped(draft.keyOf(recording), draft.sectionOf(recording))
  return 'Este apontamento já saiu da fila ou está sendo enviado.'
}
