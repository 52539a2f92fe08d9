import type { Characteristic, Verdict } from '../../contract/measurements.ts'
import { piecesText } from '../text/numbers.ts'

/** Acts at one place that a device knows of. Instants are epoch ms. */
type KnownActs = {
  recordings: readonly { at: number; pieces: number; order: string }[]
  readings: readonly { at: number; characteristic: Characteristic; verdict: Verdict }[]
}

/**
 * Pieces in the windows of readings outside, up to them, as far as a device knows; each recording counts once. The server may know
 * of more.
 */
export function knownSuspects(
  outside: readonly Characteristic[],
  { at: until, order }: { at: number; order: string },
  { recordings, readings }: KnownActs,
): number {
  const starts = outside.map((characteristic) => {
    const good = readings.filter((one) => one.characteristic === characteristic && one.verdict === 'dentro')
    return good.map(({ at }) => at).filter((at) => at < until)
  })
  const isSuspect = (one: KnownActs['recordings'][number]) =>
    starts.some((good) => (good.length === 0 ? one.order === order : one.at > Math.max(...good)))
  return recordings.filter((one) => one.at <= until && isSuspect(one)).reduce((sum, { pieces }) => sum + pieces, 0)
}

/** About a reading outside that waits on its device. */
export const savedOutsideText = (pieces: number): string =>
  `Medição salva neste dispositivo: fora do plano. ${
    pieces === 0
      ? 'As peças suspeitas são contadas quando houver rede.'
      : `Pelo menos ${piecesText(pieces)}; o resto quando houver rede.`
  }`
