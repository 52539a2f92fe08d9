import type { PartKind, RemovalReason } from '../../contract/crimp-counters.ts'
import type { CallCause } from '../../contract/maintenance-calls.ts'
import { mostWornFirst } from './crimp-counters.ts'

type Named = { kind: PartKind; code: string }

export const partTexts: Record<PartKind, string> = {
  'crimpador-condutor': 'Crimpador do condutor',
  'crimpador-isolante': 'Crimpador do isolante',
  bigorna: 'Bigorna',
  cortador: 'Cortador',
  outra: 'Outra',
}

const inSentences: Record<PartKind, (code: string) => string> = {
  'crimpador-condutor': () => 'o crimpador do condutor',
  'crimpador-isolante': () => 'o crimpador do isolante',
  bigorna: () => 'a bigorna',
  cortador: () => 'o cortador',
  outra: (code) => `a peça ${code}`,
}

export const reasonTexts: Record<RemovalReason, string> = {
  gasta: 'Gasta',
  quebrada: 'Quebrada',
  preventiva: 'Preventiva',
  ajuste: 'Ajuste',
}

const wornKinds: Partial<Record<CallCause, readonly PartKind[]>> = {
  'crimpador-gasto': ['crimpador-condutor', 'crimpador-isolante'],
  'bigorna-gasta': ['bigorna'],
  'cortador-gasto': ['cortador'],
}

type Worn = { kind: PartKind; numberOfCrimps: number; limitOfCrimps: number }

export const worstFirst = <T extends Worn>(parts: readonly T[]): T[] => parts.toSorted(mostWornFirst)

/** The part that a cause says is worn: of several of its kinds the one that has used most. */
export const wornPart = <T extends Worn>(parts: readonly T[], cause: CallCause): T | undefined =>
  worstFirst(parts).find(({ kind }) => wornKinds[cause]?.includes(kind))

/** 'Bigorna 1-456' */
export const partName = ({ kind, code }: Named): string => `${kind === 'outra' ? 'Peça' : partTexts[kind]} ${code}`

/** 'a bigorna'; one of no known kind by its code. */
export const partInSentence = ({ kind, code }: Named): string => inSentences[kind](code)

/** Place of a part, which holds one at a time: its kind, or within 'outra' its code. */
export const partPlace = ({ kind, code }: Named): string =>
  kind === 'outra' ? `${kind} ${code.trim().toLocaleLowerCase('pt-BR')}` : kind

type Mounting = { lifetimeAtMount: number; usedBefore: number }

/** Crimps of a part: the unit's lifetime since it was mounted, corrections too, and those it had before. */
export const partCrimps = (lifetimeCrimps: number, { lifetimeAtMount, usedBefore }: Mounting): number =>
  Math.max(0, lifetimeCrimps - lifetimeAtMount) + usedBefore
