import { expect, test } from 'vitest'
import { hourBars, hourBarsText, sumHours } from './hour-bars.ts'

test('an hour is a bar as high as its pieces, and the day before a line of steps over them', () => {
  const [floor, bars, yesterday] = hourBars({ turno: [10, 0], ontem: [20, 5] }, 100, 42)
  expect(floor).toMatchObject({ kind: 'line', tone: 'line' })
  expect(bars).toEqual({ kind: 'bars', boxes: [[5, 21, 40, 20]], tone: 'series' })
  expect(yesterday).toMatchObject({
    dash: [2, 3],
    places: [
      [0, 1],
      [50, 1],
      [50, 31],
      [100, 31],
    ],
  })
})

test('nothing is drawn of a day before without pieces', () =>
  expect(hourBars({ turno: [1], ontem: [0] }, 100, 42)).toHaveLength(2))

test('hours of several machines add up, also beside one that a server of the version before says nothing of', () => {
  const sum = sumHours([{ turno: [1, 2], ontem: [3, 4] }, undefined, { turno: [10, 20], ontem: [30, 1200] }])
  expect(sum).toEqual({ turno: [11, 22], ontem: [33, 1204] })
  expect(hourBarsText(sum)).toBe('Peças por hora: 11, 22; ontem: 33, 1.204')
})
