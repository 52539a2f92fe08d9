import { expect, test } from 'vitest'
import { noted, notedTexts, type PlanGateFacts, planGate, releaseNotes } from './plan-gate.ts'

const inside: PlanGateFacts = {
  ...{ mode: 'bloquear', isReachable: true, outside: [], due: [], missing: [] },
  ...{ hasRelease: false, hasReason: false },
}
const outside: PlanGateFacts = { ...inside, outside: ['altura'] }
const missing: PlanGateFacts = { ...inside, due: ['primeira-peca', 'ultima-peca'] }

test.each<[string, Partial<PlanGateFacts>, string | null, string | null]>([
  ['notes only', { mode: 'observar' }, null, 'fora-do-plano'],
  ['asks why', { mode: 'avisar' }, 'reason', 'fora-do-plano'],
  ['hears why', { mode: 'avisar', hasReason: true }, null, 'fora-do-plano'],
  ['asks why also without network', { mode: 'avisar', isReachable: false }, 'reason', 'fora-do-plano'],
  ['waits for quality', {}, 'release', 'fora-do-plano'],
  ['takes no reason for a release', { hasReason: true }, 'release', 'fora-do-plano'],
  ['is let through', { hasRelease: true }, null, 'fora-do-plano'],
  ['without network asks why', { isReachable: false }, 'reason', 'bloqueio-sem-rede'],
  ['without network hears why', { isReachable: false, hasReason: true }, null, 'bloqueio-sem-rede'],
  ['was let through before the network went', { isReachable: false, hasRelease: true }, null, 'fora-do-plano'],
])('outside its plan it %s', (_, facts, needs, finding) => {
  const text = 'Meça de novo antes de registrar: a última altura está fora do plano.'
  expect(planGate({ ...outside, ...facts })).toEqual({ needs, finding, text })
})

test('what is missing is asked for by its first reason, after what is outside', () => {
  const text = 'Falta medir a primeira peça.'
  expect(planGate(missing)).toEqual({ needs: 'release', finding: 'falta-medir', text })
  expect(planGate({ ...missing, mode: 'avisar' })).toEqual({ needs: 'reason', finding: 'falta-medir', text })
  expect(planGate({ ...missing, outside: ['forca'] }).finding).toBe('fora-do-plano')
})

test('what is outside, and the part of a first piece that is missing, is named', () => {
  const textOf = (facts: Partial<PlanGateFacts>) => planGate({ ...inside, ...facts }).text
  expect(textOf({ outside: ['altura-isolante'] })).toBe(
    'Meça de novo antes de registrar: a última altura do isolante está fora do plano.',
  )
  expect(textOf({ outside: ['altura', 'forca'] })).toBe(
    'Meça de novo antes de registrar: altura e força estão fora do plano.',
  )
  expect(textOf({ outside: ['altura', 'forca', 'largura'] })).toBe(
    'Meça de novo antes de registrar: altura, força e largura estão fora do plano.',
  )
  expect(textOf({ due: ['primeira-peca'], missing: ['altura'] })).toBe('Falta medir a primeira peça: altura.')
})

test('inside, and without plan, gauge or limits, nothing is asked for and nothing noted', () => {
  const go = { needs: null, finding: null, text: '' }
  expect(planGate(inside)).toEqual(go)
  expect(planGate({ ...inside, isReachable: false })).toEqual(go)
})

test('a release says who gave it to themselves, and that it looked at no sample', () => {
  const notes = [true, false].map((liberadoPorQuemApontou) =>
    [true, false].map((liberadoSemAmostras) => releaseNotes({ liberadoPorQuemApontou, liberadoSemAmostras })),
  )
  expect(notes).toEqual([
    ['liberado por quem apontou · sem amostras', 'liberado por quem apontou'],
    ['sem amostras', ''],
  ])
})

test('what is noted has a name', () => {
  expect(noted.map((finding) => notedTexts[finding])).toEqual([
    ...['Bloqueio sem rede', 'Fora do plano', 'Falta medir', 'Instrumento vencido', 'Instrumento inativo'],
    ...['Instrumento não cadastrado', 'Sem instrumento', 'Instrumento de outro tipo', 'Leitura além da resolução'],
    ...['Ferramenta insegura', 'Não julgado pelo plano'],
  ])
})
