import { useState } from 'react'
import type { Period } from '../../../domain/periods.ts'
import type { Kind } from './kinds.ts'

/** What stands in the dialog, whether or not it was applied. */
export type Filters = Period & { text: string }

/** What the charts show. */
export type Choice = Period & { name: string }

export type Choices = { filters: Filters; choice: Choice | null }

const empty: Choices = { filters: { start: '', end: '', text: '' }, choice: null }

/** Kept for each kind by itself, as long as this screen is open. */
export function useChoices() {
  const [choices, setChoices] = useState<Record<Kind, Choices>>({ applicators: empty, terminals: empty })
  const change = (kind: Kind, changed: Partial<Choices>) =>
    setChoices((before) => ({ ...before, [kind]: { ...before[kind], ...changed } }))
  return {
    choices,
    filter: (kind: Kind, filters: Filters) => change(kind, { filters }),
    choose: (kind: Kind, name: string) => {
      const { start, end } = choices[kind].filters
      change(kind, { choice: { name, start, end } })
    },
  }
}
