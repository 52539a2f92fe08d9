import {
  CHANGES_MARK_HEADER,
  DEVICE_HEADER,
  LAST_RECEIPT_HEADER,
  MARK_HEADER,
  TOUCH_HEADER,
} from '../../contract/endpoint.ts'
import { deviceNow } from './clock.ts'
import { findPageId } from './reloads.ts'
import { readFromDevice, writeToDevice } from './store.ts'

/** By their headers: where this device stores each of the server's marks. */
const markKeys = { [MARK_HEADER]: 'marca', [CHANGES_MARK_HEADER]: 'marca-mudancas' } as const
const LAST_RECEIPT = 'ultimo-recibo'

type Mark = { epoch: string; seq: number }

/** Its signature is the server's to check: here only which of two is the later one matters. */
export function readMark(signed: string | null): Mark | null {
  try {
    const body = (signed ?? '').split('.')[0] ?? ''
    const { epoch, seq } = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as Partial<Mark>
    return typeof epoch === 'string' && typeof seq === 'number' ? { epoch, seq } : null
  } catch {
    return null
  }
}

export const isLater = (one: Mark, other: Mark | null): boolean =>
  other === null || one.epoch !== other.epoch || one.seq > other.seq

/** Whether the server got this device's last receipt since its last silence. */
let isLastNamed = false

/** The next answer may come from another database. */
export const noteSilence = (): void => {
  isLastNamed = false
}

/** Keeps the receipt of the last answer: a server of its epoch knows the act, or works on a fork. */
export function keepLastReceipt(signed: string | undefined): void {
  if (signed !== undefined) writeToDevice(LAST_RECEIPT, signed)
}

/** How far this device has seen the server's database come. */
export function keepMarks(headers: Headers): void {
  if (headers.has(MARK_HEADER)) isLastNamed = true
  for (const [header, key] of Object.entries(markKeys)) {
    const signed = headers.get(header)
    const mark = readMark(signed)
    // A full or forbidden storage costs a witness, nothing else.
    if (signed !== null && mark !== null && isLater(mark, readMark(readFromDevice(key)))) writeToDevice(key, signed)
  }
}

export function markHeaders(): Record<string, string> {
  const marks = Object.entries(markKeys).map(([header, key]) => [header, readFromDevice(key)])
  const last = isLastNamed ? null : readFromDevice(LAST_RECEIPT)
  return {
    ...Object.fromEntries(marks.filter(([, signed]) => signed !== null)),
    ...(last === null ? {} : { [LAST_RECEIPT_HEADER]: last }),
  }
}

/** Null until the queue was read. */
let waitingHere: number | null = null

export const noteWaiting = (count: number): void => {
  waitingHere = count
}

/** This device's report, which an administrator sees under 'Sistema'. */
export function deviceHeader(): Record<string, string> {
  const page = findPageId()
  return waitingHere === null || page === null ? {} : { [DEVICE_HEADER]: `${page};${waitingHere}` }
}

const TOUCH = 'toque'
const TOLD_EVERY_MS = 60_000
const SECONDS_MAX = 9_999_999
let toldAtMs = Number.NEGATIVE_INFINITY
let isBoardShown = false

/** Somebody is there, at any tab of this device. */
export const noteTouch = (): void => void writeToDevice(TOUCH, String(deviceNow()))

/** A board is nobody's to touch: while it is shown somebody is taken to be there. */
export const noteBoard = (isShown: boolean): void => {
  isBoardShown = isShown
}

/** For how long nobody has been there; empty where the server heard so within the last minute, or nobody has been yet. */
export function touchHeader(): Record<string, string> {
  if (isBoardShown) noteTouch()
  const touchedAt = Number(readFromDevice(TOUCH) ?? Number.NaN)
  if (Number.isNaN(touchedAt) || performance.now() - toldAtMs < TOLD_EVERY_MS) return {}
  const seconds = Math.floor((deviceNow() - touchedAt) / 1000)
  return { [TOUCH_HEADER]: String(Math.min(Math.max(seconds, 0), SECONDS_MAX)) }
}

/** Not before an answer: what had none must be told again. */
export const noteTouchTold = (): void => {
  toldAtMs = performance.now()
}
