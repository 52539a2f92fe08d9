import { expect, test } from 'vitest'
import { changedWindowText, endsProblem, isNarrower, namedSubject, readingSubject } from './subjects.ts'

test('a subject is said in words', () => {
  expect(readingSubject('altura', 1170, 'N')).toBe('Altura fora: 1,170 mm')
  expect(readingSubject('forca', 62_000, 'N')).toBe('Força fora: 62 N')
  expect(namedSubject('lote', 'L-2231')).toBe('Lote L-2231')
})

const DAY_MS = 86_400_000
const now = 500 * DAY_MS
const at = { orderedAt: now - DAY_MS, now }

test('an end that nobody may choose is said at its field', () => {
  expect(endsProblem({ startAt: null, endAt: null }, at)).toBeNull()
  expect(endsProblem({ startAt: now - 401 * DAY_MS, endAt: null }, at), '400 days before the reading').toBeNull()
  expect(endsProblem({ startAt: now - 401 * DAY_MS - 1, endAt: null }, at)?.message).toBe('No máximo 400 dias antes.')
  expect(endsProblem({ startAt: now + 1, endAt: null }, at)?.field).toBe('inicio')
  expect(endsProblem({ startAt: 500, endAt: 500 }, { orderedAt: 500, now: 500 })?.field).toBe('fim')
})

test('ends by which fewer recordings may be found are narrower, and a start of any order is none', () => {
  const was = { startAt: 100, endAt: 200, isOfOrder: false }
  expect(isNarrower(was, { startAt: 100, endAt: 200 })).toBe(false)
  expect(isNarrower(was, { startAt: 90, endAt: null })).toBe(false)
  expect(isNarrower(was, { startAt: 101, endAt: 200 })).toBe(true)
  expect(isNarrower(was, { startAt: 100, endAt: 199 })).toBe(true)
  expect(isNarrower({ ...was, endAt: null }, { startAt: 100, endAt: 999 }), 'it grew until then').toBe(true)
  expect(isNarrower({ ...was, startAt: null }, { startAt: 1, endAt: 200 })).toBe(true)
  expect(isNarrower({ ...was, startAt: null, isOfOrder: true }, { startAt: 1, endAt: 200 })).toBe(false)
})

test('what somebody did to a window is said as it was: widened, narrowed, or both', () => {
  const was = { startAt: 100, endAt: 200, isOfOrder: false }
  expect(changedWindowText(was, { ...was, startAt: 50 })).toBe('Janela ampliada.')
  expect(changedWindowText(was, { ...was, endAt: 250 })).toBe('Janela ampliada.')
  expect(changedWindowText({ ...was, endAt: null }, was)).toBe('Janela reduzida.')
  expect(changedWindowText(was, { ...was, startAt: 150 })).toBe('Janela reduzida.')
  expect(changedWindowText(was, { ...was, startAt: 50, endAt: 150 })).toBe('Janela alterada.')
  expect(changedWindowText({ startAt: null, endAt: 200, isOfOrder: true }, was)).toBe('Janela ampliada.')
})
