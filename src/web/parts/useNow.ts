import { useEffect, useState } from 'react'
import { serverNow } from '../device/clock.ts'

const TICK_MS = 15_000

/** The server's time, as far as a minute goes. */
export function useNow(): number {
  const [nowMs, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
