import { CircleDashed, CirclePause, CirclePlay, type LucideIcon } from 'lucide-react'
import type { EquipmentState } from '../../../domain/equipment.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'

export const stateLooks: Record<EquipmentState, { text: string; tone: 'ok' | 'warn' | 'neutral'; Icon: LucideIcon }> = {
  producing: { text: 'Produzindo', tone: 'ok', Icon: CirclePlay },
  stopped: { text: 'Parada', tone: 'warn', Icon: CirclePause },
  unused: { text: 'Sem uso hoje', tone: 'neutral', Icon: CircleDashed },
}

export const equipmentStates = ['producing', 'stopped', 'unused'] as const satisfies EquipmentState[]

export function StateBadge({ state }: { state: EquipmentState }) {
  const { text, tone, Icon } = stateLooks[state]
  return (
    <Badge tone={tone} icon={<Icon {...icon.sm} />}>
      {text}
    </Badge>
  )
}
