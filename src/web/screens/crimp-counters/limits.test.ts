import { expect, test } from 'vitest'
import { limitText } from './counters.ts'
import { readLimit, readNewLimit } from './limit-edits.ts'

const limit = (number: number) => ({ kind: 'limit', limit: number })
const wrong = {
  kind: 'wrong',
  problem: 'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado',
}

test.each([
  ['100000', limit(100_000)],
  [' 1 ', limit(1)],
  ['100.000', limit(100_000)],
  ['1.000.000.000', limit(1_000_000_000)],
  ['-1', limit(-1)],
  ['ilimitado', limit(-1)],
  ['∞', limit(-1)],
  ['', { kind: 'empty' }],
  ['  ', { kind: 'empty' }],
  ['0', wrong],
  ['-2', wrong],
  ['1,5', wrong],
  ['1.5', wrong],
  ['cem mil', wrong],
  ['1000000001', { kind: 'wrong', problem: 'O limite vai até 1.000.000.000' }],
])('a limit typed as "%s"', (typed, expected) => {
  expect(readLimit(typed)).toEqual(expected)
})

test.each([
  ['', limit(100_000)],
  ['cem mil', limit(100_000)],
  ['abc', limit(100_000)],
  ['250000', limit(250_000)],
  ['-1', limit(-1)],
  ['0', wrong],
  ['70,7', wrong],
  ['1OO000', wrong],
])('a new limit typed as "%s"', (typed, expected) => {
  expect(readNewLimit(typed)).toEqual(expected)
})

test('a limit is written with its thousands, or as none', () => {
  expect(limitText(100_000)).toBe('100.000')
  expect(limitText(-1)).toBe('Ilimitado')
})
