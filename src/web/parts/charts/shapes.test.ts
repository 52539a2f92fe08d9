import { expect, test } from 'vitest'
import { legendOf, pathOf, roundStep, type Shape, strokeOf } from './shapes.ts'

const places = [
  [10, 20],
  [30.123456, 40],
] as const

test('a line, bars and all marks of a line are one path each, which a canvas reads as an SVG does', () => {
  expect(pathOf({ kind: 'line', places, tone: 'series', width: 2 })).toBe('M10,20L30.12,40')
  expect(pathOf({ kind: 'bars', boxes: [[1, 2, 3, 4]], tone: 'series' })).toBe('M1,2h3v4h-3Z')
  expect(pathOf({ kind: 'diamond', places, radius: 2, tone: 'bad' })).toBe(
    'M10,18L12,20L10,22L8,20ZM30.12,38L32.12,40L30.12,42L28.12,40Z',
  )
  expect(pathOf({ kind: 'dot', places: [[10, 20]], radius: 2, tone: 'bad' })).toBe(
    'M8,20a2,2,0,1,0,4,0a2,2,0,1,0,-4,0Z',
  )
})

test('lines and hollow marks are drawn along, everything else is filled', () => {
  const of = (kind: 'dot' | 'ring') => strokeOf({ kind, places, radius: 4, tone: 'muted' })
  expect([of('dot'), of('ring')]).toEqual([null, { width: 1.5 }])
  expect(strokeOf({ kind: 'line', places, tone: 'muted', width: 2, dash: [8, 4] })).toMatchObject({ dash: [8, 4] })
  expect(strokeOf({ kind: 'bars', boxes: [], tone: 'muted' })).toBeNull()
})

test('steps are 1, 2 or 5 of a power of ten', () => {
  expect([0.0009, 0.7, 1, 3, 5.1, 23_000].map(roundStep)).toEqual([0.001, 1, 1, 5, 10, 50_000])
})

test('what does not fit into a line of the legend goes on in the next', () => {
  const meanings = ['amostra', 'leitura fora da tolerância', 'inválida'].map((text) => ({
    text,
    sign: (): Shape[] => [],
  }))
  const heightIn = (width: number) => legendOf(meanings, { width, fontPx: 10, signPx: 14 }).size.height
  expect([1000, 250, 50].map(heightIn)).toEqual([18, 36, 54])
})
