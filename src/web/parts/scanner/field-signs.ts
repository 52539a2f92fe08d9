import { preferences } from '../../device/preferences.ts'
import { idleScanner, KEY_GAP_MS_MAX, labelIn, pressKey, REST_MS, type Step, settle } from './scanner.ts'

export type TextField = HTMLInputElement | HTMLTextAreaElement

/** A text without what the reader of this device adds to a label; null: it adds nothing to this one. */
export function plainIn(typed: string): string | null {
  const plain = labelIn(typed, preferences().readerSigns)
  return plain === labelIn(typed) ? null : plain
}

/** Nobody's password is a label, whatever it begins with. */
export const takesLabels = (box: TextField): boolean => box.type !== 'password'

/** The scanner, as far as fields are concerned. */
export type Fields = {
  isOwn: (target: Element | null) => boolean
  isInForm: () => boolean
  isTextField: (target: EventTarget | null) => target is TextField
  writeInto: (input: TextField, value: string) => void
}

/** Takes the reader's signs out of a field that its keys write into, before the key that ends them does anything with it. */
export function hearFieldSigns({ isOwn, isInForm, isTextField, writeInto }: Fields): void {
  let heard = idleScanner
  let box: TextField | null = null
  let pause: ReturnType<typeof setTimeout> | undefined
  const take = ({ scanner, code }: Step) => {
    heard = scanner
    if (code && box?.value.includes(code.typed))
      writeInto(
        box,
        box.value.replace(code.typed, () => code.text),
      )
  }
  const hear = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, altKey } = event
    if (!isTextField(target) || !takesLabels(target) || (isOwn(target) && isInForm())) return
    if (ctrlKey !== altKey || !(key.length === 1 || key === 'Enter' || key === 'Tab')) return
    clearTimeout(pause)
    if (target !== box || event.timeStamp - heard.lastKeyAt > KEY_GAP_MS_MAX + REST_MS) heard = idleScanner
    box = target
    take(pressKey(heard, key, event.timeStamp, plainIn))
    pause = setTimeout(() => take(settle(heard, plainIn)), REST_MS)
  }
  window.addEventListener('keydown', hear, { capture: true })
}
