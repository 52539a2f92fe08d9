import { wireColourName, wireColours } from '../../../domain/acts/wires.ts'
import { WirePaint } from './WirePaint.tsx'

type Props = {
  code: string
  /** In a table on an upright tablet there is no room for both on one line. */
  isColumn?: boolean
}

/** The wire's colour code beside a sample of it: colour is never the only sign. */
export function WireColour({ code, isColumn = false }: Props) {
  const isColoured = wireColours(code).length > 0
  return (
    <span
      className={`inline-flex items-center gap-x-2 whitespace-nowrap ${isColumn ? 'md:max-lg:flex-col md:max-lg:items-start' : ''}`}
      title={wireColourName(code)}
    >
      <svg
        viewBox="0 0 24 16"
        className={`h-4 w-6 shrink-0 rounded-sm ${isColoured ? 'ring-1 ring-edge' : ''}`}
        aria-hidden="true"
      >
        <title>{wireColourName(code)}</title>
        <WirePaint code={code} />
      </svg>
      {isColoured ? code.trim().toUpperCase() : '-'}
    </span>
  )
}
