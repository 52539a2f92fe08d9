import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ScrapOrigin } from '../../contract/scraps.ts'
import { pareto, ppmOf, scrapCsv, sumScraps } from './scrap-reports.ts'

type Golden = {
  paretos: {
    name: string
    rows: { reason: string; pieces: number; rework?: boolean; counted?: boolean; origin?: ScrapOrigin }[]
    skip: string[]
    goods: number
    expected: {
      total: number
      rework: number
      lines: { reason: string; pieces: number; cumulativePermille: number }[]
      ppm: number | null
    }
  }[]
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/scrap.json', import.meta.url), 'utf8'),
) as Golden

describe('the Pareto of scrap', () => {
  test.each(golden.paretos)('to the digit: $name', ({ rows, skip, goods, expected }) => {
    const counted = rows.filter(({ reason, counted: counts }) => counts !== false && !skip.includes(reason))
    const sums = sumScraps(
      counted.map(({ reason, pieces, rework = false, origin = 'operador' }) => ({
        ...{ key: reason, pieces, isRework: rework, origin },
      })),
    )
    const total = sums.reduce((sum, { pieces }) => sum + pieces, 0)
    const beside = sums.reduce((sum, one) => sum + one.beside, 0)
    expect({
      total,
      rework: sums.reduce((sum, one) => sum + one.rework, 0),
      lines: pareto(sums).map(({ key: reason, pieces, cumulativePermille }) => ({
        reason,
        pieces,
        cumulativePermille,
      })),
      ppm: ppmOf({ pieces: total, beside }, goods),
    }).toEqual(expected)
  })
})

test('a file says what its lines leave out, and ends with the totals', () => {
  const line = { nome: '0101', pecas: 3, permil: 600, acumulado: 600, ppm: 30, retrabalho: 1 }
  const report = { linhas: [line], totais: { pecas: 5, ppm: 50, retrabalho: 1 }, linhasTotal: 3 }
  expect(scrapCsv('maquina', report).trim().split('\r\n')).toEqual([
    'Máquina;Peças;%;Acumulado;ppm;Retrabalho',
    '"=""0101""";3;60,0;60,0;30;1',
    'Outras 2 linhas;2;40,0;100,0;;0',
    'Total;5;100,0;100,0;50;1',
  ])
})
