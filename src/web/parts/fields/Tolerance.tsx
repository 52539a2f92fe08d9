import { type Limits, readMilli, toleranceScale } from '../../../domain/quality/control-plans.ts'

const percent = (share: number) => `${100 * share}%`

/** How far inside its limits a value lies, as a dot on a scale. The words beside it say the same. */
export function Tolerance({ limits, text }: { limits: Limits | null; text: string }) {
  const scale = limits && toleranceScale(limits, readMilli(text))
  if (!scale) return null
  const { low, high, nominal, dot } = scale
  const isInside = dot !== null && dot >= (low ?? 0) && dot <= (high ?? 1)
  return (
    <svg className="h-4 w-full" aria-hidden="true">
      <rect y="6" width="100%" height="4" rx="2" fill="var(--color-track)" />
      {low !== null && (
        <rect
          x={percent(low)}
          y="5"
          width={percent((high ?? 1) - low)}
          height="6"
          rx={high === null ? 2 : 0}
          fill="var(--color-ok-line)"
        />
      )}
      {[low, high].map(
        (bound) =>
          bound !== null && (
            <line
              key={bound}
              x1={percent(bound)}
              x2={percent(bound)}
              y1="0"
              y2="16"
              strokeWidth="2"
              stroke="var(--color-edge)"
            />
          ),
      )}
      {nominal !== null && (
        <line x1={percent(nominal)} x2={percent(nominal)} y1="4" y2="12" strokeWidth="1" stroke="var(--color-edge)" />
      )}
      {dot !== null && (
        <circle
          cx={percent(dot)}
          cy="8"
          r="6"
          strokeWidth="2"
          stroke="var(--color-surface)"
          fill={isInside ? 'var(--color-ok-fill)' : 'var(--color-bad-fill)'}
        />
      )}
    </svg>
  )
}
