import { expect, test } from 'vitest'
import { traceFileName } from './trace-csv.ts'

test.each([
  ['L261118004', 'L261118004'],
  ['KX0001 - Komax', 'KX0001-Komax'],
  ['../../etc/passwd', 'etc-passwd'],
  ['..\\..\\windows', 'windows'],
  ['a"\r\nSet-Cookie: x=1', 'a-Set-Cookie-x-1'],
  ['Crimpação', 'Crimpacao'],
  ['😀', 'termo'],
  ['%00.csv', '00-csv'],
  ['x'.repeat(255), 'x'.repeat(60)],
  [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
])('of %j only what may stand in a file name is in it', (term, safe) => {
  expect(traceFileName('lote', term, '2026-11-21')).toBe(`rastreabilidade_lote_${safe}_2026-11-21.csv`)
})
