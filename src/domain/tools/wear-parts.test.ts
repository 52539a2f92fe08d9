import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { usedPercent, type WearLevel, wearLevel } from './crimp-counters.ts'
import { partCrimps, partName } from './wear-parts.ts'

type Golden = {
  wearParts: {
    name: string
    unitLifetime: number
    lifetimeAtMount: number
    usedBefore: number
    limit: number
    warningPercent: number
    expected: { crimps: number; usedPercent: number; state: string }
  }[]
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/tool-life.json', import.meta.url), 'utf8'),
) as Golden

const states: Record<WearLevel, string> = { unlimited: '', fine: 'bom', near: 'perto', reached: 'atingido' }

test.each(golden.wearParts)('a part holds the golden data: $name', ({ unitLifetime, limit, ...part }) => {
  const wear = { numberOfCrimps: partCrimps(unitLifetime, part), limitOfCrimps: limit }
  expect({
    crimps: wear.numberOfCrimps,
    usedPercent: usedPercent(wear),
    state: states[wearLevel(wear, part.warningPercent)],
  }).toEqual(part.expected)
})

test('the count of a part never falls but by a counter-entry, whatever is crimped and reset', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ act: fc.constant('crimp' as const), crimps: fc.integer({ min: 1, max: 5000 }) }),
      fc.record({ act: fc.constant('reset' as const), crimps: fc.constant(0) }),
      fc.record({ act: fc.constant('takeBack' as const), crimps: fc.integer({ min: 1, max: 5000 }) }),
    ),
  )
  const whole = fc.nat(1_000_000)
  fc.assert(
    fc.property(steps, whole, whole, (done, lifetimeAtMount, usedBefore) => {
      let lifetime = lifetimeAtMount
      for (const { act, crimps } of done) {
        const before = partCrimps(lifetime, { lifetimeAtMount, usedBefore })
        lifetime += act === 'takeBack' ? -crimps : crimps
        const after = partCrimps(lifetime, { lifetimeAtMount, usedBefore })
        if (act !== 'takeBack') expect(after).toBeGreaterThanOrEqual(before)
        expect(after).toBeGreaterThanOrEqual(usedBefore)
      }
    }),
  )
})

test('a part is called by its kind and code', () => {
  expect([partName({ kind: 'bigorna', code: '1-456' }), partName({ kind: 'outra', code: 'Mola 7' })]).toEqual([
    'Bigorna 1-456',
    'Peça Mola 7',
  ])
})
