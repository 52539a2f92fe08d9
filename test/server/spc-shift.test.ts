import { expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { type Series, type SeriesRow, spc } from '../../src/contract/spc.ts'
import golden from '../support/golden/spc.json' with { type: 'json' }
import { addUser, NOON_MS, openTestPanel } from '../support/harness.ts'
import { storeSamples } from '../support/series-samples.ts'

const HOUR_MS = 3_600_000
const TOOLS = 6
const SAMPLES_A_TOOL = 50
/** Samples from one false alarm to the next, all three rules together: simulated when they were chosen. */
const RUN_LENGTH = 159

const height = golden.cases.find(({ id }) => id === 'altura-t1326030-050')
const mean = height?.expected.limits?.mean ?? 0
const sigma = height?.expected.limits?.sigmaWithin ?? 0
const random = randomFor(1, 'spc', 'shift')
const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
const steady = () => Array.from({ length: 3 }, () => Math.round((mean + sigma * normal()) * 1000))

test('of six tools the one that wears is found as early as in the design, and the others are left in peace', async () => {
  const { context, db, login, ask } = await openTestPanel()
  await addUser(context, { username: 'quali', role: 'qualidade' })
  const { token } = await login('quali')
  const wearing = [...(height?.baseline ?? []), ...(height?.later ?? [])].map((values) =>
    values.map((value) => Math.round(value * 1000)),
  )
  for (let tool = 1; tool <= TOOLS; tool++) {
    const values = Array.from({ length: SAMPLES_A_TOOL }, (_, at) =>
      tool === 4 ? (wearing[at] ?? [1130, 1131, 1132]) : steady(),
    )
    await storeSamples(db, values, { unit: `MA-000${tool}`, measured_at: NOON_MS - SAMPLES_A_TOOL * HOUR_MS })
  }
  const list = await ask(token, { url: `${spc.list.path}?filial=010101` })
  const { series }: { series: SeriesRow[] } = list.json()
  expect([series.length, series[0]?.serie.miniaplicador]).toEqual([TOOLS, 'MA-0004'])
  const signalled = new Map<string, number[]>()
  for (const { serie } of series) {
    const query = new URLSearchParams({ ...serie, bitola: String(serie.bitola) })
    const { pontos }: Series = (await ask(token, { url: `${spc.get.path}?${query}` })).json()
    signalled.set(
      serie.miniaplicador,
      [...pontos.keys()].filter((at) => pontos[at]?.sinais.some(({ carta }) => carta === 'media')),
    )
  }
  expect(signalled.get('MA-0004')?.[0]).toBe(height?.expected.signalsOfAllMeans?.[0]?.[0])
  // what goes on from one point to the next is one alarm
  const falseAlarms = [...signalled].flatMap(([tool, points]) =>
    tool === 'MA-0004' ? [] : points.filter((at) => !points.includes(at - 1)),
  )
  const computed = ((TOOLS - 1) * SAMPLES_A_TOOL) / RUN_LENGTH
  // three deviations of what comes by chance
  expect(falseAlarms.length).toBeLessThanOrEqual(computed + 3 * Math.sqrt(computed))
})
