import { wireColourName, wireColours } from '../../domain/wires.ts'

type Props = {
  code: string
  /** In a table on an upright tablet there is no room for both on one line. */
  isColumn?: boolean
}

/** The wire's colour code beside a sample of it: colour is never the only sign. */
export function WireColour({ code, isColumn = false }: Props) {
  const [base, ...stripes] = wireColours(code)
  if (!base) return '-'
  return (
    <span
      className={`inline-flex items-center gap-x-2 whitespace-nowrap ${isColumn ? 'md:max-lg:flex-col md:max-lg:items-start' : ''}`}
      title={wireColourName(code)}
    >
      <svg viewBox="0 0 24 16" className="h-4 w-6 shrink-0 rounded-sm ring-1 ring-edge" aria-hidden="true">
        <title>{wireColourName(code)}</title>
        <rect width="24" height="16" fill={base.hex ?? 'var(--color-idle-fill)'} />
        {stripes.map(({ code: stripe, hex }, index) => (
          <rect
            key={stripe}
            y={((index + 1) * 16) / (stripes.length + 1) - 2.5}
            width="24"
            height="5"
            fill={hex ?? 'var(--color-idle-fill)'}
          />
        ))}
        {base.hex === null && <path d="M0 16 16 0M8 16 24 0" stroke="var(--color-surface)" strokeWidth="2" />}
      </svg>
      {code.toUpperCase()}
    </span>
  )
}
