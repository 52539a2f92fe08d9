import { expect, it } from 'vitest'
import { wireColourName, wireColours } from './wires.ts'

it('reads one colour, stripes, upper case and unknown codes', () => {
  expect(wireColours('am/vd').map(({ hex }) => hex)).toEqual(['#FFD600', '#2E9E3F'])
  expect(wireColours(' AZ ')).toEqual([{ code: 'az', name: 'Azul', hex: '#1565C0' }])
  expect(wireColours('vm/vm').map(({ code }) => code)).toEqual(['vm'])
  expect(wireColours('xx/constructor').map(({ hex }) => hex)).toEqual([null, null])
  expect(wireColours('')).toEqual([])
})

it('says the colours in words', () => {
  expect(['am/vd', 'br-pr-vm', 'rs', ''].map(wireColourName)).toEqual([
    'Amarelo com verde',
    'Branco com preto e vermelho',
    'Rosa',
    'Sem cor',
  ])
})
