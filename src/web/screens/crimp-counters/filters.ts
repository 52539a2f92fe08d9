import { useEffect, useState } from 'react'

export const DEBOUNCE_MS = 300

export type Filter = {
  typed: string
  change: (typed: string) => void
  /** What is asked for: trimmed, once nothing was typed for 300 ms. */
  applied: string
}

export function useFilter(): Filter {
  const [typed, change] = useState('')
  const [applied, setApplied] = useState('')
  const asked = typed.trim()
  useEffect(() => {
    const timer = setTimeout(() => setApplied(asked), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [asked])
  return { typed, change, applied }
}
