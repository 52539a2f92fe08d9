import { expect, test } from 'vitest'
import { workShare } from './working-days.ts'

test.each([
  ['2026-11-18', 1, 'a Wednesday'],
  ['2026-11-21', 0.4, 'a Saturday'],
  ['2026-11-22', 0, 'a Sunday'],
  ['2026-11-20', 0, 'Consciência Negra'],
  ['2026-02-17', 0, 'carnival, Easter being 5 April'],
  ['2026-04-03', 0, 'Good Friday'],
  ['2025-06-19', 0, 'Corpus Christi, Easter being 20 April'],
  ['2027-03-26', 0, 'Good Friday, Easter being 28 March'],
  ['2024-03-29', 0, 'Good Friday, Easter being 31 March'],
  ['2026-12-23', 0.1, 'the shutdown over Christmas'],
])('on %s a plant works %d of a day: %s', (day, share) => {
  expect(workShare(day)).toBe(share)
})
