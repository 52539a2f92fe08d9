import { expect, test } from 'vitest'
import { dayStartMs, plantDay, plantMoment, toInstant } from './plant-time.ts'

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
})
