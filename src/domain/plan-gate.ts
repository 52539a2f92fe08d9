import type { Finding, Occasion, Verdict } from '../contract/measurements.ts'
import type { PlanMode } from '../contract/settings.ts'

export const planModeTexts: Record<PlanMode, string> = {
  observar: 'Observar',
  avisar: 'Avisar',
  bloquear: 'Bloquear',
}

/** What each does, as it is chosen. */
export const planModeHints: Record<PlanMode, string> = {
  observar: 'Nada muda para quem aponta. O que sai do plano fica anotado em Ocorrências.',
  avisar: "Fora do plano, 'Registrar' pede um motivo. Fica anotado em Ocorrências.",
  bloquear:
    "Fora do plano, 'Registrar' espera uma medição boa ou a liberação da qualidade. Sem rede, pede um motivo e fica anotado.",
}

/** What is noted beside a recording; the others are noted beside a measurement. */
export const noted = ['bloqueio-sem-rede', 'fora-do-plano', 'falta-medir'] as const satisfies Finding[]

export const notedTexts: Partial<Record<Finding, string>> & Record<(typeof noted)[number], string> = {
  'bloqueio-sem-rede': 'Bloqueio sem rede',
  'fora-do-plano': 'Fora do plano',
  'falta-medir': 'Falta medir',
}

export type PlanGateFacts = {
  mode: PlanMode
  /** Whether a release can be asked for now. Of what a tablet's queue brings: no, it could not. */
  isReachable: boolean
  /** Of the newest sample of this place that counts, or of what is typed as one; null: nothing was measured. */
  verdict: Verdict | null
  /** What is still to be measured, in the order in which it is said; without gauge, plan or limits nothing is. */
  due: readonly Occasion[]
  hasRelease: boolean
  hasReason: boolean
}

/** What speaks against 'Registrar', whatever the plant makes of it. */
type Objection = { finding: Extract<Finding, 'fora-do-plano' | 'falta-medir'>; text: string }

/** `needs` null: it may be registered, and what is noted beside it, if anything. `text` says what is wrong; empty: nothing. */
export type PlanGate = { needs: 'reason' | 'release' | null; finding: Finding | null; text: string }

const dueTexts: Record<Occasion, string> = {
  'primeira-peca': 'Falta medir a primeira peça.',
  'troca-de-lote': 'Falta medir depois da troca de lote.',
  'troca-de-mini-aplicador': 'Falta medir depois da troca de mini aplicador.',
  'troca-de-maquina': 'Falta medir depois da troca de máquina.',
  'apos-manutencao': 'Falta medir depois da manutenção.',
  'novo-turno': 'Falta medir neste turno.',
  'a-cada': 'Falta a medição a cada tantas peças.',
  'ultima-peca': 'Falta medir a última peça.',
  avulsa: 'Falta medir.',
}

/** The newest sample outside comes before what is missing: it has to be measured again in any case. */
export function planObjection({ verdict, due }: Pick<PlanGateFacts, 'verdict' | 'due'>): Objection | null {
  if (verdict === 'fora') {
    return { finding: 'fora-do-plano', text: 'Meça de novo antes de registrar: a última medição está fora do plano.' }
  }
  const [first] = due
  return first === undefined ? null : { finding: 'falta-medir', text: dueTexts[first] }
}

/**
 * What 'Registrar' needs, on a tablet and on the server alike. Where nobody can ask for a release, 'bloquear' asks for a
 * reason, and that it did is noted: work goes on without network.
 */
export function planGate(facts: PlanGateFacts): PlanGate {
  const { mode, isReachable, hasRelease, hasReason } = facts
  const objection = planObjection(facts)
  if (objection === null) return { needs: null, finding: null, text: '' }
  if (mode === 'observar' || hasRelease) return { ...objection, needs: null }
  if (mode === 'bloquear' && isReachable) return { ...objection, needs: 'release' }
  const finding = mode === 'bloquear' ? 'bloqueio-sem-rede' : objection.finding
  return { ...objection, finding, needs: hasReason ? null : 'reason' }
}
