import { expect, test } from 'vitest'
import { forceLimit, heightLimit, limitReasonRefusal, limitReasonText } from './order-limits.ts'

test.each([
  ['70', 70, undefined],
  ['71', 70, undefined],
  ['', 70, undefined],
  ['69', 70, 'Abaixo do mínimo de 70 N'],
  ['0', 70, 'Abaixo do mínimo de 70 N'],
  ['92,4', 92.5, 'Abaixo do mínimo de 92,5 N'],
])('a force of %s where %d is asked for: %s', (typed, min, wrong) => {
  const text = `mín. ${min.toLocaleString('pt-BR')} N`
  expect(forceLimit(typed, min, 'N')).toEqual({ text, wrong })
})

test.each([
  ['1,10', undefined],
  ['1,32', undefined],
  ['0,88', undefined],
  ['', undefined],
  ['1,33', 'Confira a vírgula (nominal 1,10 mm)'],
  ['11,0', 'Confira a vírgula (nominal 1,10 mm)'],
  ['0,11', 'Confira a vírgula (nominal 1,10 mm)'],
])('a height of %s where 1,10 is nominal: %s', (typed, wrong) => {
  expect(heightLimit(typed, 1.1)).toEqual({ text: 'nominal 1,10 mm', wrong })
})

test('where the order asks nothing, nothing is said', () => {
  for (const none of [null, 0]) {
    expect(forceLimit('1', none, 'N')).toBeUndefined()
    expect(heightLimit('99', none)).toBeUndefined()
  }
})

test('a reason is one of the list, and another one is described', () => {
  expect(limitReasonRefusal('', 'x')).toBe('Escolha o motivo')
  expect(limitReasonRefusal('outro', ' ')).toBe('Descreva o motivo')
  expect(limitReasonRefusal('amostra', '')).toBeNull()
  expect(limitReasonText({ motivo: 'amostra', texto: '' })).toBe('Peça de ajuste ou amostra')
  expect(limitReasonText({ motivo: 'outro', texto: ' fio fino ' })).toBe('Outro motivo: fio fino')
})
