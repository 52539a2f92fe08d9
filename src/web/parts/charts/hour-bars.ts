import type { HourlyPieces } from '../../../contract/equipment.ts'
import { formatCount } from '../../text/format.ts'
import { type Place, type Shape, straight } from './shapes.ts'

const GAP_SHARE = 0.2

/** A bar an hour of this shift, and the same hours of the day before as a dotted line of steps. */
export function hourBars({ turno, ontem }: HourlyPieces, width: number, height: number): Shape[] {
  const hourCount = Math.max(1, turno.length, ontem.length)
  const most = Math.max(1, ...turno, ...ontem)
  const step = width / hourCount
  // the dotted line of the highest hour stays within the picture
  const tall = (pieces: number) => (pieces / most) * (height - 2)
  const y = (pieces: number) => height - 1 - tall(pieces)
  const steps = ontem.flatMap((pieces, hour): Place[] => [
    [hour * step, y(pieces)],
    [(hour + 1) * step, y(pieces)],
  ])
  const boxes = turno.flatMap((pieces, hour) =>
    pieces > 0 ? [[(hour + GAP_SHARE / 2) * step, y(pieces), (1 - GAP_SHARE) * step, tall(pieces)] as const] : [],
  )
  const floor = straight([0, height - 1], [width, height - 1], 'line')
  const yesterday: Shape = { kind: 'line', places: steps, tone: 'muted', width: 1.5, dash: [2, 3] }
  return [floor, { kind: 'bars', boxes, tone: 'series' }, ...(ontem.some((pieces) => pieces > 0) ? [yesterday] : [])]
}

export const hourBarsText = ({ turno, ontem }: HourlyPieces): string =>
  `Peças por hora: ${turno.map(formatCount).join(', ')}; ontem: ${ontem.map(formatCount).join(', ')}`

/** Of several machines together. */
export function sumHours(all: readonly (HourlyPieces | undefined)[]): HourlyPieces {
  const known = all.filter((one) => one !== undefined)
  const sum = (name: keyof HourlyPieces) =>
    known.reduce<number[]>((sums, one) => one[name].map((pieces, hour) => pieces + (sums[hour] ?? 0)), [])
  return { turno: sum('turno'), ontem: sum('ontem') }
}
