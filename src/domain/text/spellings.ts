/**
 * Codes, orders and lots are the same whatever their case: Caps Lock and some scanners turn it. They are kept as they were read, in
 * indexes that compare exactly, so whoever looks for one asks for each of its spellings that is there.
 */

/**
 * Upper and lower case of one character, in the order in which both databases compare; one that grows with its case
 * ('ß') has none but itself.
 */
const casesOf = (sign: string): string[] =>
  [...new Set([sign.toUpperCase(), sign.toLowerCase(), sign])].filter((one) => [...one].length === 1).sort(byCodePoint)

/** As SQLite and MariaDB compare: by code point, not by JavaScript's halves of one. */
const byCodePoint = (one: string, other: string) => (one.codePointAt(0) ?? -1) - (other.codePointAt(0) ?? -1)

const firstOf = (signs: readonly string[]): string => signs.map((sign) => casesOf(sign)[0] ?? sign).join('')

/** The first of its spellings, in the order of an index. */
const firstSpelling = (name: string): string => firstOf([...name])

/** The next of its spellings after a text, in the order of an index; null where there is none. */
function spellingAfter(name: string, text: string): string | null {
  const signs = [...name]
  const read = [...text]
  const isSpelled = (at: number) => casesOf(signs[at] ?? '').includes(read[at] ?? '')
  const differsAt = signs.findIndex((_, at) => !isSpelled(at))
  // the further behind it is greater, the nearer it is
  for (let at = differsAt < 0 ? signs.length - 1 : differsAt; at >= 0; at--) {
    const greater = casesOf(signs[at] ?? '').find((one) => byCodePoint(one, read[at] ?? '') > 0)
    if (greater !== undefined) return [...read.slice(0, at), greater, firstOf(signs.slice(at + 1))].join('')
  }
  return null
}

/** Whether they are one and the same code, order or lot. */
export const isSameCode = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** As it stands, and as Caps Lock or a scanner that converts would have it: for whom no index can be walked. */
export const usualSpellings = (name: string): string[] => [...new Set([name, name.toUpperCase(), name.toLowerCase()])]

/** The first answer that one of the usual spellings has, the code as it stands before the others; null where none has one. */
export async function firstSpelled<Found>(
  code: string,
  find: (spelling: string) => Promise<Found | null>,
): Promise<Found | null> {
  for (const spelling of usualSpellings(code)) {
    const found = await find(spelling)
    if (found !== null) return found
  }
  return null
}

/** Every spelling that is there: one step down an index for each. `firstFrom`: the first name not before a text. */
export async function spellingsThere(
  name: string,
  firstFrom: (text: string) => Promise<string | undefined>,
): Promise<string[]> {
  const there: string[] = []
  let from: string | null = name === '' ? null : firstSpelling(name)
  while (from !== null) {
    const next = await firstFrom(from)
    if (next === undefined) return there
    if (isSpellingOf(name, next)) there.push(next)
    from = spellingAfter(name, next)
  }
  return there
}

function isSpellingOf(name: string, text: string): boolean {
  const [signs, read] = [[...name], [...text]]
  return signs.length === read.length && signs.every((sign, at) => casesOf(sign).includes(read[at] ?? ''))
}
