import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock, UserRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { PENDING_COUNT_MAX, type PendingRecording } from '../../../contract/pending-recordings.ts'
import { errorText, serverNow } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { useWaiting } from '../../outbox.ts'
import { useSettings } from '../../parts/settings.ts'
import { subscribeToDeliveries } from '../../sender.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, Section } from '../../ui/Page.tsx'
import { RetryAlert } from '../../ui/RetryAlert.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { CorrectionDialog } from './CorrectionDialog.tsx'
import { DeliveredDialog, DiscardDialog } from './DecisionDialogs.tsx'
import { JunctionCorrectionDialog } from './JunctionCorrectionDialog.tsx'
import { type PendingAct, PendingEntry } from './PendingEntry.tsx'
import { pendingQuery, useResend } from './pending-actions.ts'
import { ResendAll } from './ResendAll.tsx'
import { retainedQuery } from './RetainedSection.tsx'

const POLL_MS = 15_000

function usePending() {
  const reading = useQuery({ ...pendingQuery, refetchInterval: POLL_MS, refetchOnWindowFocus: 'always' })
  const { refetch } = reading
  // What leaves this device arrives here.
  useEffect(() => subscribeToDeliveries(() => void refetch()), [refetch])
  // Read at every answer, also at one like the last: what waits grows older meanwhile.
  return { ...reading, asOf: reading.dataUpdatedAt }
}

/** What the server has of it: what needs a person, and what is on its way to the ERP. */
export function ServerSections() {
  const { data, error, isFetching, refetch } = usePending()
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
          Confirmado pela quantidade: sai daqui o que o ERP não respondeu, quando a quantidade registrada nele subiu o
          que se esperava. Se outros também apontam no mesmo item, fica incerto.
        </p>
      )}
      {error && (
        <RetryAlert isRetrying={isFetching} busyText="Consultando..." onRetry={refetch}>
          {errorText(error)}
        </RetryAlert>
      )}
      {!data && !error && <Spinner>Carregando pendências...</Spinner>}
      {data && <Groups {...data} onAct={onAct} />}
      {open?.act === 'correct' && open.pending.tipo === 'corte-crimpagem' && (
        <CorrectionDialog pending={open.pending} onClose={close} />
      )}
      {open?.act === 'correct' && open.pending.tipo === 'juncao' && (
        <JunctionCorrectionDialog pending={open.pending} onClose={close} />
      )}
      {open?.act === 'deliver' && <DeliveredDialog pending={open.pending} onClose={close} />}
      {open?.act === 'discard' && <DiscardDialog pending={open.pending} onClose={close} />}
    </>
  )
}

type OnAct = (act: PendingAct, pending: PendingRecording) => void
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
        title="Precisam de uma pessoa"
        mark={<UserRound {...icon.md} />}
        tone="bad"
        pending={pendencias.filter(({ situacao }) => situacao !== 'aguardando')}
        emptyText="Nenhum apontamento precisa de uma pessoa."
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
