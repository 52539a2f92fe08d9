import { expect, test } from 'vitest'
import { type ControlChart, drawingOf, firstRule, nearestPoint, tickStep } from './drawing.ts'

const size = { width: 600, height: 200, fontPx: 13 }
const point = (value: number | null, look: 'plain' | 'outside' | 'other' | 'invalid' = 'plain', signal = '') => ({
  value,
  look,
  signal,
})
const limits = { center: 1.1, upper: 1.12, lower: 1.08, isPreliminary: false }
const chart: ControlChart = {
  points: [point(1.1), point(1.13, 'outside', '1'), point(1.09, 'other'), point(11, 'invalid'), point(1.105)],
  limits,
  marks: [
    { at: 1, change: 'lote' },
    { at: 1, change: 'manutencao' },
  ],
  decimals: 4,
}

test('heights have ticks of a thousandth, and none finer than what is read', () => {
  expect([tickStep(0.0035, 4), tickStep(0.02, 4), tickStep(0.1, 4), tickStep(40, 1)]).toEqual([0.001, 0.005, 0.05, 10])
})

test('every sign has a shape of its own, and its letters and digits', () => {
  const shapes = drawingOf(chart, size)
  const count = (kind: string) => shapes.filter((shape) => shape.kind === kind).length
  // one ring each of the signal, the other size and the invalid one
  expect([count('dot'), count('diamond'), count('ring')]).toEqual([2, 1, 3])
  const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['LSC 1,1200', 'Média 1,1000', 'LIC 1,0800', '1']))
  expect([count('reel'), count('wrench')]).toEqual([1, 1])
})

test('each kind of change has a row of its own, so that none covers another', () => {
  const heights = drawingOf(chart, size).flatMap((shape) =>
    shape.kind === 'reel' || shape.kind === 'wrench' ? shape.places.map(([, y]) => y) : [],
  )
  expect(new Set(heights).size).toBe(2)
})

test('the first sample and each tenth have their day', () => {
  const points = Array.from({ length: 21 }, () => point(1.1))
  const days = points.map((_, at) => `${at + 1}/11`)
  const texts = drawingOf({ ...chart, points, days }, size).flatMap((shape) =>
    shape.kind === 'text' ? [shape.text] : [],
  )
  expect(texts.filter((text) => text.endsWith('/11'))).toEqual(['1/11', '10/11', '20/11'])
})

test('only single readings have a tolerance, as a band that is in sight whole', () => {
  const bands = (one: ControlChart) => drawingOf(one, size).filter(({ tone }) => tone === 'tolerance')
  expect(bands(chart)).toEqual([])
  const [band] = bands({ ...chart, tolerance: { lsl: 1.05, usl: 1.15 } })
  const [, top, , height] = (band?.kind === 'bars' && band.boxes[0]) || [0, 0, 0, 0]
  expect(top).toBeGreaterThan(0)
  expect(top + height).toBeLessThan(size.height)
  expect(bands({ ...chart, tolerance: { lsl: null, usl: null } })).toEqual([])
})

test('what counts nowhere neither joins the line nor presses the others flat', () => {
  const line = drawingOf(chart, size).find(({ kind, tone }) => kind === 'line' && tone === 'series')
  expect(line?.kind === 'line' && line.places).toHaveLength(3)
  const heights = (one: ControlChart) =>
    drawingOf(one, size).flatMap((shape) => (shape.kind === 'dot' ? shape.places.map(([, y]) => y) : []))
  const without = { ...chart, points: chart.points.map((one) => (one.look === 'invalid' ? point(null) : one)) }
  expect(heights(chart)).toEqual(heights(without))
})

test('preliminary limits are dashed', () => {
  const dashed = (isPreliminary: boolean) =>
    drawingOf({ ...chart, marks: [], limits: { ...limits, isPreliminary } }, size).filter(
      (shape) => shape.kind === 'line' && shape.dash,
    ).length
  expect([dashed(false), dashed(true)]).toEqual([0, 2])
})

test('a press means the point nearest to it', () => {
  expect([0, 300, 600].map((x) => nearestPoint(chart, size, x))).toEqual([0, 2, 4])
})

test('of several rules the first is drawn', () => {
  expect([firstRule([]), firstRule(['R3', 'R1'])]).toEqual(['', '1'])
})

test('of neighbours that would cover each other the first has the sign, and each its line', () => {
  const points = Array.from({ length: 60 }, () => point(1.1))
  const marks = [10, 11, 30].map((at) => ({ at, change: 'lote' as const }))
  const shapes = drawingOf({ ...chart, points, marks }, size)
  expect(shapes.flatMap((shape) => (shape.kind === 'reel' ? shape.places : []))).toHaveLength(2)
  expect(shapes.filter((shape) => shape.kind === 'line' && shape.dash)).toHaveLength(3)
})
