import { expect, it } from 'vitest'
import { colourDistance, contrast, isHardToTell, printOn, wireColourName, wireColours } from './wires.ts'

const known = ['am', 'az', 'br', 'cz', 'lr', 'mr', 'pr', 'rs', 'rx', 'vd', 'vm']
const hexOf = (code: string) => wireColours(code)[0]?.hex ?? ''

it('reads one colour, stripes, upper case and unknown codes', () => {
  expect(wireColours('am/vd').map(({ hex }) => hex)).toEqual(['#FFD600', '#2E9E3F'])
  expect(wireColours(' AZ ')).toEqual([{ code: 'az', name: 'Azul', hex: '#1565C0' }])
  expect(wireColours('vm/vm').map(({ code }) => code)).toEqual(['vm'])
  expect(wireColours('/am//vd/').map(({ code }) => code)).toEqual(['am', 'vd'])
  expect(wireColours('xx/constructor').map(({ hex }) => hex)).toEqual([null, null])
  expect(wireColours('')).toEqual([])
  expect(wireColours(' / - ')).toEqual([])
})

it('knows all eleven', () => {
  for (const code of known) expect(hexOf(code)).toMatch(/^#[0-9A-F]{6}$/)
  expect(new Set(known.map(hexOf)).size).toBe(11)
})

it('says the colours in words', () => {
  expect(['am/vd', 'br-pr-vm', 'rs', '', 'xy', 'az/xy'].map(wireColourName)).toEqual([
    'Amarelo com verde',
    'Branco com preto e vermelho',
    'Rosa',
    'Sem cor',
    'XY · cor não cadastrada',
    'Azul com XY',
  ])
})

it('measures as the standards do', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(colourDistance('#000000', '#FFFFFF')).toBeCloseTo(100, 1)
  // the nearest pairs of the set
  expect(colourDistance(hexOf('mr'), hexOf('pr'))).toBeCloseTo(36, -0.5)
  expect(colourDistance(hexOf('lr'), hexOf('vm'))).toBeCloseTo(40, -0.5)
})

it('outlines a stripe that runs into its base', () => {
  for (const [base, stripe] of ['mr/pr', 'br/cz', 'lr/vm', 'cz/mr'].map((pair) => pair.split('/').map(hexOf))) {
    expect(isHardToTell(base ?? '', stripe ?? '')).toBe(true)
  }
  expect(isHardToTell(hexOf('am'), hexOf('pr'))).toBe(false)
  // green and red are alike to a colour-blind eye, and alike bright
  expect(isHardToTell(hexOf('vd'), hexOf('lr'))).toBe(true)
})

it('prints on every colour so that it can be read', () => {
  for (const code of known) expect(contrast(hexOf(code), printOn(hexOf(code)))).toBeGreaterThan(4.5)
})
