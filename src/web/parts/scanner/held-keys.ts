import type { Fields, TextField } from './field-signs.ts'

/** Of the newest burst in a field of a form. */
export type HeldKeys = {
  /** Before a key of a burst writes anything. */
  begin: (target: EventTarget | null) => void
  /** A label was read: the box stands as the form knows it. */
  drop: () => void
  /** A hand typed it: the form hears it at once. */
  letGo: () => void
}

/**
 * Keeps what the keys of a burst write in their box alone: a form is drawn for a hand's key, not for each of a label's. A
 * press, another field or a rest of the keys ends it before anybody acts on the form.
 */
export function holdKeys({ isTextField, writeInto }: Pick<Fields, 'isTextField' | 'writeInto'>): HeldKeys {
  let held: { input: TextField; before: string; value: string } | null = null
  const letGo = () => {
    const kept = held
    held = null
    if (kept && kept.value !== kept.before) writeInto(kept.input, kept.value)
  }
  const hear = (event: Event) => {
    if (!(event instanceof InputEvent) || event.inputType !== 'insertText' || held?.input !== event.target) return
    held.value = held.input.value
    event.stopImmediatePropagation()
  }
  window.addEventListener('input', hear, { capture: true })
  for (const type of ['pointerdown', 'focusout']) window.addEventListener(type, letGo, { capture: true })
  return {
    letGo,
    begin: (target) => {
      if (held?.input === target || !isTextField(target)) return
      letGo()
      held = { input: target, before: target.value, value: target.value }
    },
    drop: () => {
      const kept = held
      held = null
      // without an event: the form has not heard of it
      if (kept)
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(kept.input), 'value')?.set?.call(kept.input, kept.before)
    },
  }
}
