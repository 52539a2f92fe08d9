import { useEffect, useRef, useState } from 'react'

export const SHOWN_MS_MIN = 2000

/** True while `isBusy`, and until 2 s after it became so: a person sees that something was done. */
export function useLasting(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(isBusy)
  const since = useRef<number | null>(null)
  useEffect(() => {
    if (isBusy) {
      since.current = performance.now()
      setShown(true)
      return
    }
    if (since.current === null) return
    const leftMs = since.current + SHOWN_MS_MIN - performance.now()
    const timer = setTimeout(() => setShown(false), leftMs)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isBusy || isShown
}
