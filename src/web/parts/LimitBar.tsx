import { TriangleAlert } from 'lucide-react'
import { type CrimpCounter, UNLIMITED } from '../../contract/crimp-counters.ts'
import { isMaintenanceDue, usedPercent } from '../../domain/tools/crimp-counters.ts'
import { formatCount } from '../text/format.ts'
import { icon } from '../ui/icon-sizes.ts'

type Props = {
  unit: Pick<CrimpCounter, 'miniaplicator' | 'numberOfCrimps' | 'limitOfCrimps'>
  warningPercent: number
}

/** How much of its limit a tool has used, with marks where the warning and the limit are. */
export function LimitBar({ unit, warningPercent }: Props) {
  const isUnlimited = unit.limitOfCrimps === UNLIMITED
  const isFull = isMaintenanceDue(unit)
  const isUsed = !isUnlimited && unit.numberOfCrimps > 0
  const used = usedPercent(unit)
  const percent = Math.min(100, used)
  const text = isUnlimited ? '∞' : `${formatCount(used)}%`
  const over = isFull ? unit.numberOfCrimps - unit.limitOfCrimps : 0
  const fill = isFull ? 'bg-full-fill' : isUsed ? 'bg-warn-fill' : 'bg-idle-fill'
  return (
    <div className="w-full min-w-24 md:max-lg:min-w-20">
      <div className={`flex items-center gap-1 font-semibold ${isUsed ? '' : 'text-muted'}`}>
        {text}
        {isFull && <TriangleAlert {...icon.sm} className="text-bad-ink" />}
        {over > 0 && <span className="text-sm font-normal text-muted">+{formatCount(over)}</span>}
      </div>
      <div
        role="progressbar"
        aria-label={`Uso do limite de ${unit.miniaplicator}`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={isUnlimited ? 'sem limite' : over > 0 ? `${text}, ${formatCount(over)} acima do limite` : text}
        className="relative h-2 rounded-full bg-track"
      >
        <div className={`h-full rounded-full ${fill}`} style={{ width: `${Math.max(20, percent)}%` }} />
        {!isUnlimited && (
          <>
            <Mark atPercent={warningPercent} />
            <Mark atPercent={100} />
          </>
        )}
      </div>
    </div>
  )
}

const Mark = ({ atPercent }: { atPercent: number }) => (
  <span aria-hidden className="absolute -inset-y-1 w-0.5 -translate-x-1/2 bg-muted" style={{ left: `${atPercent}%` }} />
)
