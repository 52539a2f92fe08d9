import { expect, test } from 'vitest'
import { addMonths, dayStartMs, nextMonday, plantDay, plantMoment, toInstant, wallMs } from './plant-time.ts'

const at = (iso: string) => Date.parse(iso)

test('the day is the one on the wall of the plant', () => {
  expect(plantDay(at('2026-11-22T01:30:00Z'), 'America/Sao_Paulo')).toBe('2026-11-21')
  expect(plantDay(at('2026-11-22T03:00:00Z'), 'America/Sao_Paulo')).toBe('2026-11-22')
})

test('the hour that autumn repeats stays on its day', () => {
  expect(plantDay(at('2018-02-18T01:30:00Z'), 'America/Sao_Paulo')).toBe('2018-02-17')
  expect(plantDay(at('2018-02-18T02:30:00Z'), 'America/Sao_Paulo')).toBe('2018-02-17')
  expect(plantDay(at('2018-02-18T03:30:00Z'), 'America/Sao_Paulo')).toBe('2018-02-18')
})

test('a moment is day and time of the plant', () => {
  expect(plantMoment(at('2026-11-22T01:41:07Z'), 'America/Sao_Paulo')).toEqual({ day: '2026-11-21', time: '22:41:07' })
  expect(plantMoment(at('2026-11-22T03:00:00Z'), 'America/Sao_Paulo')).toEqual({ day: '2026-11-22', time: '00:00:00' })
})

test('an instant travels as UTC text', () => expect(toInstant(0)).toBe('1970-01-01T00:00:00.000Z'))

test('a day begins at midnight of the plant, also where the clocks change', () => {
  expect(toInstant(dayStartMs('2026-11-21', 'America/Sao_Paulo'))).toBe('2026-11-21T03:00:00.000Z')
  expect(toInstant(dayStartMs('2026-11-21', 'Asia/Tokyo'))).toBe('2026-11-20T15:00:00.000Z')
  // summer time ended at this midnight
  expect(toInstant(dayStartMs('2018-02-18', 'America/Sao_Paulo'))).toBe('2018-02-18T03:00:00.000Z')
  expect(toInstant(dayStartMs('2018-02-17', 'America/Sao_Paulo'))).toBe('2018-02-17T02:00:00.000Z')
  // summer time began at this midnight, which never came
  expect(toInstant(dayStartMs('2018-11-04', 'America/Sao_Paulo'))).toBe('2018-11-04T03:00:00.000Z')
})

test('a time of a day is when the clock on the wall first shows it', () => {
  const wall = (day: string, time: string, zone = 'Europe/Lisbon') => toInstant(wallMs(day, time, zone))
  expect(wall('2026-11-21', '22:00', 'America/Sao_Paulo')).toBe('2026-11-22T01:00:00.000Z')
  expect(wall('2026-10-25', '01:30'), 'comes twice').toBe('2026-10-25T00:30:00.000Z')
  expect(wall('2026-10-25', '06:00')).toBe('2026-10-25T06:00:00.000Z')
  expect(wall('2026-03-29', '01:30'), 'never comes').toBe('2026-03-29T01:30:00.000Z')
  expect(wall('2026-03-29', '06:00')).toBe('2026-03-29T05:00:00.000Z')
  expect(wall('2018-02-17', '23:30', 'America/Sao_Paulo'), 'comes twice').toBe('2018-02-18T01:30:00.000Z')
})

test.each([
  ['2026-11-22', -84, '2019-11-22'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2024-02-29', -12, '2023-02-28'],
  ['2026-01-15', 13, '2027-02-15'],
])('%s and %i months are %s', (day, months, there) => {
  expect(addMonths(day, months)).toBe(there)
})

test.each([
  ['2026-11-22', '2026-11-23'],
  ['2026-11-23', '2026-11-30'],
  ['2026-11-24', '2026-11-30'],
  ['2026-12-26', '2026-12-28'],
  ['2026-12-29', '2027-01-04'],
])('the Monday after %s is %s', (day, monday) => expect(nextMonday(day)).toBe(monday))
