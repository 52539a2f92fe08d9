import { useEffect, useRef, useState } from 'react'

const TURN_MS = 15_000

/** Pages turn by themselves until somebody pauses them. */
export function usePages(count: number) {
  const [turned, setTurned] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const isTurning = count > 1 && !isPaused
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that somebody turned to stays as long as any other
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => setTurned((before) => (before + 1) % count), TURN_MS)
    return () => clearTimeout(timer)
  }, [isTurning, count, turned])
  return {
    page: Math.min(turned, count - 1),
    isPaused,
    turn: (by: 1 | -1) => setTurned((before) => (Math.min(before, count - 1) + by + count) % count),
    pause: () => setPaused((before) => !before),
  }
}

/** Of a cell, that it may be read from afar, in rem. */
const CELL_REM = { width: 23, height: 16 }
const GAP_REM = 1

/** How many cells stand side by side and above each other in the element. */
export function useCells() {
  const [grid, setGrid] = useState<HTMLElement | null>(null)
  const [cells, setCells] = useState({ columns: 1, rows: 1 })
  useEffect(() => {
    if (!grid) return
    const countIn = (lengthPx: number, leastRem: number) => {
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      return Math.max(1, Math.floor((lengthPx / remPx + GAP_REM) / (leastRem + GAP_REM)))
    }
    const observer = new ResizeObserver(() => {
      const columns = countIn(grid.clientWidth, CELL_REM.width)
      const rows = countIn(grid.clientHeight, CELL_REM.height)
      setCells((before) => (before.columns === columns && before.rows === rows ? before : { columns, rows }))
    })
    observer.observe(grid)
    return () => observer.disconnect()
  }, [grid])
  return { ...cells, gridRef: setGrid }
}

type Keys = { onLeave: () => void; onTurn: (by: 1 | -1) => void }

export function useBoardKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const hear = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current.onLeave()
      if (key === 'ArrowRight') latest.current.onTurn(1)
      if (key === 'ArrowLeft') latest.current.onTurn(-1)
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

/** Keeps the screen on, where the browser lets us: it lets go whenever the page is hidden. */
export function useScreenOn(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isLeft = false
    const keep = async () => {
      if (document.hidden) return
      // A refusal is the system's to make: a battery is low, or the address is plain HTTP.
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
      if (isLeft) await lock?.release()
    }
    const keepOn = () => void keep()
    keepOn()
    document.addEventListener('visibilitychange', keepOn)
    return () => {
      isLeft = true
      document.removeEventListener('visibilitychange', keepOn)
      void lock?.release()
    }
  }, [])
}
