import { unmarked } from './frames.ts'

/** What a reader adds is short; more is another label. */
const SIGNS_LENGTH_MAX = 8
/** No label here has them itself, so that a reader may have put them between its parts. */
const separator = /[^\p{L}\p{N}\p{Cc}\uFFFD ./_+:-]/u

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Where a label that begins there ends, and what stands between its parts; null: it does not begin there. */
function labelAt(read: string, label: string, start: number): { end: number; between: string } | null {
  let at = start
  let between = ''
  for (const sign of label) {
    while (at > start && !isSame(read.charAt(at), sign) && separator.test(read.charAt(at))) between += read.charAt(at++)
    if (!isSame(read.charAt(at), sign)) return null
    at++
  }
  return { end: at, between: [...new Set(between)].filter((sign) => !label.includes(sign)).join('') }
}

/**
 * What a reader was found to add to a label whose text is known, as `withoutSigns` takes it off. Null: that text is not in what was
 * read, or with more around it than a reader adds.
 */
export function signsAround(read: string, label: string): string | null {
  const whole = unmarked(read)
  for (let start = 0; start < whole.length; start++) {
    const found = labelAt(whole, label, start)
    if (!found) continue
    // the mark of the symbology is another one on other labels, and is taken off anyway
    const before = whole.slice(0, start).replace(/\][A-Z][0-9A-Z]$/i, '')
    const lines = [before, whole.slice(found.end), found.between]
    if (lines.some((line) => line.length > SIGNS_LENGTH_MAX || line.includes('\n'))) return null
    return lines.some((line) => line !== '') ? lines.join('\n') : ''
  }
  return null
}
