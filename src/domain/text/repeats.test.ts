import { expect, test } from 'vitest'
import { openRepeats } from './repeats.ts'

const MINUTE_MS = 60_000

/** In which minutes one is let through, with how many were held back before it. */
function letThrough(minutes: readonly number[], keyOf: (minute: number) => string = () => 'the ERP'): string[] {
  let nowMs = 0
  const heldBackBefore = openRepeats(() => nowMs)
  return minutes.flatMap((minute) => {
    nowMs = minute * MINUTE_MS
    const count = heldBackBefore(keyOf(minute))
    return count === null ? [] : [`${minute}: ${count}`]
  })
}
const everyMinute = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

test('of what repeats each minute the first is said and then one an hour, with how many were not', () => {
  expect(letThrough(everyMinute(0, 180))).toEqual(['0: 0', '60: 59', '120: 59'])
})

test('what was over for a quarter of an hour is said again at once', () => {
  expect(letThrough([...everyMinute(0, 10), ...everyMinute(24, 30)])).toEqual(['0: 0'])
  expect(letThrough([...everyMinute(0, 10), ...everyMinute(25, 30)])).toEqual(['0: 0', '25: 9'])
})

test('another trouble is said beside it', () => {
  expect(letThrough(everyMinute(0, 5), (minute) => (minute === 3 ? 'the mail' : 'the ERP'))).toEqual(['0: 0', '3: 0'])
})

test('a thousand troubles are told apart, and what repeats among more is still held back', () => {
  const heldBackBefore = openRepeats(() => 0)
  for (let other = 0; other < 5000; other++) {
    heldBackBefore(`recording ${other}`)
    expect(heldBackBefore(`recording ${other}`)).toBe(null)
  }
})
