import { useQuery } from '@tanstack/react-query'
import { Check, ShieldQuestionMark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { pendingRecordings } from '../../../contract/pending-recordings.ts'
import { type RetainedDelivery, type RetainedWhy, retainedDeliveries } from '../../../contract/retained-deliveries.ts'
import { showCounts } from '../../acts/sender.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useReason } from '../../parts/fields/useReason.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { query, type Reading } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { formatCount, formatRecentInstant } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

const POLL_MS = 15_000
/** More are shown when somebody asks. */
const SHOWN_COUNT = 5

/** Undecided, and how many there are. */
export const retainedQuery: Reading<Reply<typeof retainedDeliveries.list>> & { refetchInterval: number } = {
  ...query(retainedDeliveries.list, {}),
  refetchInterval: POLL_MS,
}

const whyTexts: Record<RetainedWhy, string> = {
  admin: 'depois que um administrador encerrou a sessão',
  other_device: 'depois de encerrada a sessão em outro dispositivo',
  admin_password: 'depois que um administrador trocou a senha',
  deactivated: 'depois de desativado o acesso',
  secret_reused: 'depois que um acesso antigo foi usado de novo',
  expired: 'mais de 7 dias depois do fim da sessão',
  other_browser: 'por outro navegador que não o da sessão',
  session_unknown: 'sessão desconhecida (banco restaurado)',
}

type Decision = 'aceitar' | 'descartar'
type Open = { decision: Decision; retained: readonly RetainedDelivery[] }

/** Deliveries whose author's session was not to be trusted any more: they count nowhere until an admin takes them. */
export function RetainedSection() {
  const { data } = useQuery(retainedQuery)
  const [open, setOpen] = useState<Open | null>(null)
  if (!data || data.retidos.length === 0) return null
  const keyOf = ({ grupo, motivo, autor }: RetainedDelivery) => `${grupo} ${motivo} ${autor}`
  return (
    <Section
      title="Retidos"
      icon={<ShieldQuestionMark {...icon.md} />}
      badge={<Badge tone="bad">{formatCount(data.total)}</Badge>}
    >
      <div className="flex flex-col gap-6">
        <p className="text-muted">
          Chegaram sem uma sessão válida de quem os fez. Não contam e não vão ao ERP até um administrador decidir.
        </p>
        {[...Map.groupBy(data.retidos, keyOf)].map(([key, retained]) => (
          <Group
            key={key}
            retained={retained}
            onDecide={(decision, decided) => setOpen({ decision, retained: decided })}
          />
        ))}
      </div>
      {open && <DecisionDialog {...open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

const countText = (count: number) => (count === 1 ? '1 apontamento' : `${formatCount(count)} apontamentos`)

type GroupProps = {
  retained: readonly RetainedDelivery[]
  onDecide: (decision: Decision, retained: readonly RetainedDelivery[]) => void
}

function Group({ retained, onDecide }: GroupProps) {
  const mayDecide = useMay('decide')
  const [isWhole, setWhole] = useState(false)
  const [first] = retained
  if (!first) return null
  const { autor, dispositivo, motivo } = first
  const shown = isWhole ? retained : retained.slice(0, SHOWN_COUNT)
  const title = `${countText(retained.length)} de ${autor}${dispositivo ? `, ${dispositivo},` : ''} ${whyTexts[motivo]}`
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-2">
        <h3 className="min-w-0 flex-1 basis-60 font-semibold break-words">{title}</h3>
        {mayDecide && retained.length > 1 && (
          <Decisions of={title} all=" todos" onDecide={(decision) => onDecide(decision, retained)} />
        )}
      </div>
      <ul aria-label={title} className="flex flex-col divide-y divide-line">
        {shown.map((one) => (
          <Entry key={one.id} retained={one} onDecide={mayDecide ? (decision) => onDecide(decision, [one]) : null} />
        ))}
      </ul>
      {shown.length < retained.length && (
        <Button onPress={() => setWhole(true)}>Mostrar todos os {formatCount(retained.length)}</Button>
      )}
    </div>
  )
}

type EntryProps = { retained: RetainedDelivery; onDecide: ((decision: Decision) => void) | null }

function Entry({ retained, onDecide }: EntryProps) {
  const { timeZone } = useSettings()
  const title = recordingTitle(retained.apontamento)
  return (
    <li className="flex flex-col gap-x-8 gap-y-3 py-4 lg:flex-row lg:items-start lg:justify-between">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <h4 className="text-lg font-semibold">{title}</h4>
        <RecordingSummary recording={retained.apontamento} />
        <p className="text-sm text-muted">
          Registrado {formatRecentInstant(retained.registradoEm, timeZone)} · recebido{' '}
          {formatRecentInstant(retained.desde, timeZone)}
        </p>
      </div>
      {onDecide && <Decisions of={title} onDecide={onDecide} />}
    </li>
  )
}

type DecisionsProps = { of: string; all?: string; onDecide: (decision: Decision) => void }

const Decisions = ({ of, all = '', onDecide }: DecisionsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button icon={<Check {...icon.md} />} onPress={() => onDecide('aceitar')} aria-label={`Aceitar${all}: ${of}`}>
      Aceitar{all}
    </Button>
    <Button icon={<Trash2 {...icon.md} />} onPress={() => onDecide('descartar')} aria-label={`Descartar${all}: ${of}`}>
      Descartar{all}
    </Button>
  </div>
)

const useDecision = ({ decision, retained }: Open, onDone: () => void) =>
  useSave({
    send: (motivo: string) =>
      call(retainedDeliveries.decide, { body: { ids: retained.map(({ id }) => id), decisao: decision, motivo } }),
    changes: [pendingRecordings.list, retainedDeliveries.list],
    toast: ({ message, mantidos }) => {
      const left = mantidos === 0 ? '' : ` ${mantidos === 1 ? '1 ficou' : `${mantidos} ficaram`} sem decisão agora.`
      return { kind: mantidos > 0 ? 'warning' : 'success', text: message + left }
    },
    onSaved: () => {
      onDone()
      void showCounts()
    },
    onFailed: () => void showCounts(),
  })

function DecisionDialog({ onClose, ...open }: Open & { onClose: () => void }) {
  const { decision, retained } = open
  const { field, withReason } = useReason()
  const { save, isBusy, error } = useDecision(open, onClose)
  const isTaken = decision === 'aceitar'
  return (
    <ConfirmDialog
      title={`${isTaken ? 'Aceitar' : 'Descartar'} ${countText(retained.length)}?`}
      kind={isTaken ? 'warning' : 'danger'}
      confirmText={isTaken ? 'Aceitar' : 'Descartar'}
      busyText={isTaken ? 'Aceitando...' : 'Descartando...'}
      isBusy={isBusy}
      error={error && <Failure error={error} />}
      onConfirm={() => withReason(save)}
      onClose={onClose}
    >
      <p>
        {isTaken
          ? `Contam em nome de ${retained[0]?.autor} e vão ao ERP.`
          : 'Não contam em lugar nenhum e não vão ao ERP. Não é possível desfazer.'}
      </p>
      {field}
    </ConfirmDialog>
  )
}
