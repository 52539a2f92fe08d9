import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatPercent } from '../text/format.ts'
import { Badge } from '../ui/Badge.tsx'
import { icon } from '../ui/icon-sizes.ts'

/** Green at 100 or more where nothing was measured outside its plan, red where something was, neutral otherwise. */
export const CompletionBadge = ({ percent, isOutside = false }: { percent: number; isOutside?: boolean }) => {
  const isComplete = percent >= 100
  const Icon = isOutside ? CircleAlert : CircleCheck
  return (
    <Badge
      tone={isComplete ? (isOutside ? 'bad' : 'ok') : 'neutral'}
      icon={isComplete && <Icon {...icon.sm} {...(isOutside && { 'aria-label': 'Fora do plano' })} />}
    >
      {formatPercent(percent)}
    </Badge>
  )
}
