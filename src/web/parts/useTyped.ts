import { useEffect, useState } from 'react'
import { currentUser } from '../credentials.ts'
import { keepInTab, keptInTab } from '../tab-storage.ts'

/**
 * What is typed over `saved` into a small form, kept for a reload or the way back until one is the other. What was typed over
 * something else that stood there is forgotten.
 */
export function useTyped<Value>(form: string, saved: Value) {
  const key = `${form}:${currentUser()?.username ?? ''}`
  const [typed, setTyped] = useState<Value>(() => {
    const kept = keptInTab(key) as { saved: Value; typed: Value } | null
    return kept && isSame(kept.saved, saved) ? kept.typed : saved
  })
  useEffect(() => keepInTab(key, isSame(typed, saved) ? null : { saved, typed }), [key, typed, saved])
  return [typed, setTyped] as const
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
