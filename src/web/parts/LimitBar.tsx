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
  const over = isMaintenanceDue(unit) ? unit.numberOfCrimps - unit.limitOfCrimps : 0
  return (
    <UseBar
      label={`Uso do limite de ${unit.miniaplicator}`}
      percent={isUnlimited ? null : usedPercent(unit)}
      isFull={isMaintenanceDue(unit)}
      over={over > 0 ? { text: `+${formatCount(over)}`, label: `${formatCount(over)} acima do limite` } : null}
      warningPercent={warningPercent}
    />
  )
}

type UseProps = {
  label: string
  /** Null: without limit. */
  percent: number | null
  isFull: boolean
  over?: { text: string; label: string } | null
  warningPercent: number
}

/** How much of what it may a tool, a part or a task has used. */
export function UseBar({ label, percent, isFull, over, warningPercent }: UseProps) {
  const isUsed = percent !== null && percent > 0
  const within = Math.min(100, percent ?? 0)
  const text = percent === null ? '∞' : `${formatCount(percent)}%`
  const fill = isFull ? 'bg-full-fill' : isUsed ? 'bg-warn-fill' : 'bg-idle-fill'
  return (
    <div className="w-full min-w-24 md:max-lg:min-w-20">
      <div className={`flex items-center gap-1 font-semibold ${isUsed ? '' : 'text-muted'}`}>
        {text}
        {isFull && <TriangleAlert {...icon.sm} className="text-bad-ink" />}
        {over && <span className="text-sm font-normal text-muted">{over.text}</span>}
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={within}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={percent === null ? 'sem limite' : over ? `${text}, ${over.label}` : text}
        className="relative h-2 rounded-full bg-track"
      >
        <div className={`h-full rounded-full ${fill}`} style={{ width: `${Math.max(20, within)}%` }} />
        {percent !== null && (
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
