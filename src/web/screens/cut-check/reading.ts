/** What is made of the codes that are read, one after another: pure, so that every order of events can be tried. */

/** The same code within this time is the same scan: a trigger held a little too long. */
const REPEAT_MS = 2000

export type Reading = {
  /** The code that the dialog asks about; null while none is open. */
  asked: string | null
  /** What was read last and counted; null after 'Não', when the same code counts again at once. */
  last: { code: string; atMs: number } | null
}

export const noReading: Reading = { asked: null, last: null }

export type Verdict =
  /** The same scan once more: nothing happens. */
  | 'repeated'
  /** The dialog is open for another one, which has to be answered first. */
  | 'interrupting'
  /** On no row of the list. */
  | 'unknown'
  | 'asked'

/** `atMs` of any clock that only goes forward. */
export function readCode(
  reading: Reading,
  { code, atMs, isListed }: { code: string; atMs: number; isListed: boolean },
): { reading: Reading; verdict: Verdict } {
  const isSame = reading.last?.code === code && atMs - reading.last.atMs <= REPEAT_MS
  if (reading.asked === code || isSame) return { reading, verdict: 'repeated' }
  // Not counted: it is to be read again once the dialog is answered.
  if (reading.asked !== null) return { reading, verdict: 'interrupting' }
  const last = { code, atMs }
  return isListed
    ? { reading: { asked: code, last }, verdict: 'asked' }
    : { reading: { asked: null, last }, verdict: 'unknown' }
}

export const answerYes = (reading: Reading): Reading => ({ ...reading, asked: null })
export const answerNo = (): Reading => noReading
