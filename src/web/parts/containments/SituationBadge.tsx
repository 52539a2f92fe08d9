import { Lock, LockOpen } from 'lucide-react'
import type { ContainmentState } from '../../../contract/containments.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'

export const SituationBadge = ({ of }: { of: ContainmentState }) =>
  of === 'aberta' ? (
    <Badge tone="bad" icon={<LockOpen {...icon.sm} />}>
      Aberta
    </Badge>
  ) : (
    <Badge icon={<Lock {...icon.sm} />}>Encerrada</Badge>
  )
