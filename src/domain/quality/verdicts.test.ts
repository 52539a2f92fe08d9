import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { PlanContent } from '../../contract/control-plans.ts'
import type { Characteristic } from '../../contract/measurements.ts'
import { firstPiece } from './sampling.ts'
import {
  type JudgedSample,
  limitedBy,
  newestVerdicts,
  outsideOf,
  requiredBy,
  type Verdicts,
  worseOf,
} from './verdicts.ts'

type Golden = {
  verdicts: {
    name: string
    limited: Characteristic[]
    acts: { id: string; at: string; parts: Verdicts; counted?: boolean; invalid?: boolean }[]
    own: Verdicts
    expected: { outside: string[]; missing: string[] }
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/suspect-window.json', import.meta.url), 'utf8'),
) as Golden

const here = { order: '1', machine: 'PR0002', unit: 'MA-0412', lot: 'A', cycle: 1, shift: 's#0' }
const sampleOf = (more: Partial<JudgedSample>): JudgedSample => ({
  ...{ ...here, measuredAt: 1, characteristic: 'altura', verdict: 'dentro' },
  ...more,
})

test.each(golden.verdicts.map((row) => [row.name, row] as const))('%s', (_, { limited, acts, own, expected }) => {
  const samples = acts
    .filter(({ counted, invalid }) => counted !== false && !invalid)
    .flatMap(({ at, parts }) =>
      (Object.keys(parts) as Characteristic[]).map((characteristic) =>
        sampleOf({ characteristic, verdict: parts[characteristic] ?? 'sem-plano', measuredAt: Date.parse(at) }),
      ),
    )
  const open = limited.filter((one) => own[one] === undefined)
  const { missing } = firstPiece(open, samples, { ...here, maintainedAt: null })
  expect({ outside: outsideOf(limited, newestVerdicts(samples, here), own), missing }).toEqual(expected)
})

test('the newest verdict is that of its press and tool, however they are spelled, and of equal instants the first', () => {
  const newest = (...samples: Partial<JudgedSample>[]) => newestVerdicts(samples.map(sampleOf), here).altura
  expect(newest({ verdict: 'fora', unit: ' ma-0412', machine: 'pr0002 - Mecal' })).toBe('fora')
  expect(newest({ verdict: 'fora' }, { unit: 'MA-1', measuredAt: 2 }, { machine: 'PR1', measuredAt: 2 })).toBe('fora')
  expect(newest({ verdict: 'fora' }, { order: '2', measuredAt: 2 })).toBe('fora')
  expect(newest({ verdict: 'fora' }, { verdict: 'dentro' })).toBe('fora')
  expect(newest({ verdict: 'fora' }, { verdict: 'sem-plano', measuredAt: 2 }), 'nothing was judged').toBe('fora')
  expect(newest()).toBeUndefined()
})

test('width and insulation height object, and are never due; a welded junction has no height', () => {
  const tolerance = { nominal: 1100, menos: 50, mais: 50 }
  const plan: PlanContent = {
    ...{ terminal: 'T1', bitola: 500, altura: tolerance, forcaMin: 75_000, largura: tolerance },
    ...{ alturaIsolante: tolerance, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
  }
  expect(limitedBy(plan)).toEqual(['altura', 'forca', 'largura', 'altura-isolante'])
  expect(requiredBy(plan, true)).toEqual(['altura', 'forca'])
  expect(requiredBy(plan, false)).toEqual(['forca'])
})

test('the worse of two sources is outside', () => {
  expect([worseOf('dentro', 'fora'), worseOf('sem-plano', 'dentro'), worseOf('sem-plano', undefined)]).toEqual([
    'fora',
    'dentro',
    'sem-plano',
  ])
})
