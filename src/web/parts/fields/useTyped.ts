import { useEffect, useRef, useState } from 'react'
import { currentUser } from '../../device/credentials.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'

type Typed<Value> = { over: Value; typed: Value }

/**
 * A value typed over `saved` in a small form, kept for a reload or the way back until both are equal; dropped when
 * `saved` has changed. `isValue` checks a value read back: anybody may have written it.
 */
export function useTyped<Value>(form: string, saved: Value, isValue: (stored: unknown) => stored is Value) {
  const key = `${form}:${currentUser()?.username ?? ''}`
  const [state, setState] = useState(() => {
    const stored = readFromTab(key) as Typed<unknown> | null
    return stored && isSame(stored.over, saved) && isValue(stored.typed)
      ? { over: saved, typed: stored.typed }
      : { over: saved, typed: saved }
  })
  const typed = isSame(state.over, saved) ? state.typed : saved
  useEffect(() => keep(key, { over: saved, typed }), [key, typed, saved])
  const newest = useRef(typed)
  const type = (next: Value) => {
    newest.current = next
    setState({ over: saved, typed: next })
    // what closes the form with it leaves no effect to do so
    keep(key, { over: saved, typed: next })
  }
  /** Also after the form was closed. False: something else was typed meanwhile, also into the form opened anew, and stays. */
  const replace = (before: Value, next: Value): boolean => {
    const stored = readFromTab(key) as Typed<unknown> | null
    const isUntouched = isSame(newest.current, before) && (stored === null || isSame(stored.typed, before))
    if (isUntouched) type(next)
    return isUntouched
  }
  return [typed, type, replace] as const
}

const keep = <Value>(key: string, { over, typed }: Typed<Value>) =>
  writeToTab(key, isSame(typed, over) ? null : { over, typed })

export const isText = (stored: unknown): stored is string => typeof stored === 'string'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
