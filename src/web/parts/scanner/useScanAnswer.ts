import { useEffect, useEffectEvent, useState } from 'react'
import { deviceNow } from '../../device/clock.ts'
import { playSound } from './sounds.ts'

const FLASH_MS = 1600

/** The row that was just read lights up. */
export function useFlash() {
  const [code, setCode] = useState<string | null>(null)
  useEffect(() => {
    if (code === null) return
    const timer = setTimeout(() => setCode(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [code])
  return { code, show: setCode }
}

type Query = { isFetching: boolean; dataUpdatedAt: number; errorUpdatedAt: number }

/**
 * Tells by sound whether a scan that searches has found something, and which row is to light up. `noteScan` says that a code was
 * scanned, at the time it is asked for.
 */
export function useScanAnswer(query: Query, shown: { term: string; isFound: boolean; onFound?: () => void }) {
  const [scanned, setScanned] = useState<{ code: string; at: number } | null>(null)
  const flash = useFlash()
  const answeredAt = query.isFetching ? 0 : Math.max(query.dataUpdatedAt, query.errorUpdatedAt)
  const answered = scanned !== null && answeredAt >= scanned.at ? scanned.code : null
  const tell = useEffectEvent((code: string) => {
    setScanned(null)
    // something else was asked for meanwhile
    if (shown.term !== code) return
    playSound(shown.isFound ? 'good' : 'bad')
    if (!shown.isFound) return
    flash.show(code)
    shown.onFound?.()
  })
  useEffect(() => {
    if (answered !== null) tell(answered)
  }, [answered])
  return { flashing: flash.code, noteScan: (code: string) => setScanned({ code, at: deviceNow() }) }
}
