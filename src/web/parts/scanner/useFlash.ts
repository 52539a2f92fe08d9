import { useEffect, useState } from 'react'

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
