import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOf } from './mapping.ts'

const formats: Record<string, (value: number) => string> = {
  'as AdvPL writes it': (value) => value.toFixed(2),
  'as Brazil writes it': (value) =>
    new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value),
  'with a comma only': (value) => value.toFixed(2).replace('.', ','),
  'as the United States write it': (value) =>
    new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value),
  'padded on the left': (value) => value.toFixed(2).padStart(15),
  'padded on the right': (value) => value.toFixed(2).padEnd(15),
}

describe('a quantity', () => {
  it.each(Object.keys(formats))('is read %s', (name) => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_00, max: 10_000_000_00 }), (hundredths) => {
        const value = hundredths / 100
        expect(numberOf(formats[name]!(value))).toBeCloseTo(value, 6)
      }),
      { numRuns: 500 },
    )
  })
})

describe('anything at all', () => {
  it('is a finite number or null', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.,]{0,12}$/), fc.anything()), (value) => {
        fc.pre(typeof value !== 'object' && typeof value !== 'symbol')
        const read = numberOf(value)
        expect(read === null || Number.isFinite(read)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
