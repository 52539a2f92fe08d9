/** Millionths of a millimetre: the ERP's own heights have up to four decimals, and sums of floats none that hold. */
const MICRO = 1_000_000

/**
 * A height in mm as an ERP of so many decimals is sent it: away from `nominal`, so never better than it was measured. What
 * has no more decimals than that goes as it is; the nominal itself, and any height without a nominal, to the nearest.
 */
export function erpHeight(heightMm: number, nominalMm: number | null, decimals: number): number {
  const step = MICRO / 10 ** decimals
  const micro = Math.round(heightMm * MICRO)
  if (micro % step === 0) return heightMm
  const nominal = nominalMm === null ? micro : Math.round(nominalMm * MICRO)
  const round = micro > nominal ? Math.ceil : micro < nominal ? Math.floor : Math.round
  return Number(((round(micro / step) * step) / MICRO).toFixed(decimals))
}
