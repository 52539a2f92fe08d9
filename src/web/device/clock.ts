/** The `Date` of an answer leaves the part of a second out. */
const DATE_STEP_MS = 1000
let serverAheadMs = 0
let isServerClockKnown = false

/** This device's own clock, for what only this device measures. */
export const deviceNow = (): number => Date.now()

/** The server's clock: a tablet's own may be days off. */
export const serverNow = (): number => Date.now() + serverAheadMs

/** False until the server has answered this page: `serverNow` is the device's own clock then. */
export const knowsServerClock = (): boolean => isServerClockKnown

/**
 * Sets the clock by an answer's date and the instant its request left this device; all in epoch milliseconds. A clock that fits the
 * answer stays as it is, so that acts with an answer between them keep their order.
 */
export function noteServerDate(serverDate: number, sentAt: number): void {
  const least = serverDate - Date.now()
  const most = serverDate + DATE_STEP_MS - sentAt
  serverAheadMs = isServerClockKnown ? Math.min(Math.max(serverAheadMs, least), most) : (least + most) / 2
  isServerClockKnown = true
}

let awaited = 0
let answeredAt = Number.NEGATIVE_INFINITY

/** Counts a request that somebody waits for, until the function it returns is called. */
export function countAwaited(): () => void {
  awaited++
  return () => {
    awaited--
    answeredAt = performance.now()
  }
}

/** On the clock of `performance`; now while an answer is awaited. */
export const lastAnswerAt = (): number => (awaited > 0 ? performance.now() : answeredAt)

const RETRY_MS_MIN = 2000
const RETRY_MS_MAX = 60_000

/** Doubles with each failure in a row. `chance`, 0 to 1, keeps the tablets of a plant from coming back all at once. */
export const retryWaitMs = (failures: number, chance: number): number =>
  Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.max(0, failures - 1)) * (0.5 + chance / 2)
