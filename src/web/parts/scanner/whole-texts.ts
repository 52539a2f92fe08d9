import { badgeWithin } from '../../../domain/text/badge-texts.ts'
import { UNREADABLE } from '../../../domain/text/frames.ts'
import { scannedReason } from '../../../domain/text/printed-reasons.ts'
import { bufferKeys, insertInto, type KeyBuffer } from './buffered-keys.ts'
import { type Fields, hearFieldSigns, plainIn, type TextField, takesLabels } from './field-signs.ts'
import { READING_LENGTH_MIN, type Step } from './scanner.ts'

/** `isSaid`: it says its character itself, which keys of an input method and of the number pad do not. */
export type PressedKey = { isSaid: boolean; at: number }

/** The scanner, as texts that come at once are brought to it. */
type Hearing = Fields & {
  lastKey: () => PressedKey | null
  hearKey: (event: Event, key: string, at: number) => void
  onFirstKey: () => void
  onBurst: (isOn: boolean) => void
  /** Null: it is no code. */
  read: (text: string, at: number) => Step | null
  take: (step: Step) => void
  takeBadge: (code: string) => void
}

/** Of quantities and readings; a label's code of digits is longer. */
const FIGURE_LENGTH_MAX = 7

/** Whether a text is a number that its box asks for: pasted, or sent by an instrument, and no label. */
const isFigureOf = (box: TextField, text: string): boolean =>
  /^(none|numeric|decimal)$/.test(box.inputMode) && text.length <= FIGURE_LENGTH_MAX && /^\d+([.,]\d+)?$/.test(text)

/** Words, which no label of the plant is: those have a digit, or are a printed reason. */
const isWords = (text: string): boolean => !/^\S*\d\S*$/.test(text) && scannedReason(text) === null

/** Whether a text is what its box of sentences asks for; what is pasted there a person has chosen. */
const isSentenceOf = (box: TextField, text: string, isPasted: boolean): boolean =>
  box.autocapitalize === 'sentences' && (isPasted || isWords(text.trim())) && badgeWithin(text) === null

/** STX, ETX, tab and line ends, which readers put around a label: as keys they are passed by, too. */
const MARKS = '[\\u0002\\u0003\\t\\r\\n]+'
const marksAround = new RegExp(`^${MARKS}|${MARKS}$`, 'g')

/** A separator within a label is a key that says no character. */
const asKeysSayIt = (text: string): string => text.replace(/\p{Cc}/gu, UNREADABLE)

/** A text as its box gets it that no screen has read: a label without what this device's reader adds, words as they are. */
function plainOf(box: TextField, text: string): string {
  if (!takesLabels(box) || isWords(text.trim())) return text
  const label = text.replace(marksAround, '')
  return plainIn(label) ?? label
}

const isLabelIn = (box: TextField, text: string, isPasted = false): boolean =>
  text.trim().length >= READING_LENGTH_MIN && !isFigureOf(box, text) && !isSentenceOf(box, text, isPasted)

/** Of an input method, or chosen by a person: pasted, dropped, or taken from what a keyboard suggests in its place. */
const insertions = /^insert(Text|FromPaste|FromDrop|ReplacementText)$/

/** Hears characters that no key has said; where no field has the cursor, one of the number pad is said by 'keypress' alone. */
function hearCharacters({ lastKey, hearKey, isTextField }: Hearing): (event: UIEvent, sign: string) => void {
  let spoken: PressedKey | null = null
  const hear = (event: UIEvent, sign: string) => {
    const key = lastKey()
    // its text comes later than its key to a busy page
    const at = key === null || key === spoken ? event.timeStamp : key.at
    spoken = key
    hearKey(event, sign, at)
  }
  const hearPressed = (event: KeyboardEvent) => {
    const isSaid = lastKey()?.isSaid ?? true
    if (event.key.length === 1 && !isSaid && !isTextField(event.target)) hear(event, event.key)
  }
  window.addEventListener('keypress', hearPressed, { capture: true })
  return hear
}

/** Hears texts of input methods and of the clipboard: one of a label's length is a reading, as if keys had said it. */
export function hearWholeTexts(scanner: Hearing): KeyBuffer {
  const { isOwn, isTextField, writeInto } = scanner
  /** False: it stays where it was written. */
  const readText = (event: Event, input: TextField | null, text: string, takeBack: () => void): boolean => {
    const badge = badgeWithin(text)
    const isHeard = input === null || isOwn(input)
    if (badge !== null && !(isHeard && scanner.isInForm())) {
      takeBack()
      scanner.takeBadge(badge)
      return true
    }
    const label = asKeysSayIt(text.replace(marksAround, ''))
    const step = isHeard ? scanner.read(label, event.timeStamp) : null
    if (!step) return false
    takeBack()
    scanner.take(step)
    return true
  }
  const hearCharacter = hearCharacters(scanner)
  const hearInput = (event: InputEvent) => {
    const { target, inputType, data } = event
    if (!isTextField(target) || !insertions.test(inputType)) return
    const text = data ?? event.dataTransfer?.getData('text/plain') ?? ''
    if (text.length === 1 && !scanner.lastKey()?.isSaid) return hearCharacter(event, text)
    if (!isLabelIn(target, text, inputType !== 'insertText')) return
    if (isOwn(target)) scanner.onFirstKey()
    const isRead = readText(event, target, text, () => {})
    if (isRead) return event.preventDefault()
    const plain = inputType === 'insertText' || isOwn(target) ? plainOf(target, text) : text
    if (plain !== text) {
      event.preventDefault()
      insertInto(target, plain, writeInto)
    }
    // nothing is appended to what was read before
    if (isOwn(target) && inputType === 'insertText') target.select()
  }
  window.addEventListener('beforeinput', hearInput, { capture: true })
  /** Where nothing can be written, with the cursor nowhere or in a box that only a list fills, 'textInput' alone says a text. */
  const hearElsewhere = (event: Event) => {
    const { target } = event
    const { data } = event as CompositionEvent
    if (isTextField(target) || data.trim().length < READING_LENGTH_MIN) return
    scanner.onFirstKey()
    readText(event, null, data, () => {})
  }
  window.addEventListener('textInput', hearElsewhere, { capture: true })
  hearFieldSigns(scanner)
  hearCompositions(scanner, (event, input, text, before) => {
    if (readText(event, input, text, () => writeInto(input, before))) return
    const plain = plainOf(input, text)
    const replaced = isOwn(input) ? plain : input.value.replace(text, () => plain)
    if (isOwn(input) || plain !== text) writeInto(input, replaced)
  })
  return bufferKeys(scanner)
}

/** `before`: what stood in the field. */
type OnWhole = (event: CompositionEvent, input: TextField, text: string, before: string) => void

/** A composition that begins and ends as one text of a label's length is a reading; one that grows letter by letter is a hand's. */
function hearCompositions({ isTextField, isOwn, onFirstKey, onBurst }: Hearing, onWhole: OnWhole): void {
  let before = ''
  let whole: string | null = ''
  const on = (name: string, hear: (event: CompositionEvent, target: TextField) => void) => {
    const hearField = (event: Event) => isTextField(event.target) && hear(event as CompositionEvent, event.target)
    window.addEventListener(name, hearField, { capture: true })
  }
  on('compositionstart', (_, target) => {
    before = target.value
    whole = ''
    if (isOwn(target)) onFirstKey()
  })
  on('compositionupdate', ({ data }) => {
    whole = whole === '' && data.length >= READING_LENGTH_MIN ? data : whole === data ? whole : null
    onBurst(whole !== null)
  })
  on('compositionend', (event, target) => {
    const text = event.data
    const isWhole = isLabelIn(target, text) && (whole === text || whole === '')
    onBurst(false)
    if (isWhole) onWhole(event, target, text, before)
  })
}
