import { type RefObject, useEffect, useEffectEvent } from 'react'
import { endsBurst, forgetCode, idleScanner, isBurst, KEY_GAP_MS_MAX, pressKey, type Step, settle } from './scanner.ts'

/** A code that was read. One that is not fresh is the same scan once more: show it, do nothing else. */
type Code = NonNullable<Step['code']>
/** `ownField`: what is scanned into it is heard as well. */
type Listener = { hear: (code: Code) => void; ownField: RefObject<HTMLElement | null> }

const textField = 'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable=true]'

/** The screen that wants codes: there is one screen at a time. */
let listener: Listener | null = null
let scanner = idleScanner

/**
 * Hears a scanner wherever the focus is, except in a text field that is not the screen's own: what is scanned there belongs
 * to that field. On every screen, also on those that want no codes, neither a label's characters nor the key that ends it
 * press anything. To be called before any screen listens to keys.
 */
export function startScanner(): void {
  let pause: ReturnType<typeof setTimeout> | undefined
  const take = (step: Step) => {
    scanner = step.scanner
    if (!step.code) return
    if (listener) listener.hear(step.code)
    else scanner = forgetCode(scanner)
  }
  const hear = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null
    const isOwn = target !== null && target === listener?.ownField.current
    if (!isOwn && target?.closest(textField)) return
    // A held key repeats as fast as a scanner types; capitals come with a Shift of their own.
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.key === 'Shift') return
    clearTimeout(pause)
    const step = pressKey(scanner, event.key, event.timeStamp)
    const isStray = isBurst(step.scanner) || endsBurst(scanner, event.key, event.timeStamp)
    if (step.swallow || (!isOwn && isStray)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    take(step)
    pause = setTimeout(() => take(settle(scanner, performance.now())), KEY_GAP_MS_MAX + 10)
  }
  window.addEventListener('keydown', hear, { capture: true })
}

/** What the screen does with a code. */
export function useScanner(
  onCode: (code: string, isFresh: boolean) => void,
  ownField: RefObject<HTMLElement | null>,
): void {
  const hear = useEffectEvent(({ text, fresh }: Code) => onCode(text, fresh))
  useEffect(() => {
    const mine = { hear: (code: Code) => hear(code), ownField }
    listener = mine
    scanner = forgetCode(scanner)
    return () => {
      if (listener === mine) listener = null
    }
  }, [ownField])
}
