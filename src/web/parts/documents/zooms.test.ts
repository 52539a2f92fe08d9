import { expect, test } from 'vitest'
import { drawableScale, nextTurn, turned } from './opened-document.ts'
import { fittingScale, largerScale, SCALE_MAX, SCALE_MIN, smallerScale, withinScale } from './zooms.ts'

test('zoom goes in steps, from a fitted size too, and stops at both ends', () => {
  expect([largerScale(1), smallerScale(1)]).toEqual([1.25, 0.9])
  expect([largerScale(0.61), smallerScale(0.61)]).toEqual([0.67, 0.5])
  expect(largerScale(SCALE_MAX)).toBe(SCALE_MAX)
  expect(smallerScale(SCALE_MIN)).toBe(SCALE_MIN)
  expect(smallerScale(0.1)).toBe(SCALE_MIN)
  expect([withinScale(9), withinScale(0.01), withinScale(2)]).toEqual([SCALE_MAX, SCALE_MIN, 2])
})

test('a page fits the width of its frame, without blowing up a small picture', () => {
  expect(fittingScale(1000, 500)).toBe(0.5)
  expect(fittingScale(20, 1000)).toBe(1.5)
  expect(fittingScale(0, 1000)).toBe(1)
})

test('a drawing of whatever size stays on a canvas that an old tablet can hold', () => {
  const a0 = { widthPx: 4494, heightPx: 3179 }
  const scale = drawableScale(a0, 4)
  expect(a0.widthPx * scale * a0.heightPx * scale).toBeLessThanOrEqual(2 ** 24 + 1)
  expect(drawableScale({ widthPx: 40_000, heightPx: 10 }, 1) * 40_000).toBeLessThanOrEqual(8192)
  expect(drawableScale({ widthPx: 800, heightPx: 600 }, 2)).toBe(2)
})

test('four turns lead back, and a quarter swaps the sides', () => {
  expect([0, 90, 180, 270].map((turn) => nextTurn(turn as 0))).toEqual([90, 180, 270, 0])
  expect(turned({ widthPx: 3, heightPx: 2 }, 90)).toEqual({ widthPx: 2, heightPx: 3 })
  expect(turned({ widthPx: 3, heightPx: 2 }, 180)).toEqual({ widthPx: 3, heightPx: 2 })
})
