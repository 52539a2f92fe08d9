import fc from 'fast-check'
import { expect, test } from 'vitest'
import { erpHeight } from './erp-heights.ts'

test.each([
  // [measured, nominal, decimals, sent]
  [1.151, 1.1, 2, 1.16],
  [1.149, 1.1, 2, 1.15],
  [1.049, 1.1, 2, 1.04],
  [1.05, 1.1, 2, 1.05],
  [1.099, 1.1, 2, 1.09],
  [1.101, 1.1, 2, 1.11],
  [1.151, 1.1, 3, 1.151],
  [1.151, 1.1, 1, 1.2],
  [1.151, 1.1, 0, 2],
  [2.01, 2.06, 2, 2.01],
  [1.123, 1.1225, 2, 1.13],
  // the nominal itself, and without one
  [1.125, 1.125, 2, 1.13],
  [1.1225, 1.1225, 2, 1.12],
  [1.154, null, 2, 1.15],
])('%d of nominal %d with %d decimals is sent as %d', (measured, nominal, decimals, sent) => {
  expect(erpHeight(measured, nominal, decimals)).toBe(sent)
})

const milli = fc.integer({ min: 10, max: 20_000 })

test('the ERP is never told better than what was measured, and nothing else of what it can take', () => {
  const never = fc.property(milli, milli, fc.integer({ min: 0, max: 3 }), (height, nominal, decimals) => {
    const sent = erpHeight(height / 1000, nominal / 1000, decimals)
    const beyond = Math.abs(Math.round(sent * 1000) - nominal)
    if (height !== nominal) expect(beyond).toBeGreaterThanOrEqual(Math.abs(height - nominal))
    expect(Math.abs(Math.round(sent * 1000) - height)).toBeLessThan(10 ** (3 - decimals))
    expect(Number(sent.toFixed(decimals))).toBe(sent)
    if (height % 10 === 0 && decimals >= 2) expect(sent).toBe(height / 1000)
  })
  fc.assert(never)
})
