import { type RefObject, useEffect, useEffectEvent } from 'react'
import { idleScanner, isBurst, KEY_GAP_MS_MAX, pressKey, type Step, settle } from './scanner.ts'

type Listener = (code: string, fresh: boolean) => void

const textField = 'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable=true]'

/**
 * Hears a scanner wherever the focus is, except in a text field other than `ownField`: what is scanned there belongs
 * to that field.
 */
export function useScanner(onCode: Listener, ownField: RefObject<HTMLElement | null>): void {
  const report = useEffectEvent((step: Step) => {
    if (step.code) onCode(step.code.text, step.code.fresh)
  })
  useEffect(() => {
    let scanner = idleScanner
    let pause: ReturnType<typeof setTimeout> | undefined
    const take = (step: Step) => {
      scanner = step.scanner
      report(step)
    }
    const hear = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      const isOwn = target !== null && target === ownField.current
      if (!isOwn && target?.closest(textField)) return
      // A held key repeats as fast as a scanner types; capitals come with a Shift of their own.
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.key === 'Shift') return
      clearTimeout(pause)
      const step = pressKey(scanner, event.key, event.timeStamp)
      if (step.swallow || (!isOwn && isBurst(step.scanner))) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
      take(step)
      pause = setTimeout(() => take(settle(scanner, performance.now())), KEY_GAP_MS_MAX + 10)
    }
    window.addEventListener('keydown', hear, { capture: true })
    return () => {
      clearTimeout(pause)
      window.removeEventListener('keydown', hear, { capture: true })
    }
  }, [ownField])
}
