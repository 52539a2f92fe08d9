import { expect, test } from 'vitest'
import { expendableBackups } from './backup-rotation.ts'

const HOUR_MS = 3_600_000
const nightOf = (day: string) => Date.parse(`${day}T05:10:00Z`)

/** Makes one each night for so many nights and lets go of what may go. */
function afterNights(nights: number): string[] {
  let retained: number[] = []
  for (let night = 0; night < nights; night++) {
    retained.push(nightOf('2026-01-05') + night * 24 * HOUR_MS)
    const expendable = new Set(expendableBackups(retained))
    retained = retained.filter((at) => !expendable.has(at))
  }
  return retained.map((at) => new Date(at).toISOString().slice(0, 10))
}

test('a year of nights leaves seven days and the last of each of five weeks', () => {
  const week = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04', '2027-01-05']
  expect(afterNights(366)).toEqual(['2026-12-13', '2026-12-20', '2026-12-27', ...week])
})

test('what was made by hand on the newest day stays, of an earlier day only the newest', () => {
  const [before, night] = [nightOf('2026-11-20'), nightOf('2026-11-21')]
  const byHand = [before + HOUR_MS, before + 2 * HOUR_MS, night + HOUR_MS, night + 2 * HOUR_MS]
  expect(expendableBackups([before, night, ...byHand])).toEqual([before, before + HOUR_MS])
})

test('where none are made any more, none goes, however old', () => {
  const old = [nightOf('2020-03-01'), nightOf('2020-03-02'), nightOf('2021-07-01')]
  expect(expendableBackups(old)).toEqual([])
  expect(expendableBackups([])).toEqual([])
})
