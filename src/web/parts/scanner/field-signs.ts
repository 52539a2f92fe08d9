import { preferences } from '../../device/preferences.ts'
import { idleScanner, KEY_GAP_MS_MAX, labelIn, pressKey, REST_MS, type Step, settle, type WholeOf } from './scanner.ts'

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

/** No hand says as many keys so fast, and the key that ends them. */
const QUICK_LENGTH_MIN = 8

/**
 * Takes the reader's signs out of a field that its keys write into, before the key that ends them does anything with it. In the box of
 * a search the label takes the place of what stood there.
 */
export function hearFieldSigns({ isOwn, isInForm, isTextField, writeInto }: Fields): void {
  let heard = idleScanner
  let box: TextField | null = null
  let pause: ReturnType<typeof setTimeout> | undefined
  const take = ({ scanner, code }: Step) => {
    heard = scanner
    if (!code || !box?.value.includes(code.typed)) return
    const isSought = isOwn(box) && code.typed.length >= QUICK_LENGTH_MIN && box.value.endsWith(code.typed)
    writeInto(box, isSought ? code.text : box.value.replace(code.typed, () => code.text))
  }
  const labelOf: WholeOf = (typed) =>
    plainIn(typed) ?? (isOwn(box) && typed.length >= QUICK_LENGTH_MIN ? labelIn(typed) : null)
  const hear = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, altKey } = event
    if (!isTextField(target) || !takesLabels(target) || (isOwn(target) && isInForm())) return
    if (ctrlKey !== altKey || !(key.length === 1 || key === 'Enter' || key === 'Tab')) return
    clearTimeout(pause)
    if (target !== box || event.timeStamp - heard.lastKeyAt > KEY_GAP_MS_MAX + REST_MS) heard = idleScanner
    box = target
    take(pressKey(heard, key, event.timeStamp, labelOf))
    pause = setTimeout(() => take(settle(heard, plainIn)), REST_MS)
  }
  window.addEventListener('keydown', hear, { capture: true })
}
