import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CutItem, items } from '../../../contract/items.ts'
import { formsOf } from '../../../domain/corrections.ts'
import { call, errorText } from '../../api.ts'
import { useUser } from '../../credentials.ts'
import { EDITING_ITEM_KEY, links } from '../../links.ts'
import { takeBack, type WaitingRecording } from '../../outbox.ts'
import { clearDraftPart, isTyped, restoreTyped } from '../../parts/drafts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

type Props = { recording: WaitingRecording; onClose: () => void }

/** The way out for what the server will never take as it is: corrected in its form it becomes another recording. */
export function ReturnToFormDialog({ recording, onClose }: Props) {
  const { payload, branch, barcode, part, answeredBefore, username } = recording
  const user = useUser()
  const { giveBack, isBusy, error } = useGiveBack(recording, onClose)
  const [isReplacing] = useState(() => isTyped(branch, barcode, part))
  return (
    <ConfirmDialog
      title="Devolver ao formulário?"
      kind="warning"
      confirmText="Devolver"
      busyText="Devolvendo..."
      isBusy={isBusy}
      error={error}
      onConfirm={() => void giveBack()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <p className="text-lg font-semibold">{recordingTitle(payload)}</p>
        <RecordingSummary recording={payload} />
      </div>
      <p>O apontamento sai da fila e volta ao formulário do item. Ele só conta depois que você corrigir e registrar.</p>
      {isReplacing && <p>O que está digitado nesta etapa será substituído.</p>}
      {answeredBefore && <p>Confira antes no ERP: ele pode já ter este apontamento.</p>}
      {username !== user?.username && <p>Registrado por você, ele passa a ser seu e não de {payload.OPERADOR}.</p>}
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
      const problem = await moveToForm(item, recording)
      if (problem) return setError(problem)
      onClose()
      sessionStorage.setItem(EDITING_ITEM_KEY, JSON.stringify(item))
      await navigate({ to: links.itemEdit, state: { item } })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { giveBack, isBusy, error }
}

async function readItem({ branch, barcode }: WaitingRecording): Promise<CutItem> {
  const { item } = await call(items.get, { params: { codigoBarras: barcode }, query: { filial: branch } })
  return item
}

/** In the form before it leaves the queue: in between it is in both, never in none. Null: done. */
async function moveToForm(item: CutItem, recording: WaitingRecording): Promise<string | null> {
  const { payload, part } = recording
  if (!restoreTyped(item, formsOf(payload, part))) {
    return 'Não foi possível guardar o formulário neste dispositivo. Nada mudou.'
  }
  if (await takeBack(recording)) return null
  clearDraftPart(recording)
  return 'Este apontamento já saiu da fila ou está sendo enviado.'
}
