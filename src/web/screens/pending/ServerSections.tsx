import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { CircleCheck, Clock, Send, UserRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import {
  PENDING_COUNT_MAX,
  type PendingRecording,
  pendingRecordings,
  REASON_LENGTH_MAX,
} from '../../../contract/pending-recordings.ts'
import { kindOfPayload } from '../../acts/kinds.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { subscribeToDeliveries } from '../../acts/sender.ts'
import { serverNow } from '../../device/clock.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useReason } from '../../parts/fields/useReason.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { formatCount } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, Section } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CorrectionDialog } from './CorrectionDialog.tsx'
import { type PendingAct, PendingEntry } from './PendingEntry.tsx'
import { noteDecision, pendingQuery, usePendingAction, useResend } from './pending-actions.ts'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'
import { retainedQuery } from './RetainedSection.tsx'

type Props = { pending: PendingRecording; onClose: () => void }

function DeliveredDialog({ pending, onClose }: Props) {
  const [reason, setReason] = useState('')
  const mark = () =>
    call(pendingRecordings.markDelivered, { params: { id: pending.id }, body: { motivo: reason.trim() } })
  const { act, isBusy, error } = usePendingAction(pending, mark, onClose)
  return (
    <ConfirmDialog
      title="Marcar como entregue?"
      kind="warning"
      confirmText="Marcar como entregue"
      busyText="Marcando..."
      isBusy={isBusy}
      error={error && <Failure error={error} />}
      onConfirm={act}
      onClose={onClose}
    >
      <Decided pending={pending} />
      <p>O ERP já tem este apontamento? Ele não será enviado de novo.</p>
      <TextField label="Motivo (opcional)" value={reason} onChange={setReason} maxLength={REASON_LENGTH_MAX} />
    </ConfirmDialog>
  )
}

function DiscardDialog({ pending, onClose }: Props) {
  const { reason, field, withReason } = useReason()
  const discard = async () => {
    const { id } = pending
    const answer = await call(pendingRecordings.discard, { params: { id }, body: { motivo: reason } })
    await noteDecision(id, null)
    return answer
  }
  const { act, isBusy, error } = usePendingAction(pending, discard, onClose)
  const { erp } = kindOfPayload(pending.apontamento)
  return (
    <ConfirmDialog
      title="Descartar apontamento?"
      kind="danger"
      confirmText="Descartar"
      busyText="Descartando..."
      isBusy={isBusy}
      error={error && <Failure error={error} />}
      onConfirm={() => withReason(act)}
      onClose={onClose}
    >
      <Decided pending={pending} />
      <p>
        {erp?.discarded(pending.apontamento)} Não é possível desfazer.
        {pending.situacao !== 'recusado' && ' Confira antes no ERP: o que ele já tem não se descarta aqui.'}
      </p>
      {field}
    </ConfirmDialog>
  )
}

const Decided = ({ pending }: { pending: PendingRecording }) => (
  <div className="flex flex-col gap-1">
    <p className="text-lg font-semibold">{recordingTitle(pending.apontamento)}</p>
    <RecordingSummary recording={pending.apontamento} item={pending.item} />
  </div>
)

/** Refused recordings with the same words, where there are several: mostly one cause, which may be gone. */
function alike(pending: readonly PendingRecording[]): [reason: string, recordings: PendingRecording[]][] {
  const refused = pending.filter(({ situacao, podeReenviar }) => situacao === 'recusado' && podeReenviar)
  return [...Map.groupBy(refused, ({ motivo }) => motivo)].flatMap(([reason, recordings]) =>
    reason !== null && recordings.length > 1 ? [[reason, recordings]] : [],
  )
}

function ResendAll({ pending }: { pending: readonly PendingRecording[] }) {
  const { resend, isBusy } = useResend()
  return alike(pending).map(([reason, recordings]) => (
    <div key={reason} className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 basis-60 break-words">
        <strong>{recordings.length} apontamentos</strong> com o mesmo motivo: {reason}
      </p>
      <Button
        icon={<Send {...icon.md} />}
        busy={isBusy}
        busyText="Reenviando..."
        onPress={() => resend(recordings)}
        aria-label={`Reenviar todos: ${reason}`}
      >
        Reenviar todos
      </Button>
    </div>
  ))
}

const POLL_MS = 15_000

function usePending() {
  const reading = useQuery({ ...pendingQuery, refetchInterval: POLL_MS, refetchOnWindowFocus: 'always' })
  const { refetch } = reading
  // An act that leaves this device arrives in this list.
  useEffect(() => subscribeToDeliveries(() => void refetch()), [refetch])
  // Read at every answer, also at one like the last: what waits grows older meanwhile.
  return { ...reading, asOf: reading.dataUpdatedAt }
}

/** Recordings on the server that need a person, and those on their way to the ERP. */
export function ServerSections() {
  const reading = usePending()
  const { data } = reading
  const [open, setOpen] = useState<{ act: PendingAct; pending: PendingRecording } | null>(null)
  const close = () => setOpen(null)
  const { resend } = useResend()
  const onAct = (act: PendingAct, pending: PendingRecording) =>
    act === 'resend' ? resend([pending]) : setOpen({ act, pending })
  const { confirmsByQuantity } = useSettings()
  return (
    <>
      {confirmsByQuantity && (
        <p className="text-muted">
          Sem resposta do ERP, confirmamos pela quantidade: se subiu o esperado, o apontamento sai da lista. Se outros
          também apontam no mesmo item, fica incerto.
        </p>
      )}
      <ReadingState reading={reading} loadingText="Carregando pendências..." busyText="Consultando..." />
      {data && <Groups {...data} onAct={onAct} />}
      {data && <CorrectionFromToast {...data} />}
      {open?.act === 'correct' && <CorrectionDialog pending={open.pending} onClose={close} />}
      {open?.act === 'deliver' && <DeliveredDialog pending={open.pending} onClose={close} />}
      {open?.act === 'discard' && <DiscardDialog pending={open.pending} onClose={close} />}
    </>
  )
}

type OnAct = (act: PendingAct, pending: PendingRecording) => void
/** The correction that a toast led here for. */
function CorrectionFromToast({ pendencias }: Pick<GroupsProps, 'pendencias'>) {
  const navigate = useNavigate()
  const correct = useRouterState({ select: ({ location }) => location.state.correct })
  const pending = pendencias.find(({ id, podeCorrigir }) => id === correct && podeCorrigir)
  const close = () => void navigate({ to: links.pending, replace: true, state: {} })
  return pending && <CorrectionDialog pending={pending} onClose={close} />
}

type GroupsProps = { pendencias: readonly PendingRecording[]; total: number; onAct: OnAct }

function Groups({ pendencias, total, onAct }: GroupsProps) {
  const here = useWaiting()?.length ?? 0
  const retained = useQuery(retainedQuery).data?.total ?? 0
  if (pendencias.length === 0 && retained > 0) return null
  if (pendencias.length === 0) {
    return (
      <EmptyState icon={<CircleCheck {...icon.xl} />}>
        {here === 0 ? 'Nada pendente' : 'Nada pendente no servidor'}
      </EmptyState>
    )
  }
  return (
    <>
      {total > pendencias.length && (
        <p className="text-muted">
          Aqui estão as {formatCount(PENDING_COUNT_MAX)} pendências mais antigas de {formatCount(total)}.
        </p>
      )}
      <Group
        title="Exigem ação"
        mark={<UserRound {...icon.md} />}
        tone="bad"
        pending={pendencias.filter(({ situacao }) => situacao !== 'aguardando')}
        emptyText="Nenhum apontamento exige ação."
        onAct={onAct}
      />
      <Group
        title="Aguardando o ERP"
        mark={<Clock {...icon.md} />}
        tone="warn"
        pending={pendencias.filter(({ situacao }) => situacao === 'aguardando')}
        emptyText="Nenhum apontamento aguardando o ERP."
        onAct={onAct}
      />
    </>
  )
}

type GroupProps = {
  title: string
  mark: ReactNode
  tone: 'bad' | 'warn'
  pending: readonly PendingRecording[]
  emptyText: string
  onAct: OnAct
}

function Group({ title, mark, tone, pending, emptyText, onAct }: GroupProps) {
  const { timeZone } = useSettings()
  const nowMs = serverNow()
  return (
    <Section
      title={title}
      icon={mark}
      badge={<Badge tone={pending.length > 0 ? tone : 'neutral'}>{pending.length}</Badge>}
    >
      {pending.length === 0 ? (
        <p className="text-muted">{emptyText}</p>
      ) : (
        <>
          <ResendAll pending={pending} />
          <ul aria-label={title} className="flex flex-col divide-y divide-line">
            {pending.map((one) => (
              <PendingEntry
                key={one.id}
                pending={one}
                nowMs={nowMs}
                timeZone={timeZone}
                onAct={(act) => onAct(act, one)}
              />
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
