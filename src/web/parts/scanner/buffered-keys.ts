import type { Fields, TextField } from './field-signs.ts'

/** Keys of the newest burst in a field of a form. */
export type KeyBuffer = {
  /** Before a key of a burst writes anything. */
  begin: (target: EventTarget | null) => void
  /** A label was read: the box stands as the form knows it. */
  drop: () => void
  /** A hand typed it: the form hears it at once. */
  flush: () => void
}

/**
 * Buffers in a box what the keys of a burst write there: a form is drawn for a hand's key, not for each of a label's. A
 * press, another field or a rest of the keys ends it before anybody acts on the form.
 */
export function bufferKeys({ isTextField, writeInto }: Pick<Fields, 'isTextField' | 'writeInto'>): KeyBuffer {
  let buffer: { input: TextField; before: string; value: string } | null = null
  const take = () => {
    const taken = buffer
    buffer = null
    return taken
  }
  const flush = () => {
    const typed = take()
    if (typed && typed.value !== typed.before) writeInto(typed.input, typed.value)
  }
  const hear = (event: Event) => {
    if (!(event instanceof InputEvent) || event.inputType !== 'insertText' || buffer?.input !== event.target) return
    buffer.value = buffer.input.value
    event.stopImmediatePropagation()
  }
  window.addEventListener('input', hear, { capture: true })
  for (const type of ['pointerdown', 'focusout']) window.addEventListener(type, flush, { capture: true })
  return {
    flush,
    begin: (target) => {
      if (buffer?.input === target || !isTextField(target)) return
      flush()
      buffer = { input: target, before: target.value, value: target.value }
    },
    drop: () => {
      const read = take()
      // without an event: the form has not heard of it
      if (read)
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(read.input), 'value')?.set?.call(read.input, read.before)
    },
  }
}
