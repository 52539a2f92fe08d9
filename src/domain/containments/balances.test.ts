import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moves, type StepKind, stepKinds } from '../../contract/containments.ts'
import {
  afterStep,
  balanceOf,
  containmentNumber,
  isDivergent,
  openingBalance,
  readContainmentNumber,
  releases,
  remainingText,
  scraps,
  standingText,
  stepOf,
  totalsOf,
  undecidedText,
} from './balances.ts'

type GoldenStep = { kind: StepKind; pieces?: number; of?: number }
type Golden = {
  name: string
  pieces: number
  steps: GoldenStep[]
  expected: {
    state: { suspeitas: number; retrabalho: number; liberadas: number; sucateadas: number }
    refused: GoldenStep | null
    divergente: boolean
    closable: boolean
  }
}

const { balances: golden } = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/suspect-window.json', import.meta.url), 'utf8'),
) as { balances: Golden[] }

/** One after another; a step that is refused changes nothing. */
function run(pieces: number, steps: readonly GoldenStep[]) {
  let balance = openingBalance(pieces)
  let refused: GoldenStep | null = null
  const stored = steps.map((step, id) => ({ id, kind: step.kind, pieces: step.pieces ?? 0, of: step.of ?? null }))
  const taken: typeof stored = []
  for (const [at, next] of stored.entries()) {
    const step = stepOf(next, taken)
    const after = step && afterStep(balance, step)
    if (after) taken.push(next)
    else refused = steps[at] ?? null
    balance = after ?? balance
  }
  expect(balanceOf(pieces, taken), 'the same from what is stored').toEqual(balance)
  return { balance, refused }
}

test.each(golden)('$name', ({ pieces, steps, expected }) => {
  const { balance, refused } = run(pieces, steps)
  const { suspect, rework, released, scrapped } = balance
  expect({
    state: { suspeitas: suspect, retrabalho: rework, liberadas: released, sucateadas: scrapped },
    ...{ refused, divergente: isDivergent(balance), closable: undecidedText(totalsOf([balance])) === null },
  }).toEqual(expected)
})

test('all golden balances are there', () => expect(golden).toHaveLength(12))

const anyStep = fc.oneof(
  fc.record({ kind: fc.constantFrom<StepKind>(...moves, 'corrigir'), pieces: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant<StepKind>('estornar'), of: fc.integer({ min: 0, max: 8 }) }),
)

test('whatever is decided, no pile is ever below nothing, and nothing is suspect beside what is decided', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 80 }), fc.array(anyStep, { maxLength: 12 }), (pieces, steps) => {
      const { balance } = run(pieces, steps)
      const { suspect, rework, released, scrapped } = balance
      expect(Math.min(suspect, rework, released, scrapped)).toBeGreaterThanOrEqual(0)
      const sum = suspect + rework + released + scrapped
      if (isDivergent(balance)) expect([suspect, sum > balance.pieces]).toEqual([0, true])
      else expect(sum).toBe(balance.pieces)
    }),
  )
})

test('a step is taken back once', () => {
  const { refused, balance } = run(10, [
    ...[
      { kind: 'liberar' as const, pieces: 4 },
      { kind: 'liberar' as const, pieces: 4 },
    ],
    ...[
      { kind: 'estornar' as const, of: 0 },
      { kind: 'estornar' as const, of: 0 },
    ],
  ])
  expect(refused).toEqual({ kind: 'estornar', of: 0 })
  expect(balance.released).toBe(4)
})

test('what keeps a containment open is said in words', () => {
  const left = (suspect: number, rework: number, divergent: number) => undecidedText({ suspect, rework, divergent })
  expect(left(20, 5, 1)).toBe('Faltam 20 peças suspeitas.')
  expect(left(1, 0, 0)).toBe('Falta 1 peça suspeita.')
  expect(left(0, 40, 1)).toBe('Faltam 40 peças em retrabalho.')
  expect(left(0, 0, 1)).toBe('1 linha diverge.')
  expect(left(0, 0, 2)).toBe('2 linhas divergem.')
  expect(left(0, 0, 0)).toBe(null)
})

test('a refused step says how many pieces are left where it takes them from', () => {
  const balance = { ...openingBalance(1020), suspect: 20, released: 1000 }
  expect(remainingText(balance, { kind: 'sucatear', pieces: 21 })).toBe('Restam 20 peças suspeitas')
  expect(remainingText({ ...balance, rework: 1 }, { kind: 'liberar-retrabalhadas', pieces: 2 })).toBe(
    'Resta 1 peça em retrabalho',
  )
  const undone = { kind: 'retrabalhar', pieces: 20 } as const
  expect(remainingText({ ...balance, rework: 5 }, { kind: 'estornar', undone })).toBe('Restam 5 peças em retrabalho')
})

test('a number is read as it is printed, also without capitals, and nothing else is one', () => {
  expect(containmentNumber(123)).toBe('C-000123')
  expect(['C-000123', ' c-000123 ', 'C-1234567'].map(readContainmentNumber)).toEqual([123, 123, 1_234_567])
  expect(['C-123', 'C000123', '000123', 'OC-000123', 'C-000123x', ''].map(readContainmentNumber)).toEqual(
    Array(6).fill(null),
  )
})

test('a trace says how a recording stands in its containment', () => {
  const balance = openingBalance(100)
  expect(standingText(balance)).toBe('em contenção')
  expect(standingText({ ...balance, suspect: 0, released: 60, rework: 40 })).toBe('em contenção')
  expect(standingText({ ...balance, suspect: 0, released: 100 })).toBe('liberada')
  expect(standingText({ ...balance, suspect: 0, scrapped: 100 })).toBe('sucateada')
  expect(standingText({ ...balance, suspect: 0, released: 60, scrapped: 40 })).toBe('liberada em parte')
})

test('what releases is checked before, what scraps has a reason of scrap', () => {
  expect(stepKinds.filter(releases)).toEqual(['liberar', 'liberar-retrabalhadas'])
  expect(stepKinds.filter(scraps)).toEqual(['sucatear', 'sucatear-retrabalhadas'])
})
