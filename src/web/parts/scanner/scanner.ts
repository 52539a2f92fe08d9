import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { isBadge } from '../../../domain/people/badges.ts'
import { badgeWithin } from '../../../domain/text/badge-texts.ts'
import { UNREADABLE, unmarked, withoutSigns } from '../../../domain/text/frames.ts'

/** No hand types 22 keys this fast; scanners send one every 1 to 50 ms, and the browser's clock adds a little. */
export const KEY_GAP_MS_MAX = 55
/** Without a key for as long, a scanner has said all. */
export const REST_MS = 80
/** The Enter or Tab after the last character may lag a little more than the characters do. */
const SUFFIX_GAP_MS_MAX = 300
/** The same code within this time is the same scan: a trigger held a little too long. */
const REPEAT_MS = 2000

/** Times are milliseconds of any clock that only goes forward. */
export type Scanner = {
  typed: string
  lastKeyAt: number
  /** The last key that came too fast for a hand. */
  burstAt: number
  lastCode: string
  lastCodeAt: number
  /** A code has been reported and the key that ends it has not come yet. */
  awaitsSuffix: boolean
  /** Characters of the code reported after a pause. Keys pressed in time may still be heard late, and then continue it. */
  rested: string
  /** What the reader of this device puts around each label. */
  signs: string
}

export const idleScanner: Scanner = {
  typed: '',
  lastKeyAt: Number.NEGATIVE_INFINITY,
  burstAt: Number.NEGATIVE_INFINITY,
  lastCode: '',
  lastCodeAt: Number.NEGATIVE_INFINITY,
  awaitsSuffix: false,
  rested: '',
  signs: '',
}

export type Step = {
  scanner: Scanner
  /** The key belongs to the scan and must reach nothing else. */
  swallow: boolean
  /** A code was read. A repeated one is not `fresh`: show it, do nothing else. `typed`: with all that came around it. */
  code: { text: string; fresh: boolean; typed: string } | null
}

/** Finds the code that a burst of keys spells; null: none. */
export type WholeOf = (typed: string, signs?: string) => string | null

/** What a label says. A badge and an item's code are whole as they are, whatever the reader of this device was found to add. */
function textOf(label: string, signs = ''): string {
  const text = unmarked(label)
  return isBadge(text) || (text.length === BARCODE_LENGTH && /^\w+$/.test(text))
    ? text
    : unmarked(withoutSigns(text, signs))
}

/** The 22 characters of an item, or a badge. A trigger that fires twice without a pause has read the same code once. */
export const barcodeIn: WholeOf = (label, signs) => {
  const typed = textOf(label, signs)
  // its stop mark is still to come
  if (typed.startsWith('*')) return null
  if (isBadge(typed) || (typed.includes(UNREADABLE) && typed.length >= READING_LENGTH_MIN)) return typed
  const text = typed.slice(0, BARCODE_LENGTH)
  const times = typed.length / BARCODE_LENGTH
  return times >= 1 && typed === text.repeat(Math.floor(times)) ? text : null
}

/** Nobody's but a badge: for fields that take what is scanned into them. */
export const badgeIn: WholeOf = (typed) => badgeWithin(typed)

export const READING_LENGTH_MIN = 4
/** Half a label that is said twice: shorter ones may well be a lot that repeats itself. */
const DOUBLED_LENGTH_MIN = 6

/** Any label. One that came twice without a pause is one. */
export const labelIn: WholeOf = (typed, signs) => {
  const half = typed.slice(0, typed.length / 2)
  const isDoubled = half.length >= DOUBLED_LENGTH_MIN && half + half === typed && new Set(half).size > 1
  const text = textOf(isDoubled ? half : typed, signs)
  return text.trim().length >= READING_LENGTH_MIN ? text : null
}

const isSuffix = (key: string) => key === 'Enter' || key === 'Tab'

/** One key press. `key` as in KeyboardEvent; modifiers that scanners send with capitals are to be passed by. */
export function pressKey(scanner: Scanner, key: string, at: number, wholeOf: WholeOf = barcodeIn): Step {
  const gapMs = at - scanner.lastKeyAt
  if (isSuffix(key)) {
    if (scanner.awaitsSuffix && gapMs <= SUFFIX_GAP_MS_MAX) return still(forgetKeys(scanner), true)
    const read = gapMs <= REST_MS ? readCode(scanner, at, wholeOf) : null
    return read
      ? { ...read, scanner: { ...read.scanner, awaitsSuffix: false, rested: '' }, swallow: true }
      : still(forgetKeys(scanner))
  }
  const isInBurst = gapMs <= KEY_GAP_MS_MAX && scanner.typed !== ''
  // the character after a dead key may be another one than the label's
  if (key.length !== 1 && !isInBurst && key !== 'Dead') return still(forgetKeys(scanner))
  const said = key.length === 1 ? key : UNREADABLE
  const rested = wholeOf !== barcodeIn && resumes(scanner, key, at) ? scanner.rested : ''
  const typed = gapMs <= KEY_GAP_MS_MAX ? (scanner.typed || rested) + said : said
  // What was taken for whole was none, and is no repetition of itself.
  const before = rested === '' ? scanner : forgetCode(scanner)
  const burstAt = typed.length > 1 ? at : scanner.burstAt
  return still({ ...before, typed, lastKeyAt: at, burstAt, awaitsSuffix: false, rested: '' })
}

/** A whole text that came at once, as an input method or the clipboard gives it. Null: it is no code. */
export const readWhole = (scanner: Scanner, text: string, at: number, wholeOf: WholeOf = barcodeIn): Step | null => {
  const read = readCode({ ...scanner, typed: text, lastKeyAt: at, burstAt: at }, at, wholeOf)
  // the next text is another label, however soon it comes
  return read && { ...read, scanner: { ...read.scanner, rested: '' } }
}

/** Whether this key goes on with a label that was taken for whole. An item's code is whole with its 22nd character. */
export const resumes = (before: Scanner, key: string, at: number): boolean =>
  before.rested !== '' && key.length === 1 && at - before.lastKeyAt <= KEY_GAP_MS_MAX

/**
 * No key came for a while: some scanners send none after the code. An incomplete burst is kept: on a busy page the
 * next key may have been pressed in time and only be heard late.
 */
export const settle = (scanner: Scanner, wholeOf: WholeOf = barcodeIn): Step =>
  readCode(scanner, scanner.lastKeyAt, wholeOf) ?? still(scanner)

/** Whether this key may be the first of a burst. */
export const begins = (scanner: Scanner): boolean => scanner.typed.length === 1

/** Whether keys are coming too fast for a hand, so that they should not press buttons on the way. */
export const isBurst = (scanner: Scanner): boolean => scanner.typed.length > 1

/**
 * Whether this key is what a scanner sends after any label, such as one of another kind or half a code. Some send two, and
 * some stop for a moment before the last character.
 */
export const endsBurst = (before: Scanner, key: string, at: number): boolean =>
  isSuffix(key) &&
  (at - before.burstAt <= SUFFIX_GAP_MS_MAX || (before.typed.trim() !== '' && at - before.lastKeyAt <= KEY_GAP_MS_MAX))

/** For another screen, or after a code that nobody wanted: the same code is a scan of its own. */
export const forgetCode = (scanner: Scanner): Scanner => ({
  ...scanner,
  lastCode: '',
  lastCodeAt: Number.NEGATIVE_INFINITY,
})

const forgetKeys = (scanner: Scanner): Scanner => ({ ...scanner, typed: '', awaitsSuffix: false, rested: '' })
const still = (scanner: Scanner, swallow = false): Step => ({ scanner, swallow, code: null })

/** Takes the keys typed so far for a code, read at the instant `at`; null: they are none. */
function readCode(scanner: Scanner, at: number, wholeOf: WholeOf): Step | null {
  const { typed } = scanner
  const text = wholeOf(typed, scanner.signs)
  if (text === null) return null
  const fresh = text !== scanner.lastCode || at - scanner.lastCodeAt > REPEAT_MS
  const remembered = fresh ? { lastCode: text, lastCodeAt: at } : {}
  return {
    scanner: { ...scanner, ...remembered, typed: '', awaitsSuffix: true, rested: typed },
    swallow: false,
    code: { text, fresh, typed },
  }
}
