import type { Circuit } from '../../contract/junctions.ts'
import { readNumber } from '../text/numbers.ts'

const sideNames = { E: 'left', D: 'right' } as const
type Side = (typeof sideNames)[keyof typeof sideNames]

const same = (one: string, other: string) => one.trim() === other.trim()

/** The side of the position that one end of a circuit (`POSITION|E`, `POSITION|D`) goes to; null when it goes elsewhere. */
function sideOf(end: string, position: string): Side | null {
  const bar = end.lastIndexOf('|')
  if (bar < 0 || !same(end.slice(0, bar), position)) return null
  const letter = end
    .slice(bar + 1)
    .trim()
    .toUpperCase()
  return letter === 'E' || letter === 'D' ? sideNames[letter] : null
}

/** One wire at one side of the position. */
export type JoinedWire = {
  circuit: Circuit
  /** Where its other end goes, as the ERP names it. */
  farEnd: string
}

const gaugeMm2 = ({ circuit }: JoinedWire) => readNumber(circuit.Z1_BITOLA)

/** Thinnest first; a gauge that is no number last. */
const byGauge = (one: JoinedWire, other: JoinedWire) => {
  const [a, b] = [gaugeMm2(one), gaugeMm2(other)]
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a - b
}

/** A circuit with both ends at the position lies on both its sides. */
export function wiresBySide(circuits: readonly Circuit[], position: string): Record<Side, JoinedWire[]> {
  const on = (side: Side) =>
    circuits
      .flatMap((circuit): JoinedWire[] => {
        if (sideOf(circuit.Z1_DE, position) === side) return [{ circuit, farEnd: circuit.Z1_PARA }]
        return sideOf(circuit.Z1_PARA, position) === side ? [{ circuit, farEnd: circuit.Z1_DE }] : []
      })
      .toSorted(byGauge)
  return { left: on('left'), right: on('right') }
}
