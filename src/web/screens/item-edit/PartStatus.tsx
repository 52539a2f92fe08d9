import { CircleCheck, Clock, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { completionPercent, isSectionOpen } from '../../../domain/recording-form.ts'
import { formatCount, formatPercent, formatRecentInstant } from '../../format.ts'
import type { FrozenRecording } from '../../outbox.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

export const CompletionBadge = ({ percent }: { percent: number }) => {
  const isComplete = percent >= 100
  return (
    <Badge tone={isComplete ? 'ok' : 'neutral'} icon={isComplete && <CircleCheck {...icon.sm} />}>
      {formatPercent(percent)}
    </Badge>
  )
}

export const PartBadge = ({ item, part }: { item: CutItem; part: Part }) => (
  <CompletionBadge percent={completionPercent(item, part)} />
)

const Line = ({ mark, children }: { mark: ReactNode; children: ReactNode }) => (
  <p className="flex items-center gap-2">
    {mark}
    {children}
  </p>
)

/** Why a part is closed, and what of it the ERP has not confirmed yet. */
export function PartStatus({ item, part }: { item: CutItem; part: Part }) {
  const waiting = item.aguardandoErp[part]
  const isComplete = !isSectionOpen(item, part)
  if (!isComplete && waiting === 0) return null
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm font-medium">
      {isComplete && (
        <span className="text-ok-ink">
          <Line mark={<CircleCheck {...icon.sm} />}>Esta etapa já está 100% apontada.</Line>
        </span>
      )}
      {waiting > 0 && (
        <span className="text-muted">
          <Line mark={<Clock {...icon.sm} />}>
            {waiting === 1 ? '1 peça aguardando ERP' : `${formatCount(waiting)} peças aguardando ERP`}
          </Line>
        </span>
      )}
    </div>
  )
}

type NoticeProps = {
  frozen: FrozenRecording
  isMine: boolean
  timeZone: string
  isSending: boolean
  onResend: () => void
}

/** What 'Registrar' froze and nobody confirmed. It may only be sent again as it is: the same act, the same id. */
export function UnconfirmedNotice({ frozen, isMine, timeZone, isSending, onResend }: NoticeProps) {
  const { payload } = frozen
  const lot = payload.LOTE_CABO ?? payload.LOTE_TERM_LD1 ?? payload.LOTE_TERM_LD2
  return (
    <Alert
      kind="warning"
      action={
        <Button icon={<Send {...icon.md} />} busy={isSending} busyText="Enviando..." onPress={onResend}>
          Enviar novamente
        </Button>
      }
    >
      <strong>Sem resposta do servidor: este apontamento ainda não foi confirmado.</strong>
      <span className="code block text-ink">
        {payload.QTD_REALIZADA} peças · Lote {lot} · {payload.MAQUINA} ·{' '}
        {formatRecentInstant(frozen.frozenAt, timeZone)}
      </span>
      {!isMine && <span className="block text-ink">Registrado por {payload.OPERADOR}.</span>}
    </Alert>
  )
}
