import { expect, test } from 'vitest'
import { barsOf } from './code-128.ts'

/** As a reader sees it: eleven modules a symbol, thirteen the last. */
function symbolsOf(text: string): string[] {
  const { bars, width } = barsOf(text)
  const line = [...Array(width)].map((_, at) => (bars.some((bar) => at >= bar.at && at < bar.at + bar.width) ? 1 : 0))
  return line.join('').match(/.{13}$|.{11}/g) ?? []
}

test('a symbol begins with a bar, is eleven modules wide with an even number of dark ones, and unlike any other', () => {
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  const symbols = printable.map((character) => symbolsOf(character)[1] ?? '')
  expect(new Set(symbols).size).toBe(95)
  for (const symbol of symbols) expect(symbol).toMatch(/^1(?=(0*10*1)*0*$)[01]{9}0$|^1[01]{9}0$/)
  expect(symbols.filter((symbol) => (symbol.match(/1/g)?.length ?? 0) % 2 !== 0)).toEqual([])
})

test('the widths of the standard’s own samples, with start, check and stop', () => {
  // A is 33, its check with start B (104 + 33) mod 103 = 34: B
  expect(symbolsOf('A')).toEqual(['11010010000', '10100011000', '10001011000', '1100011101011'])
})

test('what it cannot hold is refused', () => {
  expect(() => barsOf('ação')).toThrow(RangeError)
})
