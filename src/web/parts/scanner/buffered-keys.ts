import type { Fields, TextField } from './field-signs.ts'

/** The newest keys in a field of a form, as many as may be of one burst. */
export type KeyBuffer = {
  /** Before a key that may be a label's writes anything. */
  begin: (target: EventTarget | null) => void
  /**
   * In place of the browser, which takes an old tablet 15 ms for each. `isSure`: of a label. False: it is the browser's to write, as
   * nothing is buffered in that box, or it may be a hand's.
   */
  write: (target: EventTarget | null, character: string, isSure: boolean) => boolean
  /** A label was read: the box stands as the form knows it. */
  drop: () => void
  /** A hand typed it: the form hears it at once. */
  flush: () => void
}

/** Writes a text where the cursor stands, as far as the box has room, and leaves the cursor behind it. */
export function insertInto(input: TextField, text: string, writeInto: Fields['writeInto']): void {
  const { value, maxLength, selectionStart, selectionEnd } = input
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  const room = maxLength < 0 ? text : text.slice(0, Math.max(0, maxLength - value.length + to - from))
  writeInto(input, `${value.slice(0, from)}${room}${value.slice(to)}`)
  input.setSelectionRange(from + room.length, from + room.length)
}

type Buffer = {
  input: TextField
  before: string
  /** As the form knows it. */
  known: string
  value: string
  unwritten: string
  unshield: () => void
}

/** Keeps what a form writes as it is drawn, which knows nothing of these keys, from the box. Returns what ends it. */
function shield(input: TextField, onWritten: (value: string) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(input, 'value')
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')
  Object.defineProperty(input, 'value', {
    configurable: true,
    get: () => native?.get?.call(input),
    set: onWritten,
  })
  return () => {
    if (own) Object.defineProperty(input, 'value', own)
    else Reflect.deleteProperty(input, 'value')
  }
}

/**
 * Buffers in a box what keys write there until they rest: a form is drawn once for a label, and not in the frame of a hand's
 * key. Characters of what can only be a label are not written at all. A press, another field or a rest of the keys ends it
 * before anybody acts on the form. What was typed takes the place of what the form has written meanwhile.
 */
export function bufferKeys({ isTextField, writeInto }: Pick<Fields, 'isTextField' | 'writeInto'>): KeyBuffer {
  let buffer: Buffer | null = null
  const take = () => {
    const taken = buffer
    buffer = null
    taken?.unshield()
    return taken
  }
  /** Without an event: the form has not heard of the keys. */
  const drop = () => {
    const read = take()
    if (read && read.input.value !== read.known) read.input.value = read.known
  }
  const flush = () => {
    if (buffer?.unwritten === '' && buffer.value === buffer.before) return drop()
    const typed = take()
    if (!typed) return
    if (typed.unwritten === '') writeInto(typed.input, typed.value)
    else insertInto(typed.input, typed.unwritten, writeInto)
  }
  const hear = (event: Event) => {
    if (buffer?.input !== event.target) return
    // a hand has taken something away: the form hears of all that stands there
    if (!(event instanceof InputEvent) || event.inputType !== 'insertText') return void take()
    buffer.value = buffer.input.value
    event.stopImmediatePropagation()
  }
  window.addEventListener('input', hear, { capture: true })
  for (const type of ['pointerdown', 'focusout']) window.addEventListener(type, flush, { capture: true })
  return {
    flush,
    drop,
    begin: (target) => {
      if (buffer?.input === target || !isTextField(target)) return
      flush()
      const { value } = target
      const unshield = shield(target, (written) => {
        begun.known = written
      })
      const begun: Buffer = { input: target, before: value, known: value, value, unwritten: '', unshield }
      buffer = begun
    },
    write: (target, character, isSure) => {
      if (buffer?.input !== target || !(isSure || buffer.unwritten !== '')) return false
      buffer.unwritten += character
      return true
    },
  }
}
