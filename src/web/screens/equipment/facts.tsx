import { CircleDashed, CirclePlay, Clock, type LucideIcon, Timer } from 'lucide-react'
import type { Equipment, ProducedPieces } from '../../../contract/equipment.ts'
import { piecesText } from '../../../domain/text/numbers.ts'
import type { EquipmentState } from '../../../domain/tools/equipment.ts'
import { LimitBar } from '../../parts/LimitBar.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatAgo, formatCount, formatRecentInstant } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { type ShownEquipment, workText } from './equipment.ts'

export const stateLooks: Record<EquipmentState, { text: string; tone: 'ok' | 'warn' | 'neutral'; Icon: LucideIcon }> = {
  producing: { text: 'Produzindo', tone: 'ok', Icon: CirclePlay },
  stopped: { text: 'Sem apontamento', tone: 'warn', Icon: Timer },
  unused: { text: 'Sem uso hoje', tone: 'neutral', Icon: CircleDashed },
}

export const equipmentStates = ['producing', 'stopped', 'unused'] as const satisfies EquipmentState[]

/** No machine says that it stands: how long nobody has recorded with it is all that is known. */
const stateText = ({ state, ultimo }: ShownEquipment, nowMs: number): string =>
  state === 'stopped' && ultimo
    ? `${stateLooks.stopped.text} ${formatAgo(ultimo.quando, nowMs)}`
    : stateLooks[state].text

export function StateBadge({ of: one, nowMs }: { of: ShownEquipment; nowMs: number }) {
  const { tone, Icon } = stateLooks[one.state]
  return (
    <Badge tone={tone} icon={<Icon {...icon.sm} />}>
      {stateText(one, nowMs)}
    </Badge>
  )
}

/** Facts of a machine that both the cards and the rows show. */

export const meanText = ({ media }: ProducedPieces): string =>
  media === null ? 'média 7 dias: –' : `média 7 dias: ${formatCount(media)}`

export function LastWork({ of: { ultimo }, nowMs }: { of: Equipment; nowMs: number }) {
  const { timeZone } = useSettings()
  if (ultimo === null) return <p className="text-muted">Nenhum apontamento em 90 dias</p>
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere">
        <span className="font-medium">{workText(ultimo)}</span>, {piecesText(ultimo.pecas)}
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        Ordem <span className="code">{ultimo.ordem}</span> · {ultimo.operador}
      </p>
      <p className="text-sm text-muted">
        {formatRecentInstant(ultimo.quando, timeZone)} ({formatAgo(ultimo.quando, nowMs)})
      </p>
    </div>
  )
}

export function Tool({ of: { miniaplicador } }: { of: Equipment }) {
  const { limitWarningPercent } = useSettings()
  if (miniaplicador === null) return <span className="text-muted">-</span>
  const { nome, crimpagens, limite } = miniaplicador
  return (
    <div className="w-full min-w-32">
      <p className="code font-medium wrap-anywhere">{nome}</p>
      <LimitBar
        unit={{ miniaplicator: nome, numberOfCrimps: crimpagens, limitOfCrimps: limite }}
        warningPercent={limitWarningPercent}
      />
    </div>
  )
}

/** Nothing when the ERP has confirmed all of them. */
export const WaitingBadge = ({ of: { aguardandoErp } }: { of: Equipment }) =>
  aguardandoErp === 0 ? null : (
    <Badge tone="warn" icon={<Clock {...icon.sm} />}>
      {formatCount(aguardandoErp)} aguardando o ERP
    </Badge>
  )
