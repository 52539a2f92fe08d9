import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isBadge } from '../../../domain/people/badges.ts'
import { UNREADABLE } from '../../../domain/text/frames.ts'
import { deferred } from '../../device/deferred.ts'
import { preferences } from '../../device/preferences.ts'
import { showToast } from '../../device/toasts.ts'
import { readBadge } from './badges.ts'
import type { KeyBuffer } from './buffered-keys.ts'
import type { TextField } from './field-signs.ts'
import {
  badgeIn,
  begins,
  endsBurst,
  forgetCode,
  idleScanner,
  isBurst,
  KEY_GAP_MS_MAX,
  labelIn,
  pressKey,
  REST_MS,
  readWhole,
  resumes,
  type Step,
  settle,
} from './scanner.ts'
import { playSound } from './sounds.ts'
import type { PressedKey } from './whole-texts.ts'

/** A code that was read. One that is not fresh is the same scan once more: show it, do nothing else. */
type Code = NonNullable<Step['code']>
/** `ownField`: what is scanned into it is heard as well. */
type Listener = {
  hear: (code: Code) => void
  ownField: RefObject<HTMLElement | null>
  /** Of a form, which hears any label in all of its fields; `onFirstKey` comes before that key has done anything. */
  form?: { onFirstKey: () => void; onResume: () => void }
  /** The shell's: hears any label where no screen listens. */
  isStray?: boolean
}

const writtenField = 'input:not([type=radio], [type=checkbox], [type=button], [readonly]), textarea'
const textField = `${writtenField}, select, [contenteditable=true]`

/** Who wants codes: a screen, and a dialog of it that has fields of its own; the newest hears. */
let listeners: readonly Listener[] = []
let listener: Listener | null = null
/** Read where nobody listened yet: the shell's listener comes a moment after the first screen. */
let unheard: { code: Code; at: number } | null = null
let scanner = idleScanner
let isBurstOn = false

/** While keys come too fast for a hand: what they write may be taken back. */
export const isReading = (): boolean => isBurstOn

/** Whoever read it has gone on to something else by then. */
const UNHEARD_MS_MAX = 10_000

/** A timer that comes later than this was held up by the page, and keys as well. */
const LATE_MS = 20

const isTextField = (target: EventTarget | null): target is TextField =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.matches(writtenField)

/** The others are judged, and left, by each digit. */
const takesCodes = (target: Element | null): boolean =>
  target instanceof HTMLInputElement && target.autocapitalize === 'characters'

/** As if it had been typed: React compares with what it wrote itself. */
function writeInto(input: TextField, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Said of what a reader sends that no label says. */
const UNREADABLE_TEXT = "O leitor manda sinais que não são da etiqueta. Veja 'Configurar o leitor' no manual."

/** Keys that scanners send around a label: start, end and separators of its text, as control characters. */
const marksByControl = /^[bcijm]$/i

/** The key as a burst hears it; null: it says nothing there. */
function heardKey(event: KeyboardEvent): string | null {
  const { key, ctrlKey, altKey, metaKey } = event
  // an input method says its text itself
  if (event.repeat || /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Unidentified|Process)$/.test(key)) return null
  // the code of a character on the number pad, which says itself; both together are AltGr
  if (altKey !== ctrlKey || metaKey) return ctrlKey && !metaKey && !marksByControl.test(key) ? 'Control' : null
  return key
}

/** Takes a badge out of the text field that it is scanned into: it is nobody's text, and no draft's. */
function makeFieldWatch() {
  let heard = idleScanner
  let before: { input: TextField; value: string } | null = null
  let pause: ReturnType<typeof setTimeout> | undefined
  const takeBack = () => {
    if (!before) return
    writeInto(before.input, before.value)
    before = null
  }
  const take = (step: Step): boolean => {
    heard = step.scanner
    if (!step.code || listener?.form) return false
    takeBack()
    void readBadge(step.code.text)
    return true
  }
  return {
    takeBack,
    hear(event: Event, key: string, input: TextField, at: number) {
      clearTimeout(pause)
      if (at - heard.lastKeyAt > KEY_GAP_MS_MAX && key.length === 1) before = { input, value: input.value }
      const isTaken = take(pressKey(heard, key, at, badgeIn))
      if (isTaken) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
      pause = setTimeout(() => take(settle(heard, badgeIn)), REST_MS)
    },
  }
}

/** Heard a moment after keys are: no hand is as quick with a form as its page. */
const wholeTexts = deferred(async () => (await import('./whole-texts.ts')).hearWholeTexts, { warm: ['soon'] })

const isOwn = (target: Element | null): boolean =>
  target !== null && Boolean(listener?.ownField.current?.contains(target))
const hearsLabels = (): boolean => !listener || listener.isStray === true || listener.form !== undefined
const wholeOf = () => (hearsLabels() ? labelIn : undefined)
/** The signs may have been taught, or forgotten, since the last key. */
const withSigns = () => ({ ...scanner, signs: preferences().readerSigns })
const field = makeFieldWatch()
let buffer: KeyBuffer | null = null
let pause: ReturnType<typeof setTimeout> | undefined

function takeBadge(code: string): void {
  field.takeBack()
  forgetReading()
  void readBadge(code)
}

function take(step: Step): void {
  scanner = step.scanner
  if (!step.code) return
  isBurstOn = false
  // a form takes a label back from the box itself; in any other box what was read stands there
  if (listener?.form) buffer?.drop()
  else buffer?.flush()
  // a form says itself what it cannot take, takes a badge out of its own field and knows it by its kind
  if (step.code.text.includes(UNREADABLE) && !listener?.form) {
    playSound('bad')
    showToast({ kind: 'error', text: UNREADABLE_TEXT })
  } else if (isBadge(step.code.text) && !listener?.form) takeBadge(step.code.text)
  else if (listener) listener.hear(step.code)
  else {
    unheard = { code: step.code, at: performance.now() }
    forgetReading()
  }
}

function rest(): void {
  const restMs = hearsLabels() ? REST_MS : KEY_GAP_MS_MAX + 10
  const dueAt = performance.now() + restMs
  pause = setTimeout(() => {
    // An item's code is whole or not, however late it is looked at; 'Não' must not come before it.
    if (hearsLabels() && performance.now() - dueAt > LATE_MS) return rest()
    isBurstOn = false
    take(settle(scanner, wholeOf()))
    buffer?.flush()
  }, restMs)
}

/** `at`: when it was pressed, which is before a busy page hears of it. */
function hearKey(event: Event, key: string, at = event.timeStamp): void {
  const target = event.target instanceof Element ? event.target : null
  if (isTextField(target)) field.hear(event, key, target, at)
  if (!isOwn(target) && target?.closest(textField)) return
  clearTimeout(pause)
  scanner = withSigns()
  // the page was too busy for its timer
  if (at - scanner.lastKeyAt >= REST_MS) take(settle(scanner, wholeOf()))
  if (listener?.form && resumes(scanner, key, at)) listener.form.onResume()
  const step = pressKey(scanner, key, at, wholeOf())
  const isWritten = isOwn(target) && Boolean(target?.closest(writtenField))
  const isStray = isBurst(step.scanner) || endsBurst(scanner, key, at)
  isBurstOn = isBurst(step.scanner)
  // neither this key nor what came before it is a label's; a key that says no character moves the cursor, or takes something away
  if ((!isBurstOn || key.length > 1) && !step.code) buffer?.flush()
  if (isOwn(target) && (isBurstOn || (listener?.form && begins(step.scanner) && takesCodes(target))))
    buffer?.begin(target)
  const isHeld =
    isBurstOn && key.length === 1 && buffer?.write(target, key, labelIn(step.scanner.typed, scanner.signs) !== null)
  if (step.swallow || (!isWritten && isStray)) {
    event.preventDefault()
    event.stopImmediatePropagation()
  } else if (isHeld) {
    event.preventDefault()
    // the signs that a reader adds are looked for in the box of a search, with what comes after this
    event.stopPropagation()
  }
  if (begins(step.scanner)) listener?.form?.onFirstKey()
  take(step)
  rest()
}

/**
 * Hears a scanner wherever the focus is, except in a text field that is not the screen's own: what is scanned there belongs
 * to that field. On every screen, also on those that want no codes, neither a label's characters nor the key that ends it
 * press anything. To be called before any screen listens to keys, with those that were pressed before.
 */
export function startScanner(keys: readonly KeyboardEvent[]): void {
  let lastKey: PressedKey | null = null
  /** Keys that the page never saw go down. */
  const taken = new Set<string>()
  const hear = (event: KeyboardEvent) => {
    const key = heardKey(event)
    lastKey = { isSaid: event.key.length === 1 && event.altKey === event.ctrlKey, at: event.timeStamp }
    // A held key repeats as fast as a scanner types; capitals come with a Shift of their own.
    if (key === null || (key === 'Control' && event.timeStamp - scanner.lastKeyAt > KEY_GAP_MS_MAX)) return
    hearKey(event, key)
    if (event.defaultPrevented) taken.add(event.key)
    else taken.delete(event.key)
  }
  const release = (event: KeyboardEvent) => {
    if (taken.delete(event.key)) event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', hear, { capture: true })
  window.addEventListener('keyup', release, { capture: true })
  window.onkeydown = null
  keys.forEach(hear)
  void wholeTexts.load().then(
    (hearWholeTexts) => {
      buffer = hearWholeTexts({
        ...{ isOwn, take, takeBadge, hearKey, isTextField, writeInto },
        lastKey: () => lastKey,
        isInForm: () => Boolean(listener?.form),
        onFirstKey: () => listener?.form?.onFirstKey(),
        onBurst: (isOn) => {
          isBurstOn = isOn
        },
        read: (text, at) => readWhole(withSigns(), text, at, wholeOf()),
      })
    },
    () => undefined,
  )
}

/** The last code was refused: read again, however soon, it is a scan of its own, as what was in its way may be gone. */
export function forgetReading(): void {
  scanner = forgetCode(scanner)
}

/** What the screen does with a code. */
export function useScanner(
  onCode: (code: string, isFresh: boolean) => void,
  ownField: RefObject<HTMLElement | null>,
): void {
  const hear = useEffectEvent(({ text, fresh }: Code) => onCode(text, fresh))
  useEffect(() => listen({ hear: (code) => hear(code), ownField }), [ownField])
}

const noField = { current: null }

/** What the shell does with a label that no screen and no field takes. */
export function useStrayReadings(onReading: (code: Code) => void): void {
  const hear = useEffectEvent(onReading)
  useEffect(() => {
    const leave = listen({ hear: (code) => hear(code), ownField: noField, isStray: true })
    if (unheard && performance.now() - unheard.at < UNHEARD_MS_MAX) hear(unheard.code)
    unheard = null
    return leave
  }, [])
}

/** Until the returned function is called, or a newer listener comes. */
export function listen(mine: Listener): () => void {
  const hearNewest = (all: readonly Listener[]) => {
    listeners = all
    listener = all.at(-1) ?? null
  }
  hearNewest(mine.isStray ? [mine, ...listeners] : [...listeners, mine])
  forgetReading()
  return () => hearNewest(listeners.filter((one) => one !== mine))
}
