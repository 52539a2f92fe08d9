import type { Topic } from '../../../contract/endpoint.ts'
import { currentUser } from '../../device/credentials.ts'
import { dropFromTab, keepInTab, keptInTab } from '../../device/store.ts'
import type { Pair, PairForm } from './management.ts'

/** What was typed into a form and not yet saved, and the row as it was when that began; null for a new one. */
export type PairDraft<Field extends string> = {
  seen: Pair<Field> | null
  form: PairForm<Field>
  /** Left open: a reload or a new login returns to the form. */
  isOpen: boolean
}

const keyOf = (topic: Topic) => `cadastro:${topic}:${currentUser()?.username ?? ''}`

export const readPairDraft = <Field extends string>(topic: Topic): PairDraft<Field> | null =>
  keptInTab(keyOf(topic)) as PairDraft<Field> | null

export const keepPairDraft = <Field extends string>(topic: Topic, draft: PairDraft<Field>): void =>
  keepInTab(keyOf(topic), draft)

export const dropPairDraft = (topic: Topic): void => dropFromTab(keyOf(topic))
