import { CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon, Pencil, Send, Trash2 } from 'lucide-react'
import type { PendingRecording, PendingSituation } from '../../../contract/pending-recordings.ts'
import { kindOfPayload } from '../../acts/kinds.ts'
import { formatAgo, formatRecentInstant } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

export type PendingAct = 'correct' | 'resend' | 'deliver' | 'discard'

type Look = { text: string; tone: 'bad' | 'warn' | 'neutral'; Icon: LucideIcon; ink: string; unsaid: string }

/** `unsaid`: where nobody has said what happened. */
const looks: Record<PendingSituation, Look> = {
  recusado: {
    text: 'Recusado',
    tone: 'bad',
    Icon: CircleX,
    ink: 'text-bad-ink',
    unsaid: 'O ERP recusou o apontamento.',
  },
  incerto: {
    text: 'Incerto',
    tone: 'warn',
    Icon: CircleHelp,
    ink: 'text-warn-ink',
    unsaid: 'Não se sabe se o ERP já tem este apontamento.',
  },
  aguardando: {
    text: 'Aguardando',
    tone: 'neutral',
    Icon: Clock,
    ink: 'text-muted',
    unsaid: 'Será enviado assim que o ERP responder.',
  },
}

/** Told to whoever asked; here the panel itself tries again. */
const TRY_AGAIN = / Tente novamente[^.]*\.$/
const happened = (motivo: string) => motivo.replace(TRY_AGAIN, '')

const sentText = (times: number) =>
  times === 0
    ? 'ainda\u00a0não\u00a0enviado'
    : times === 1
      ? 'enviado\u00a01\u00a0vez'
      : `enviado\u00a0${times}\u00a0vezes`

type Props = { pending: PendingRecording; nowMs: number; timeZone: string; onAct: (act: PendingAct) => void }

export function PendingEntry({ pending, nowMs, timeZone, onAct }: Props) {
  const { situacao, motivo, desde, operador, tentativas } = pending
  const { text, tone, Icon, ink, unsaid } = looks[situacao]
  return (
    <li className="flex flex-col gap-x-8 gap-y-3 py-4 first:pt-0 last:pb-0 lg:flex-row lg:items-start lg:justify-between">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-lg font-semibold">{recordingTitle(pending.apontamento)}</h3>
          <Badge tone={tone} icon={<Icon {...icon.sm} />}>
            {text}
          </Badge>
        </div>
        <p className={`font-medium break-words ${ink}`}>{motivo ? happened(motivo) : unsaid}</p>
        <RecordingSummary recording={pending.apontamento} item={pending.item} />
        <p className="text-sm text-muted">
          {formatAgo(desde, nowMs)} ({formatRecentInstant(desde, timeZone)}) · {operador} · {sentText(tentativas)}
        </p>
      </div>
      <Actions pending={pending} onAct={onAct} />
    </li>
  )
}

type Offer = { act: PendingAct; text: string; Icon: LucideIcon; isOpen: boolean; variant?: 'quiet' }

function Actions({ pending, onAct }: Pick<Props, 'pending' | 'onAct'>) {
  const { podeCorrigir, podeDecidir, podeReenviar, situacao, operador, apontamento } = pending
  if (!podeCorrigir && !podeDecidir) {
    if (situacao === 'aguardando') return null
    return (
      <p className="text-sm text-muted lg:max-w-56 lg:text-right">
        {kindOfPayload(apontamento).work
          ? `Só ${operador}, um líder ou um administrador pode corrigir.`
          : 'Só um administrador pode resolver.'}
      </p>
    )
  }
  const offers: Offer[] = [
    { act: 'correct', text: 'Corrigir e reenviar', Icon: Pencil, isOpen: podeCorrigir },
    { act: 'resend', text: 'Reenviar', Icon: Send, isOpen: podeReenviar },
    { act: 'deliver', text: 'Marcar como entregue', Icon: CircleCheck, isOpen: podeDecidir, variant: 'quiet' },
    { act: 'discard', text: 'Descartar', Icon: Trash2, isOpen: podeDecidir, variant: 'quiet' },
  ]
  return (
    <div className="flex flex-wrap gap-2 max-sm:flex-col lg:w-60 lg:shrink-0 lg:flex-col">
      {offers
        .filter(({ isOpen }) => isOpen)
        .map(({ act, text, Icon, variant }) => (
          <Button
            key={act}
            variant={variant ?? 'secondary'}
            icon={<Icon {...icon.md} />}
            aria-label={`${text}: ${recordingTitle(apontamento)}`}
            onPress={() => onAct(act)}
          >
            {text}
          </Button>
        ))}
    </div>
  )
}
