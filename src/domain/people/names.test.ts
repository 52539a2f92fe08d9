import { expect, test } from 'vitest'
import { listLookAlikes, lookOf, spelledAs } from './names.ts'

const ACCENT = 'Ímã 1'

test('names look alike whatever dash, case, accent form or invisible sign they are written with', () => {
  for (const other of ['MA–1', 'ma\u20111', ' MA−1 ', 'M\u200bA-1']) expect(lookOf(other), other).toBe(lookOf('MA-1'))
  expect(lookOf(ACCENT.normalize('NFD'))).toBe(lookOf(ACCENT))
  for (const other of ['MA1', 'MA_1', 'MA-10']) expect(lookOf(other), other).not.toBe(lookOf('MA-1'))
})

test('what is the same text is written as it stands already', () => {
  const known = [ACCENT.normalize('NFD'), 'MA-1']
  expect(spelledAs(ACCENT, known)).toBe(ACCENT.normalize('NFD'))
  expect(spelledAs(ACCENT, [...known, ACCENT])).toBe(ACCENT)
  expect(spelledAs('MA–1', known), 'another dash is another text').toBe('MA–1')
})

test('names that look alike are listed in groups, those that are one in none', () => {
  expect(listLookAlikes(['MA-1', 'ma-1', 'MA–1', 'MA-2', 'T1'])).toEqual([['MA-1', 'MA–1']])
})
