import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scannedReason } from '../text/printed-reasons.ts'
import { decideUndo, isMany, reasonCode, reasonProblem, storedReason, usualReasons, wears } from './scraps.ts'

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/scrap.json', import.meta.url), 'utf8'),
) as { questions: { pieces: number; ordered: number | null; expected: boolean }[] }

test.each(golden.questions)(
  '$pieces pieces of $ordered are asked about: $expected',
  ({ pieces, ordered, expected }) => {
    expect(isMany(pieces, ordered)).toBe(expected)
  },
)

test('a crimp that an operator threw away wears its registered tool, and nothing else does', () => {
  const crimp = { part: 'l1', unit: 'MA-0001', isRework: false, origin: 'operador' } as const
  expect(wears(crimp)).toBe(true)
  expect(wears({ ...crimp, part: 'cabo' })).toBe(false)
  expect(wears({ ...crimp, part: 'juncao' })).toBe(false)
  expect(wears({ ...crimp, unit: '' })).toBe(false)
  expect(wears({ ...crimp, isRework: true })).toBe(false)
  expect(wears({ ...crimp, origin: 'contencao' })).toBe(false)
})

test('a printed reason is told from a lot, also under Caps Lock', () => {
  expect(scannedReason('REF-altura-fora')).toBe('altura-fora')
  expect(scannedReason('ref-ALTURA-FORA ')).toBe('altura-fora')
  expect(scannedReason('B26-009941/3')).toBeNull()
})

test('a code comes of the words, and of no other reason', () => {
  const takenCodes = ['altura-fora', 'altura-fora-2']
  expect(reasonCode('Peça de ajuste', () => false, 40)).toBe('peca-de-ajuste')
  expect(reasonCode(' Altura fora! ', (code) => takenCodes.includes(code), 40)).toBe('altura-fora-3')
  expect(reasonCode('日本', () => false, 40)).toBe('motivo')
  expect(reasonCode('a'.repeat(60), (code) => code.length === 40 && !code.endsWith('-2'), 40)).toHaveLength(40)
})

const reason = { codigo: 'altura-fora', etapa: 'crimpagem', ativo: true } as const
const other = { codigo: 'outro', etapa: 'todas', ativo: true } as const

describe('the reason of scrap', () => {
  test('is refused at once where nobody may choose it', () => {
    expect(reasonProblem({ motivo: 'altura-fora', parte: 'l1' }, reason)).toBeNull()
    expect(reasonProblem({ motivo: 'x', parte: 'l1' }, null)?.field).toBe('motivo')
    expect(reasonProblem({ motivo: 'altura-fora', parte: 'l1' }, { ...reason, ativo: false })?.field).toBe('motivo')
    expect(reasonProblem({ motivo: 'altura-fora', parte: 'cabo' }, reason)?.field).toBe('motivo')
    expect(reasonProblem({ motivo: 'contencao', parte: 'l1' }, { ...other, codigo: 'contencao' })?.field).toBe('motivo')
    expect(reasonProblem({ motivo: 'outro', texto: ' ', parte: 'l1' }, other)?.field).toBe('texto')
  })

  test('out of a queue becomes words where nobody may choose it any more', () => {
    expect(storedReason({ motivo: 'altura-fora', texto: ' torta ' }, reason)).toEqual({
      code: 'altura-fora',
      note: 'torta',
    })
    expect(storedReason({ motivo: 'velho', texto: 'torta' }, null)).toEqual({ code: 'outro', note: 'velho: torta' })
    expect(storedReason({ motivo: 'velho' }, { ...reason, ativo: false })).toEqual({ code: 'outro', note: 'velho' })
    expect(storedReason({ motivo: 'contencao' }, { ...other, codigo: 'contencao' }).code).toBe('outro')
    expect(storedReason({ motivo: 'velho', texto: 'a'.repeat(120) }, null).note).toHaveLength(120)
    expect(storedReason({ motivo: 'outro' }, other)).toEqual({ code: 'outro', note: '' })
  })

  test('used most at the plant stands first, as one of eight', () => {
    const reasons = Array.from({ length: 10 }, (_, at) => ({
      ...({ id: at, codigo: `m-${at}`, texto: `M ${at}`, etapa: 'todas', tipo: 'defeito', posicao: at } as const),
      ...{ ativo: true, uso: at === 9 ? { '010101': 5 } : {}, version: 1 },
    }))
    expect(usualReasons(reasons, '010101').map(({ id }) => id)).toEqual([9, 0, 1, 2, 3, 4, 5, 6])
    expect(usualReasons(reasons, '010102')[0]?.id).toBe(0)
  })
})

test('its author takes scrap back in the same shift, then a leader does, with a reason', () => {
  const own = { isAuthor: true, isSameShift: true, mayCorrect: false, hasReason: false, origin: 'operador' } as const
  expect(decideUndo(own)).toBeNull()
  expect(decideUndo({ ...own, isSameShift: false })).toBe('not_allowed')
  expect(decideUndo({ ...own, isAuthor: false, hasReason: true })).toBe('not_allowed')
  expect(decideUndo({ ...own, isSameShift: false, mayCorrect: true })).toBe('reason_missing')
  expect(decideUndo({ ...own, isAuthor: false, mayCorrect: true, hasReason: true })).toBeNull()
  expect(decideUndo({ ...own, origin: 'contencao' })).toBe('scrap_of_containment')
})
