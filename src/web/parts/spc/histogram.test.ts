import { expect, test } from 'vitest'
import { columnsOf, histogramShapes, outsideCount } from './histogram.ts'

const heights = {
  readings: [1049, 1050, 1100, 1100, 1101, 1150, 1151],
  tolerance: { lsl: 1.05, usl: 1.15 },
  decimals: 3,
}

test('a reading on a limit is inside, whatever bar it shares', () => {
  expect(outsideCount(heights)).toBe(2)
  const { step, columns } = columnsOf(heights)
  expect(step).toBe(10)
  expect(columns).toEqual([
    { at: 1050, inside: 1, outside: 1 },
    { at: 1100, inside: 3, outside: 0 },
    { at: 1150, inside: 1, outside: 1 },
  ])
})

test('a bar is never finer than what is read, and readings that are all alike stand in one', () => {
  const alike = { readings: [74_000, 74_000], tolerance: { lsl: null, usl: null }, decimals: 0 }
  expect(columnsOf(alike)).toEqual({ step: 1000, columns: [{ at: 74_000, inside: 2, outside: 0 }] })
})

test('both limits are lines that say their figure; a force has one', () => {
  const texts = (
    one: typeof heights | { tolerance: { lsl: number; usl: null }; readings: number[]; decimals: number },
  ) =>
    histogramShapes(one, { width: 300, height: 200, fontPx: 13 }).flatMap((shape) =>
      shape.kind === 'text' && /^m/.test(shape.text) ? [shape.text] : [],
    )
  expect(texts(heights)).toEqual(['mín. 1,050', 'máx. 1,150'])
  expect(texts({ readings: [74_000, 90_000], tolerance: { lsl: 70, usl: null }, decimals: 0 })).toEqual(['mín. 70'])
})
