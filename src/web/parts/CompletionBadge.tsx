import { CircleCheck } from 'lucide-react'
import { formatPercent } from '../text/format.ts'
import { Badge } from '../ui/Badge.tsx'
import { icon } from '../ui/icon-sizes.ts'

/** Green at 100 or more, neutral otherwise. */
export const CompletionBadge = ({ percent }: { percent: number }) => {
  const isComplete = percent >= 100
  return (
    <Badge tone={isComplete ? 'ok' : 'neutral'} icon={isComplete && <CircleCheck {...icon.sm} />}>
      {formatPercent(percent)}
    </Badge>
  )
}
