import { barsOf } from '../../src/domain/text/code-128.ts'

type Bars = ReturnType<typeof barsOf>['bars']

/** Dark and light in turn, as a beam across the symbol meets them. */
function runsOf(bars: Bars, width: number): string[] {
  const line = Array.from({ length: width }, (_, at) =>
    bars.some((bar) => at >= bar.at && at < bar.at + bar.width) ? 1 : 0,
  )
  return line.join('').match(/.{13}$|.{11}/g) ?? []
}
const symbolsOf = (text: string) => {
  const { bars, width } = barsOf(text)
  return runsOf(bars, width)
}

/** Symbols by their value: each character alone is the second symbol of its own code. */
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const characterOf = new Map(printable.map((character) => [symbolsOf(character)[1], character]))

/** A reader's work on one picture: quiet zones, start, characters, stop; null where it could not be read. */
export function readBarcode(svg: string): string | null {
  const [, widthText = ''] = /viewBox="0 0 (\d+) /.exec(svg) ?? []
  const drawn = [...svg.matchAll(/M(\d+) 0h(\d+)v/g)].map(([, at, width]) => ({ at: Number(at), width: Number(width) }))
  const [first, last] = [drawn.at(0), drawn.at(-1)]
  if (!first || !last || first.at < 10 || Number(widthText) - last.at - last.width < 10) return null
  const bars = drawn.map(({ at, width }) => ({ at: at - first.at, width }))
  const symbols = runsOf(bars, last.at + last.width - first.at)
  const [start, ...rest] = symbols
  const text = rest.slice(0, -2).map((symbol) => characterOf.get(symbol) ?? '')
  const isWhole = start === symbolsOf('A')[0] && rest.at(-1) === symbolsOf('A').at(-1)
  return isWhole && symbolsOf(text.join('')).at(-2) === rest.at(-2) ? text.join('') : null
}
