import type { Move, StepKind } from '../../contract/containments.ts'
import { countText } from '../text/numbers.ts'

/** The pieces of a row by what was decided about them. `pieces`: those of its recording. */
export type Balance = {
  pieces: number
  suspect: number
  rework: number
  released: number
  scrapped: number
}

type Pile = Exclude<keyof Balance, 'pieces'>

/** From which pile each move takes pieces, and onto which it puts them. */
const moved: Record<Move, readonly [from: 'suspect' | 'rework', to: Exclude<Pile, 'suspect'>]> = {
  liberar: ['suspect', 'released'],
  retrabalhar: ['suspect', 'rework'],
  sucatear: ['suspect', 'scrapped'],
  'liberar-retrabalhadas': ['rework', 'released'],
  'sucatear-retrabalhadas': ['rework', 'scrapped'],
}

export const isMove = (kind: StepKind): kind is Move => kind in moved

export const scraps = (kind: StepKind): boolean => isMove(kind) && moved[kind][1] === 'scrapped'
export const releases = (kind: StepKind): boolean => isMove(kind) && moved[kind][1] === 'released'

/** A step of a row: a move, one that takes another back, or the number of pieces that its recording has now. */
export type Step =
  | { kind: Move; pieces: number }
  | { kind: 'estornar'; undone: { kind: Move; pieces: number } }
  | { kind: 'corrigir'; pieces: number }

export const openingBalance = (pieces: number): Balance => ({
  ...{ pieces, suspect: pieces, rework: 0, released: 0, scrapped: 0 },
})

export const decidedOf = ({ rework, released, scrapped }: Balance): number => rework + released + scrapped

/** Suspect is what nobody decided, always made of the others and never added to. */
const settled = (balance: Balance): Balance => ({
  ...balance,
  suspect: Math.max(0, balance.pieces - decidedOf(balance)),
})

/** More is decided than there is. */
export const isDivergent = (balance: Balance): boolean => decidedOf(balance) > balance.pieces

/** Null: there are not so many pieces where it takes them from. */
export function afterStep(balance: Balance, step: Step): Balance | null {
  if (step.kind === 'corrigir') return settled({ ...balance, pieces: step.pieces })
  const isBack = step.kind === 'estornar'
  const { kind, pieces } = isBack ? step.undone : step
  const [source, target] = moved[kind]
  const [from, to] = isBack ? [target, source] : [source, target]
  if (balance[from] < pieces) return null
  return settled({ ...balance, [from]: balance[from] - pieces, [to]: balance[to] + pieces })
}

/** A step as it is stored. */
export type StoredStep = { id: number; kind: StepKind; pieces: number; of: number | null }

/** Null where it takes back no move of its row, or one that was taken back already. */
export function stepOf(stored: Omit<StoredStep, 'id'>, before: readonly StoredStep[]): Step | null {
  const { kind, pieces, of } = stored
  if (kind !== 'estornar') return { kind, pieces }
  const undone = before.find(({ id }) => id === of)
  const isUndone = before.some((other) => other.kind === 'estornar' && other.of === of)
  if (!undone || !isMove(undone.kind) || isUndone) return null
  return { kind, undone: { kind: undone.kind, pieces: undone.pieces } }
}

/** The balance of a row after its steps, in their order. `pieces`: those that it began with. */
export function balanceOf(pieces: number, steps: readonly StoredStep[]): Balance {
  let balance = openingBalance(pieces)
  for (const [at, stored] of steps.entries()) {
    const step = stepOf(stored, steps.slice(0, at))
    const after = step && afterStep(balance, step)
    if (!after) throw new Error(`step ${stored.id} takes pieces that are not there`)
    balance = after
  }
  return balance
}

/** The pieces of all rows together, and how many rows are divergent. */
export type Totals = Balance & { rows: number; divergent: number }

export function totalsOf(balances: readonly Balance[]): Totals {
  const sum = (pile: keyof Balance) => balances.reduce((all, balance) => all + balance[pile], 0)
  return {
    ...{ pieces: sum('pieces'), suspect: sum('suspect'), rework: sum('rework') },
    ...{ released: sum('released'), scrapped: sum('scrapped') },
    ...{ rows: balances.length, divergent: balances.filter(isDivergent).length },
  }
}

const leftText = (verb: readonly [one: string, many: string], count: number, pile: readonly [string, string]) =>
  count === 1 ? `${verb[0]} 1 peça ${pile[0]}` : `${verb[1]} ${countText(count)} peças ${pile[1]}`

const SUSPECT = ['suspeita', 'suspeitas'] as const
const REWORK = ['em retrabalho', 'em retrabalho'] as const

/** What keeps a containment open, in words; null: it may be closed. */
export function undecidedText({ suspect, rework, divergent }: Pick<Totals, 'suspect' | 'rework' | 'divergent'>) {
  const missing = ['Falta', 'Faltam'] as const
  if (suspect > 0) return `${leftText(missing, suspect, SUSPECT)}.`
  if (rework > 0) return `${leftText(missing, rework, REWORK)}.`
  if (divergent > 0) return divergent === 1 ? '1 linha diverge.' : `${countText(divergent)} linhas divergem.`
  return null
}

const piles = {
  suspect: SUSPECT,
  rework: REWORK,
  released: ['liberada', 'liberadas'],
  scrapped: ['sucateada', 'sucateadas'],
} as const

/** 'Restam 20 peças suspeitas': so many are where a step takes them from. */
export function remainingText(balance: Balance, step: Exclude<Step, { kind: 'corrigir' }>): string {
  const pile = step.kind === 'estornar' ? moved[step.undone.kind][1] : moved[step.kind][0]
  return leftText(['Resta', 'Restam'], balance[pile], piles[pile])
}

/** As it is printed and read: 'C-000123'. */
export const containmentNumber = (number: number): string => `C-${String(number).padStart(6, '0')}`

/** The number in a text that was read or typed; null: it is none. */
export function readContainmentNumber(text: string): number | null {
  const digits = /^c-(\d{6,9})$/i.exec(text.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}

/** How a recording stands in its containment, as traces say it. */
export function standingText({ suspect, rework, scrapped, pieces }: Balance): string {
  if (suspect + rework > 0) return 'em contenção'
  if (pieces === 0 || scrapped === 0) return 'liberada'
  return scrapped >= pieces ? 'sucateada' : 'liberada em parte'
}
