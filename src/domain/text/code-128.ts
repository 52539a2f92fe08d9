import { html } from './html.ts'

/** ISO/IEC 15417, widths of bars and spaces in turn, by the value of the symbol; the last three are starts and stop. */
const widths = `
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221
223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321
112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131
311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114
122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)

const START_B = 104
const STOP = 106
const CHECK_MODULUS = 103

/** The bars of a printable text, left to right in modules, without the quiet zones of 10 at both ends. Set B. */
export function barsOf(text: string): { bars: { at: number; width: number }[]; width: number } {
  const values = [...text].map((character) => character.charCodeAt(0) - 32)
  if (values.some((value) => value < 0 || value > 94)) throw new RangeError('Code 128 B holds printable ASCII only')
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), START_B) % CHECK_MODULUS
  const modules = [START_B, ...values, check, STOP].map((value) => widths[value]).join('')
  let at = 0
  const bars: { at: number; width: number }[] = []
  for (const [index, width] of [...modules].map(Number).entries()) {
    if (index % 2 === 0) bars.push({ at, width })
    at += width
  }
  return { bars, width: at }
}

const QUIET_ZONE = 10
const HEIGHT = 40
/** Two dots of a label printer, three of a finer one: each bar as wide as it is meant. */
const MODULE_MM = 0.25

/** A scanner reads it from paper: in its own width, unless a style gives it another. */
export function barcodeSvg(text: string): string {
  const { bars, width } = barsOf(text)
  const path = bars.map((bar) => `M${bar.at + QUIET_ZONE} 0h${bar.width}v${HEIGHT}h-${bar.width}z`).join('')
  const modules = width + 2 * QUIET_ZONE
  return `<svg width="${modules * MODULE_MM}mm" viewBox="0 0 ${modules} ${HEIGHT}" preserveAspectRatio="none" shape-rendering="crispEdges" role="img" aria-label="${html(text)}"><path d="${path}"/></svg>`
}
