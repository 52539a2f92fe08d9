import { expect, test } from 'vitest'
import { isWholeDay } from './whole-day.ts'

test('a day is whole when its year is', () => {
  const typed = ['', '0002-11-21', '0202-11-21', '2026-11-21', '2000-01-01', '2026-02-30', '20261-11-21', '9999-12-31']
  expect(typed.filter(isWholeDay)).toEqual(['2026-11-21', '2000-01-01'])
})
