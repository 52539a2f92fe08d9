import { expect, test } from 'vitest'
import { type ChartContent, describeChart } from './content.ts'
import { drawnOf, hasLegend, plotLegend, plotOf, readingOf, readingText } from './plot.ts'
import type { Shape } from './shapes.ts'

const size = { width: 640, height: 320, fontPx: 13 }
const linesOf = (count: number, months = 2): ChartContent => ({
  kind: 'line',
  title: 'Crimpagens por Terminal - MA-0001',
  unit: 'crimpagens',
  categoryName: 'Mês',
  categories: Array.from({ length: months }, (_, at) => `jan/${at + 10}`),
  series: Array.from({ length: count }, (_, at) => ({ name: `T${at}`, values: Array(months).fill(1200 - at) })),
})
const barsOf = (values: readonly number[]): ChartContent => ({
  ...linesOf(0),
  kind: 'bar',
  categories: values.map((_, at) => `MA${at}`),
  series: [{ name: 'Crimpagens', values }],
})

const textsOf = (shapes: readonly Shape[]) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
const boxesOf = (shapes: readonly Shape[]) => shapes.flatMap((shape) => (shape.kind === 'bars' ? shape.boxes : []))

test('two colours tell forty lines apart, with strokes and marks', () => {
  const looks = drawnOf(linesOf(40)).map(({ tone, mark, dash }) => `${tone} ${mark} ${dash}`)
  expect(new Set(looks).size).toBe(40)
  expect(new Set(looks.map((look) => look.split(' ')[0])).size).toBe(2)
})

test('above sixty points a line has no marks, and ten thousand points are a path a line', () => {
  expect(drawnOf(linesOf(1, 60))[0]?.mark).toBe('dot')
  const { shapes } = plotOf(linesOf(100, 100), size)
  const drawn = shapes.filter(({ kind, tone }) => kind !== 'text' && /series/i.test(tone))
  expect(drawn).toHaveLength(100)
  expect(drawn.every((shape) => shape.kind === 'line' && shape.places.length === 100)).toBe(true)
})

test('the axis counts in whole numbers, written as at the plant, and reaches over the highest', () => {
  expect(textsOf(plotOf(barsOf([1200]), size).shapes)).toContain('1.200')
  expect(textsOf(plotOf(barsOf([2, 1]), size).shapes)).toEqual(['0', '1', '2', 'MA0', 'MA1'])
  expect(textsOf(plotOf(barsOf([0]), size).shapes)).toEqual(['0', '1', 'MA0'])
  expect(textsOf(plotOf(barsOf([-3, 4]), size).shapes)).toEqual([
    '-3',
    '-2',
    '-1',
    '0',
    '1',
    '2',
    '3',
    '4',
    'MA0',
    'MA1',
  ])
})

test('bars stand on zero, are as long as their figures and never broader than 48 px', () => {
  const [first, second] = boxesOf(plotOf(barsOf([100, 50]), size).shapes)
  expect(first?.[2]).toBe(48)
  expect(first && second && first[3] / second[3]).toBeCloseTo(2)
  expect(first && second && first[1] + first[3] - (second[1] + second[3])).toBeCloseTo(0)
  const many = boxesOf(plotOf(barsOf(Array(92).fill(1)), size).shapes)
  expect(many.every(([, , width]) => width > 3 && width < 7)).toBe(true)
})

test('a bar that lies begins beside its whole name, and a longer name is cut with a sign', () => {
  const content = { ...barsOf([3, 5]), isLying: true, categories: ['Maria', 'Maria Aparecida dos Santos Oliveira'] }
  const { shapes } = plotOf(content, size)
  const [first, second] = boxesOf(shapes)
  expect(first?.[0]).toBe(second?.[0])
  expect(first && second && second[2] / first[2]).toBeCloseTo(5 / 3)
  expect(textsOf(shapes)).toEqual(expect.arrayContaining(['Maria', expect.stringMatching(/^Maria Apare.*…$/)]))
})

test('a level is a line over the bars, without marks, and seen over a single month too', () => {
  const content = barsOf([30])
  const level = { name: 'Limite', values: [100], isLevel: true }
  const { shapes } = plotOf({ ...content, series: [...content.series, level] }, size)
  const [bars, line] = shapes.slice(-2)
  expect(bars?.kind).toBe('bars')
  const [from, to] = line?.kind === 'line' ? line.places : []
  expect(from && to && to[0] - from[0]).toBeGreaterThan(500)
  expect(drawnOf({ ...content, series: [level] })[0]?.mark).toBeNull()
})

test('a line that is hidden leaves the axis to the others', () => {
  const content = linesOf(0)
  const series = [
    { name: 'Mês', values: [10, 8] },
    { name: 'Limite', values: [100_000, 100_000] },
  ]
  const figures = (hidden: string[]) => textsOf(plotOf({ ...content, series }, size, new Set(hidden)).shapes)
  expect(figures([])).toContain('100.000')
  expect(figures(['Limite'])).toContain('10')
  expect(figures(['Limite', 'Mês'])).toEqual(['0', '1', 'jan/10', 'jan/11'])
})

test('names under the chart never touch: where there is no room some are left out', () => {
  const { shapes } = plotOf(linesOf(1, 60), { ...size, width: 340 })
  const names = shapes.flatMap((shape) => (shape.kind === 'text' && shape.text.startsWith('jan') ? [shape.at[0]] : []))
  expect(names.length).toBeGreaterThan(2)
  expect(Math.min(...names.slice(1).map((x, at) => x - (names[at] ?? 0)))).toBeGreaterThan(40)
})

test('a finger anywhere over the chart means the category under it', () => {
  const standing = plotOf(barsOf([1, 2, 3, 4]), size)
  expect([0, 320, 640].map((x) => standing.categoryAt([x, 0]))).toEqual([0, 1, 3])
  const lying = plotOf({ ...barsOf([1, 2, 3, 4]), isLying: true }, size)
  expect([0, 150, 320].map((y) => lying.categoryAt([0, y]))).toEqual([0, 1, 3])
  expect(lying.categoryAt([0, lying.middleOf(2)])).toBe(2)
})

test('over a category each figure is read with its name, and of many lines the ten highest', () => {
  const read = (content: ChartContent, ...hidden: string[]) => readingText(readingOf(content, new Set(hidden), 1))
  expect(read(linesOf(3), 'T1')).toBe('jan/11: T0 1.200, T2 1.198')
  const few = linesOf(12)
  const text = read({ ...few, series: few.series.toReversed() })
  expect(text).toMatch(/^jan\/11: T0 1\.200, .*T9 1\.191, e mais 2 linhas$/)
})

test('lines are named below the chart with what is said of them, a single row of bars by its title', () => {
  expect([hasLegend(linesOf(1)), hasLegend(barsOf([1]))]).toEqual([true, false])
  const series = [{ name: 'Limite', values: [100, 100], note: 'Previsto: qui 26/11 (3 dias)' }]
  const { shapes } = plotLegend({ ...linesOf(0), series }, size)
  expect(textsOf(shapes)).toEqual(['Limite · Previsto: qui 26/11 (3 dias)'])
})

test('parts of a bar stand on each other, and the axis reaches over their sum', () => {
  const series = [
    { name: 'Fora', values: [3, 0] },
    { name: 'Falta medir', values: [2, 1] },
  ]
  const stacked: ChartContent = { ...barsOf([0, 0]), isStacked: true, series }
  const { shapes } = plotOf(stacked, size)
  const [fora, , falta, alone] = boxesOf(shapes)
  expect(fora?.[0], 'at the same place').toBe(falta?.[0])
  expect(falta && fora && falta[1] + falta[3]).toBeCloseTo(fora?.[1] ?? 0)
  expect(alone && fora && alone[1] + alone[3], 'on the ground, where nothing is below').toBeCloseTo(
    (fora?.[1] ?? 0) + (fora?.[3] ?? 0),
  )
  expect(textsOf(shapes)).toContain('5')
  expect(new Set(drawnOf(stacked).map(({ tone }) => tone)).size).toBe(2)
})

test('a limit is red, dashed and named at its line, and a forecast leads to it beyond the last month', () => {
  const content: ChartContent = {
    ...barsOf([30, 12]),
    categories: ['jan/26', 'fev/26'],
    ahead: { from: 'Desde a manutenção', categories: 1.2, value: 100, text: '26/03' },
    series: [
      { name: 'Crimpagens', values: [30, 12] },
      { name: 'Desde a manutenção', values: [30, 42], isLevel: true },
      { name: 'Limite', values: [100, 100], isLevel: true, isLimit: true },
    ],
  }
  const { shapes, categoryAt } = plotOf(content, size)
  expect(textsOf(shapes)).toEqual(expect.arrayContaining(['Limite 100', '26/03']))
  const heights = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.at[1] - shape.fontPx] : []))
  expect(Math.min(...heights), 'nothing is cut above').toBeGreaterThanOrEqual(0)
  const lines = shapes.flatMap((shape) => (shape.kind === 'line' && shape.dash ? [shape] : []))
  expect(lines.map(({ tone, dash }) => [tone, dash])).toEqual([
    ['bad', [8, 4]],
    ['secondSeries', [2, 4]],
  ])
  const [limit, forecast] = lines
  expect(forecast?.places.at(-1)?.[1], 'on the limit').toBe(limit?.places[0]?.[1])
  expect(limit?.places.at(-1)?.[0]).toBeGreaterThan(forecast?.places.at(-1)?.[0] ?? 0)
  expect(categoryAt([639, 0]), 'nothing is read where nothing was counted').toBe(1)
  expect(textsOf(plotOf(content, size, new Set(['Desde a manutenção'])).shapes)).not.toContain('26/03')
})

test('a chart of any length is drawn and told', () => {
  const content = barsOf(Array.from({ length: 200_000 }, (_, at) => at % 3))
  expect(boxesOf(plotOf(content, size).shapes)).toHaveLength(200_000)
  expect(describeChart(content)).toContain('o máximo em MA2: 2')
})
