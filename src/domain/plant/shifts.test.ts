import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plantDay, toInstant } from './plant-time.ts'
import {
  type Shift,
  type ShiftPlan,
  shiftAt,
  shiftBefore,
  shiftOf,
  shiftsOf,
  hoursOf as spansOfHours,
} from './shifts.ts'

const three = ['06:00', '14:00', '22:00']
const saoPaulo: ShiftPlan = { shifts: three, timeZone: 'America/Sao_Paulo' }
const lisbon: ShiftPlan = { shifts: three, timeZone: 'Europe/Lisbon' }
const hoursOf = ({ startMs, endMs }: Shift) => (endMs - startMs) / 3_600_000
const placeOf = (instant: string, plan: ShiftPlan) => {
  const { day, nth, startMs, endMs } = shiftAt(Date.parse(instant), plan)
  return [day, nth, toInstant(startMs), toInstant(endMs)]
}

test('a shift is on from its beginning until the next one begins', () => {
  const morning = ['2026-11-21', 0, '2026-11-21T09:00:00.000Z', '2026-11-21T17:00:00.000Z']
  expect(placeOf('2026-11-21T09:00:00.000Z', saoPaulo)).toEqual(morning)
  expect(placeOf('2026-11-21T16:59:59.999Z', saoPaulo)).toEqual(morning)
  expect(placeOf('2026-11-21T17:00:00.000Z', saoPaulo).slice(0, 2)).toEqual(['2026-11-21', 1])
})

test('the night belongs to the day on which it begins', () => {
  const night = ['2026-11-21', 2, '2026-11-22T01:00:00.000Z', '2026-11-22T09:00:00.000Z']
  expect(placeOf('2026-11-22T01:00:00.000Z', saoPaulo)).toEqual(night)
  expect(placeOf('2026-11-22T08:59:59.999Z', saoPaulo)).toEqual(night)
})

test('a night in which the clock is changed is an hour longer or shorter', () => {
  expect(hoursOf(shiftOf('2026-10-24', 2, lisbon))).toBe(9)
  expect(hoursOf(shiftOf('2026-03-28', 2, lisbon))).toBe(7)
  expect(hoursOf(shiftOf('2018-02-17', 2, saoPaulo))).toBe(9)
  expect(hoursOf(shiftOf('2018-11-03', 2, saoPaulo))).toBe(7)
  expect(hoursOf(shiftOf('2026-10-25', 0, lisbon))).toBe(8)
})

test('a plant with one shift has it all day', () => {
  const plan = { shifts: ['05:30'], timeZone: 'America/Sao_Paulo' }
  const day = ['2026-11-20', 0, '2026-11-20T08:30:00.000Z', '2026-11-21T08:30:00.000Z']
  expect(placeOf('2026-11-21T08:29:59.999Z', plan)).toEqual(day)
})

const planArbitrary = fc.record({
  timeZone: fc.constantFrom('America/Sao_Paulo', 'Europe/Lisbon', 'Asia/Tokyo', 'Australia/Lord_Howe'),
  shifts: fc.constantFrom(
    ['00:00'],
    three,
    ['00:00', '12:00'],
    ['05:45', '15:30'],
    ['01:00', '07:00', '13:00', '19:00'],
  ),
})
const instantArbitrary = fc.oneof(
  fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2028, 0) }),
  // around the changes of those clocks
  ...['2018-02-18T02:00Z', '2018-11-04T03:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-10-03T15:30Z'].map(
    (change) => fc.integer({ min: -8, max: 8 }).map((quarters) => Date.parse(change) + quarters * 900_000),
  ),
)

test('every instant is in exactly one shift, and one follows another without a gap', () => {
  fc.assert(
    fc.property(planArbitrary, instantArbitrary, (plan, instant) => {
      const on = shiftAt(instant, plan)
      expect(on.startMs).toBeLessThanOrEqual(instant)
      expect(on.endMs).toBeGreaterThan(instant)
      expect(shiftAt(on.endMs, plan).startMs).toBe(on.endMs)
      expect(shiftAt(on.startMs - 1, plan).endMs).toBe(on.startMs)
      expect(plantDay(on.startMs, plan.timeZone)).toBe(on.day)
    }),
    { numRuns: 300, seed: 20261122 },
  )
})

test('a shift is followed by the one that it is before, and its hours are all of it', () => {
  for (const plan of [saoPaulo, lisbon]) {
    for (const shift of shiftsOf(['2026-03-28', '2026-03-29', '2026-10-25'], plan)) {
      expect(shiftBefore(shift, plan).endMs).toBe(shift.startMs)
      const hours = spansOfHours(shift)
      expect(hours).toHaveLength(Math.ceil(hoursOf(shift)))
      expect([hours[0]?.startMs, hours.at(-1)?.endMs]).toEqual([shift.startMs, shift.endMs])
    }
  }
})
