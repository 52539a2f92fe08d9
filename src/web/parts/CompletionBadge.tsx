import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatPercent } from '../text/format.ts'
import { Badge } from '../ui/Badge.tsx'
import { icon } from '../ui/icon-sizes.ts'

/** Green at 100 or more where nothing was measured outside its plan, red where something was, neutral otherwise. */
export const CompletionBadge = ({ percent, isOutside = false }: { percent: number; isOutside?: boolean }) => {
  const isComplete = percent >= 100
  const Icon = isOutside ? CircleAlert : CircleCheck
  return (
    // as wide at 0 % as at 100 with its icon: what stands beside it stays where it is
    <span className="grid shrink-0" style={{ minWidth: '5.25rem' }}>
      <Badge
        tone={isComplete ? (isOutside ? 'bad' : 'ok') : 'neutral'}
        icon={isComplete && <Icon {...icon.sm} {...(isOutside && { 'aria-label': 'Fora do plano' })} />}
      >
        {formatPercent(percent)}
      </Badge>
    </span>
  )
}
