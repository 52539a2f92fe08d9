import type { Topic } from '../../../contract/live-changes.ts'
import { currentUser } from '../../credentials.ts'
import type { Pair, PairForm } from './management.ts'

/** What was typed into a form and not yet saved, and the row as it was when that began; null for a new one. */
export type PairDraft<Field extends string> = {
  seen: Pair<Field> | null
  form: PairForm<Field>
  /** Left open: a reload or a new login returns to the form. */
  isOpen: boolean
}

const keyOf = (topic: Topic) => `cadastro:${topic}:${currentUser()?.username ?? ''}`

export function readPairDraft<Field extends string>(topic: Topic): PairDraft<Field> | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(topic)) ?? 'null') as PairDraft<Field> | null
  } catch {
    return null
  }
}

export function keepPairDraft<Field extends string>(topic: Topic, draft: PairDraft<Field>): void {
  try {
    sessionStorage.setItem(keyOf(topic), JSON.stringify(draft))
  } catch {
    // A full storage costs the draft, not the form on screen.
  }
}

export const dropPairDraft = (topic: Topic): void => sessionStorage.removeItem(keyOf(topic))
