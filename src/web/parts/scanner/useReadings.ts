import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Step } from './scanner.ts'
import { listen } from './useScanner.ts'

type Readings<Standing> = {
  /** What is typed, before the first key of a reading has done anything. */
  hold: () => Standing
  /** Takes what is typed back to that. */
  restore: (before: Standing) => void
  /** Nothing is taken back yet; null: its first key came to another listener. */
  onReading: (code: NonNullable<Step['code']>, before: Standing | null) => void
}

/** What a form does with any label that is read while it is there, also into one of its fields. */
export function useReadings<Standing>(root: RefObject<HTMLElement | null>, readings: Readings<Standing>): void {
  const before = useRef<Standing>(null)
  /** Of the reading before, which a key may still go on with. */
  const last = useRef<Standing>(null)
  const begin = useEffectEvent(() => {
    before.current = readings.hold()
  })
  const resume = useEffectEvent(() => {
    before.current = last.current
    flushSync(() => last.current !== null && readings.restore(last.current))
  })
  const hear = useEffectEvent((code: NonNullable<Step['code']>) => {
    last.current = before.current
    before.current = null
    readings.onReading(code, last.current)
  })
  useEffect(
    () =>
      listen({
        hear: (code) => hear(code),
        ownField: root,
        form: { onFirstKey: () => begin(), onResume: () => resume() },
      }),
    [root],
  )
}
