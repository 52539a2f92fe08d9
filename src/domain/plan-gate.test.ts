import { expect, test } from 'vitest'
import { noted, notedTexts, type PlanGateFacts, planGate } from './plan-gate.ts'

const inside: PlanGateFacts = {
  ...{ mode: 'bloquear', isReachable: true, verdict: 'dentro', due: [] },
  ...{ hasRelease: false, hasReason: false },
}
const outside: PlanGateFacts = { ...inside, verdict: 'fora' }
const missing: PlanGateFacts = { ...inside, verdict: null, due: ['primeira-peca', 'ultima-peca'] }

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
  const text = 'Meça de novo antes de registrar: a última medição está fora do plano.'
  expect(planGate({ ...outside, ...facts })).toEqual({ needs, finding, text })
})

test('what is missing is asked for by its first reason, after what is outside', () => {
  const text = 'Falta medir a primeira peça.'
  expect(planGate(missing)).toEqual({ needs: 'release', finding: 'falta-medir', text })
  expect(planGate({ ...missing, mode: 'avisar' })).toEqual({ needs: 'reason', finding: 'falta-medir', text })
  expect(planGate({ ...missing, verdict: 'fora' }).finding).toBe('fora-do-plano')
})

test('inside, and without plan, gauge or limits, nothing is asked for and nothing noted', () => {
  const go = { needs: null, finding: null, text: '' }
  for (const verdict of ['dentro', 'sem-plano', null] as const) expect(planGate({ ...inside, verdict })).toEqual(go)
  expect(planGate({ ...inside, isReachable: false })).toEqual(go)
})

test('what is noted has a name', () => {
  expect(noted.map((finding) => notedTexts[finding])).toEqual(['Bloqueio sem rede', 'Fora do plano', 'Falta medir'])
})
