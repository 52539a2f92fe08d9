import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { RECORDED_MESSAGE } from '../../../contract/recordings.ts'
import { isSectionOpen, type RecordingForms, refusalOf } from '../../../domain/recording-form.ts'
import { ApiError, errorText } from '../../api.ts'
import type { FrozenRecording } from '../../outbox.ts'
import { type Fate, frozenFrom, record, resend, resendAll } from '../../recordings.ts'
import { showToast } from '../../ui/toasts.ts'
import { clearDraftPart } from './drafts.ts'
import { useFrozenRecordings } from './frozen-recordings.ts'

const FAILED_MESSAGE = 'Erro ao realizar apontamento'
/** A gloved finger that bounces must not register the rest of the order. */
const BOUNCE_MS = 1000

function announce(fate: Fate): void {
  if (fate.fate === 'accepted') {
    const kind = fate.answer.status === 'enviado' ? 'success' : 'warning'
    showToast({ kind, text: fate.answer.message || RECORDED_MESSAGE })
  } else if (fate.fate === 'not_kept') {
    const text = 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.'
    showToast({ kind: 'error', text, code: 'device_storage_failed' })
  } else if (fate.fate === 'refused') {
    showToast({ kind: 'error', text: fate.error.message || FAILED_MESSAGE, code: fate.error.code })
  } else if (fate.fate === 'unanswered') {
    // The notice on the part stays, so this need not.
    const code = fate.error instanceof ApiError ? fate.error.code : undefined
    showToast({ kind: 'error', text: fate.error ? errorText(fate.error) : FAILED_MESSAGE, code, stays: false })
  }
}

/** On opening the screen, and when the network is back. */
function useOnReturn(work: () => void): void {
  const onReturn = useEffectEvent(work)
  useEffect(() => {
    const listener = () => onReturn()
    listener()
    window.addEventListener('online', listener)
    return () => window.removeEventListener('online', listener)
  }, [])
}

type Recorded = {
  item: CutItem
  forms: RecordingForms
  carryOver: (part: Part, recorded: RecordingForms) => void
  /** The item as the answer has it; without one it is to be read again. */
  onItem: (item: CutItem | null) => void
}

/** Registers the parts of one item: which are in flight, which wait for an answer, and what to do with it. */
export function useRecorder({ item, forms, carryOver, onItem }: Recorded) {
  const queryClient = useQueryClient()
  const frozen = useFrozenRecordings(item)
  const [busyParts, setBusyParts] = useState<readonly Part[]>([])
  const [resending, setResending] = useState(false)
  /** Answered, though the list of frozen ones may not have been read again yet. */
  const [settledIds, setSettledIds] = useState<readonly string[]>([])
  /** Read at once by the second click of a double click, when the screen has not been drawn again yet. */
  const held = useRef(new Set<Part>())

  const settle = (sent: FrozenRecording, fate: Fate) => {
    const isThisItem = sent.branch === item.Z1_FILIAL && sent.barcode === item.Z1_CODBAR
    if (fate.fate === 'accepted') {
      clearDraftPart(sent)
      void queryClient.invalidateQueries({ queryKey: ['items'] })
      if (isThisItem) carryOver(sent.part, forms)
    }
    if (fate.fate === 'unanswered' || fate.fate === 'not_kept') return
    setSettledIds((before) => [...before, sent.id])
    if (isThisItem) onItem(fate.fate === 'accepted' ? fate.answer.item : null)
  }

  const sendWhile = async (work: () => Promise<unknown>) => {
    setResending(true)
    await work().catch((error) => console.error('Fila do dispositivo', error))
    setResending(false)
  }
  useOnReturn(() => {
    const onFate = (sent: FrozenRecording, fate: Fate) => {
      // Unanswered again: the notice is on screen already.
      if (fate.fate !== 'unanswered') announce(fate)
      settle(sent, fate)
    }
    void sendWhile(() => resendAll(onFate))
  })

  const register = async (part: Part) => {
    if (held.current.has(part)) return
    const refusal = refusalOf(item, part, forms)
    if (refusal) return showToast({ kind: 'error', text: refusal })
    held.current.add(part)
    setBusyParts((before) => [...before, part])
    const sent = frozenFrom(item, part, forms)
    const fate = await record(sent)
    announce(fate)
    settle(sent, fate)
    setBusyParts((before) => before.filter((other) => other !== part))
    setTimeout(() => held.current.delete(part), BOUNCE_MS)
  }

  const sendAgain = (waiting: FrozenRecording) =>
    sendWhile(async () => {
      const fate = await resend(waiting)
      announce(fate)
      settle(waiting, fate)
    })

  const isBusy = (part: Part) => busyParts.includes(part)
  const waitingOf = (part: Part) => frozen?.find(({ id, part: of }) => of === part && !settledIds.includes(id)) ?? null
  return {
    register,
    sendAgain,
    resending,
    isBusy,
    isOpen: (part: Part) => frozen !== null && waitingOf(part) === null && isSectionOpen(item, part),
    unconfirmed: (part: Part) => (isBusy(part) ? null : waitingOf(part)),
  }
}
