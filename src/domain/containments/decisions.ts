import type { DecisionForm } from '../../contract/containment-decisions.ts'
import { countText } from '../text/numbers.ts'
import {
  afterStep,
  type Balance,
  decidedOf,
  isDivergent,
  releases,
  remainingText,
  type Step,
  type StoredStep,
  scraps,
  stepOf,
} from './balances.ts'

type Problem = { field: string; message: string }

/** What a decision of its kind lacks. */
export function decisionProblems({ tipo, linhas, ...form }: DecisionForm): Problem[] {
  const required = (field: keyof typeof form, message: string): Problem[] =>
    form[field] === undefined ? [{ field, message }] : []
  return [
    ...(releases(tipo) ? required('verificado', 'O que foi verificado?') : []),
    ...(form.verificado === 'derrogacao' ? required('verificadoTexto', 'Escreva qual é a derrogação.') : []),
    ...(scraps(tipo) ? required('motivoRefugo', 'Escolha o motivo do refugo.') : []),
    ...(tipo === 'estornar' ? required('passo', 'Qual passo?') : []),
    ...(tipo === 'estornar' && linhas.length > 1 ? [{ field: 'linhas', message: 'Desfaça uma linha por vez.' }] : []),
    ...(new Set(linhas.map(({ id }) => id)).size < linhas.length
      ? [{ field: 'linhas', message: 'Linha repetida' }]
      : []),
  ]
}

type Wanted = { kind: DecisionForm['tipo']; pieces: number; of: number | null }

/** `left`: so many pieces are there, and too few. */
type Outcome = { step: Wanted; after: Balance } | { left: string } | { problem: Problem }

/** The step of one row, as it is to be stored. */
export function decideRow(balance: Balance, before: readonly StoredStep[], wanted: Wanted): Outcome {
  const { kind, pieces, of } = wanted
  if (kind === 'corrigir') {
    const decided = decidedOf(balance)
    if (!isDivergent(balance) || pieces !== decided) {
      const message = `Só se acerta uma linha que diverge, pelo que já foi decidido: ${countText(decided)}.`
      return { problem: { field: 'linhas', message } }
    }
  }
  const step = stepOf(wanted, before)
  if (!step) return { problem: { field: 'passo', message: 'Este passo não existe ou já foi desfeito.' } }
  const after = afterStep(balance, step)
  if (after) return { step: { ...wanted, of: kind === 'estornar' ? of : null, pieces: piecesOf(step) }, after }
  // a number of pieces is never too large for its row
  if (step.kind === 'corrigir') throw new Error('a correction is always possible')
  return { left: remainingText(balance, step) }
}

const piecesOf = (step: Step): number => (step.kind === 'estornar' ? step.undone.pieces : step.pieces)
