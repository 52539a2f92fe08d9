import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CutItem, items } from '../../../contract/items.ts'
import { formsOf } from '../../../domain/corrections.ts'
import { emptyJunctionForm, junctionFormOf } from '../../../domain/junctions.ts'
import { EDITING_ITEM_KEY, junctionDetailsPath, links } from '../../app/links.ts'
import { useUser } from '../../device/credentials.ts'
import { keepInTab } from '../../device/store.ts'
import { clearDraftPart, isTyped, restoreTyped } from '../../recording/drafts.ts'
import { readJunctionDraft, saveJunctionDraft } from '../../recording/junction-drafts.ts'
import { takeBack } from '../../recording/outbox.ts'
import type { FrozenCutCrimp, FrozenJunction, Waiting, WaitingRecording } from '../../recording/queue.ts'
import { authorOf } from '../../recording/queue.ts'
import { call, errorText } from '../../server/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

type Props = { recording: WaitingRecording; onClose: () => void }

/** A receipt has no form: it is scanned again. */
export const returnText = ({ kind }: WaitingRecording): string =>
  kind === 'receipt' ? 'Retirar da fila' : 'Devolver ao formulário'

/** The way out for what the server will never take as it is: corrected in its form it becomes another recording. */
export function ReturnToFormDialog({ recording, onClose }: Props) {
  const { payload, answeredBefore, username } = recording
  const user = useUser()
  const { giveBack, isBusy, error } = useGiveBack(recording, onClose)
  const [isReplacing] = useState(() => isFormTyped(recording))
  return (
    <ConfirmDialog
      title={`${returnText(recording)}?`}
      kind="warning"
      confirmText={returnText(recording).split(' ')[0] ?? ''}
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
      <p>{consequences[recording.kind ?? 'cutCrimp']}</p>
      {isReplacing && <p>O que está digitado nesta etapa será substituído.</p>}
      {answeredBefore && <p>Confira antes no ERP: ele pode já ter este apontamento.</p>}
      {username !== user?.username && <p>Registrado por você, ele passa a ser seu e não de {authorOf(recording)}.</p>}
    </ConfirmDialog>
  )
}

const consequences = {
  cutCrimp:
    'O apontamento sai da fila e volta ao formulário do item. Ele só conta depois que você corrigir e registrar.',
  junction:
    'O apontamento sai da fila e volta ao formulário da junção. Ele só conta depois que você corrigir e registrar.',
  receipt: 'O recebimento sai da fila e não conta. Para receber o item, leia o código de novo.',
}

const placeOf = ({ branch, order, junction }: FrozenJunction) => ({ plant: branch, order, position: junction })

function isFormTyped(recording: WaitingRecording): boolean {
  if (recording.kind === 'receipt') return false
  if (recording.kind === 'junction') return readJunctionDraft(placeOf(recording), 0) !== emptyJunctionForm
  return isTyped(recording.branch, recording.barcode, recording.part)
}

function useGiveBack(recording: WaitingRecording, onClose: () => void) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const giveBack = async () => {
    setBusy(true)
    try {
      if (recording.kind) {
        const problem = await moveBack(recording)
        if (problem) return setError(problem)
        onClose()
        return await navigate({ href: formPath(recording) })
      }
      const item = await readItem(recording)
      const problem = await moveToForm(item, recording)
      if (problem) return setError(problem)
      onClose()
      keepInTab(EDITING_ITEM_KEY, item)
      await navigate({ to: links.itemEdit, state: { item } })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { giveBack, isBusy, error }
}

type NotOfItem = Extract<WaitingRecording, { kind: 'junction' | 'receipt' }>

const formPath = (recording: NotOfItem): string =>
  recording.kind === 'junction'
    ? junctionDetailsPath(recording.branch, recording.order, recording.junction)
    : links.cutCheck

const GONE_MESSAGE = 'Este apontamento já saiu da fila ou está sendo enviado.'

/** As `moveToForm`. */
async function moveBack(recording: NotOfItem): Promise<string | null> {
  if (recording.kind === 'receipt') return (await takeBack(recording)) ? null : GONE_MESSAGE
  const place = placeOf(recording)
  if (!saveJunctionDraft(place, junctionFormOf(recording.payload))) {
    return 'Não foi possível guardar o formulário neste dispositivo. Nada mudou.'
  }
  if (await takeBack(recording)) return null
  saveJunctionDraft(place, emptyJunctionForm)
  return GONE_MESSAGE
}

async function readItem({ branch, barcode }: FrozenCutCrimp): Promise<CutItem> {
  const { item } = await call(items.get, { params: { codigoBarras: barcode }, query: { filial: branch } })
  return item
}

/** In the form before it leaves the queue: in between it is in both, never in none. Null: done. */
async function moveToForm(item: CutItem, recording: Waiting<FrozenCutCrimp>): Promise<string | null> {
  const { payload, part } = recording
  if (!restoreTyped(item, formsOf(payload, part))) {
    return 'Não foi possível guardar o formulário neste dispositivo. Nada mudou.'
  }
  if (await takeBack(recording)) return null
  clearDraftPart(recording)
  return GONE_MESSAGE
}
