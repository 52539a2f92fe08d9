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
  marks: [{ at: 1, text: 'L' }],
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
  expect(texts).toEqual(expect.arrayContaining(['LSC 1,1200', 'Média 1,1000', 'LIC 1,0800', 'L', '1']))
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
