import { expect, test } from 'vitest'
import { contentsOf, joined } from './contents.ts'

const crimps = {
  perMonth: [
    { mes: '2025-12', crimpagens: 30 },
    { mes: '2026-02', crimpagens: 12 },
  ],
  parts: [
    { name: 'T1', points: [{ mes: '2025-12', crimpagens: 30 }] },
    { name: 'T2', points: [{ mes: '2026-02', crimpagens: 12 }] },
  ],
}

test('both charts stand over the same months, with a 0 where nothing was crimped', () => {
  const contents = contentsOf(crimps, 'MA-0001', 'Crimpagens por Terminal')
  expect(contents?.perMonth).toMatchObject({
    title: 'Crimpagens por Mês - MA-0001',
    categories: ['dez/25', 'jan/26', 'fev/26'],
    series: [{ name: 'Crimpagens', values: [30, 0, 12] }],
  })
  expect(contents?.perPart).toMatchObject({
    title: 'Crimpagens por Terminal - MA-0001',
    categories: ['dez/25', 'jan/26', 'fev/26'],
    series: [
      { name: 'T1', values: [30, 0, 0] },
      { name: 'T2', values: [0, 0, 12] },
    ],
  })
  expect(contents && joined(contents).series.map(({ name }) => name)).toEqual(['Crimpagens', 'T1', 'T2'])
})

test('what a tool has crimped since its last maintenance and its limit are lines over the bars', () => {
  const points = [30, 0, 12].map((crimpagens, at) => ({ mes: ['2025-12', '2026-01', '2026-02'][at] ?? '', crimpagens }))
  const levelsOf = (limit: number | null) =>
    contentsOf({ ...crimps, wear: { limit, points, forecast: undefined } }, 'MA-0001', '')?.perMonth.series.slice(1)
  const since = { name: 'Desde a manutenção', values: [30, 0, 12], isLevel: true }
  expect(levelsOf(100)).toEqual([since, { name: 'Limite', values: [100, 100, 100], isLevel: true, isLimit: true }])
  expect(levelsOf(null)).toEqual([since])
  const forecast = { estado: 'previsto' as const, dia: '2026-02-26', emDias: 3, aproximada: false }
  const forecasted = contentsOf({ ...crimps, wear: { limit: 100, points, forecast } }, 'MA-0001', '')
  expect(forecasted?.perMonth.series.at(-1)?.note).toBe('Previsto: qui 26/02 (3 dias)')
  expect(forecasted?.perMonth.ahead).toMatchObject({ from: 'Desde a manutenção', value: 100, text: '26/02' })
  expect(forecasted?.perMonth.ahead?.categories, 'in the same month').toBeLessThan(0.5)
  const far = { ...forecast, dia: '2026-11-26', emDias: 270 }
  expect(contentsOf({ ...crimps, wear: { limit: 100, points, forecast: far } }, 'MA-0001', '')?.perMonth.ahead).toBe(
    undefined,
  )
})

test('where nothing was crimped there is no chart, also when all of it was taken back', () => {
  expect(contentsOf({ perMonth: [], parts: [] }, 'MA-0001', '')).toBeNull()
  expect(contentsOf({ perMonth: [{ mes: '2026-01', crimpagens: 0 }], parts: [] }, 'MA-0001', '')).toBeNull()
})
