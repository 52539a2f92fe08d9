import { useEffect, useState } from 'react'
import { currentUser } from '../../device/credentials.ts'
import { keepInTab, keptInTab } from '../../device/store.ts'

type Typed<Value> = { over: Value; typed: Value }

/**
 * What is typed over `saved` into a small form, kept for a reload or the way back until both are equal; dropped when
 * `saved` has changed. `isValue` checks what is read back: anybody may have written it.
 */
export function useTyped<Value>(form: string, saved: Value, isValue: (kept: unknown) => kept is Value) {
  const key = `${form}:${currentUser()?.username ?? ''}`
  const [state, setState] = useState(() => {
    const kept = keptInTab(key) as Typed<unknown> | null
    return kept && isSame(kept.over, saved) && isValue(kept.typed)
      ? { over: saved, typed: kept.typed }
      : { over: saved, typed: saved }
  })
  const typed = isSame(state.over, saved) ? state.typed : saved
  useEffect(() => keepInTab(key, isSame(typed, saved) ? null : { over: saved, typed }), [key, typed, saved])
  return [typed, (next: Value) => setState({ over: saved, typed: next })] as const
}

export const isText = (kept: unknown): kept is string => typeof kept === 'string'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
