import { useEffect, useEffectEvent, useState } from 'react'
import { deviceNow } from '../api.ts'

type Query = { isFetching: boolean; dataUpdatedAt: number; errorUpdatedAt: number }

/** Hears once what a scan that searches has found. Returns what says that a code was scanned, at the time it is asked for. */
export function useScanAnswer(query: Query, onAnswer: (code: string) => void): (code: string) => void {
  const [scanned, setScanned] = useState<{ code: string; at: number } | null>(null)
  const answeredAt = query.isFetching ? 0 : Math.max(query.dataUpdatedAt, query.errorUpdatedAt)
  const answered = scanned !== null && answeredAt >= scanned.at ? scanned.code : null
  const tell = useEffectEvent(onAnswer)
  useEffect(() => {
    if (answered === null) return
    setScanned(null)
    tell(answered)
  }, [answered])
  return (code) => setScanned({ code, at: deviceNow() })
}
