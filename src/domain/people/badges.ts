import { foldedName } from '../../contract/names.ts'
import type { Role } from '../../contract/values.ts'

/** A person's badge: a prefix that no label of the plant has, and a check character (Luhn modulo 36) over the rest. */
const BADGE = /^PIC-([0-9A-Z]{8,30})$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The Luhn sum modulo 36; the last character counts once. */
const sumOf = (body: string): number =>
  [...body].toReversed().reduce((total, character, at) => {
    const value = DIGITS.indexOf(character) * (at % 2 === 0 ? 1 : 2)
    return total + Math.floor(value / DIGITS.length) + (value % DIGITS.length)
  }, 0) % DIGITS.length

/** As it is compared: scanners and keyboards differ in case. */
export const badgeKey = (code: string): string => code.trim().toUpperCase()

/** Whether it names a person: such a code is never shown, stored or logged. */
export function isBadge(code: string): boolean {
  const body = BADGE.exec(badgeKey(code))?.[1]
  return body !== undefined && sumOf(body) === 0
}

/** Where one may begin within a text; the longest that is one counts. */
const LIKE_A_BADGE = /(?=(PIC-[0-9A-Z]{8,30}))/gi
const BADGE_LENGTH_MIN = 12

function badgesIn(text: string): string[] {
  return [...text.matchAll(LIKE_A_BADGE)].flatMap(([, like = '']) => {
    for (let end = like.length; end >= BADGE_LENGTH_MIN; end--)
      if (isBadge(like.slice(0, end))) return like.slice(0, end)
    return []
  })
}

/** The first one within a text, whatever stands around it; null: none does. */
export const badgeWithin = (text: string): string | null => badgesIn(foldedName(text))[0] ?? null

/** Whether one stands anywhere in a text, whatever stands around it. */
export const holdsBadge = (text: string): boolean => badgeWithin(text) !== null

/** Stands where a badge stood in what a tablet has called saved. */
export const BADGE_REMOVED = '(crachá)'

const withoutBadge = (text: string): string =>
  badgesIn(foldedName(text)).reduce((rest, badge) => rest.replaceAll(badge, BADGE_REMOVED), foldedName(text))

/** A password is no text that anybody reads: its hash alone is stored. */
const isPassword = (field: string): boolean => /senha$|password$/i.test(field)

/** Fields of what somebody sent that hold a badge, as paths. */
export function fieldsWithBadge(sent: unknown, path: readonly string[] = []): string[] {
  if (typeof sent === 'string') return holdsBadge(sent) && !isPassword(path.at(-1) ?? '') ? [path.join('.')] : []
  if (typeof sent !== 'object' || sent === null) return []
  return Object.entries(sent).flatMap(([key, value]) => fieldsWithBadge(value, [...path, key]))
}

/** The same without any badge in a text. */
export function withoutBadges<Sent>(sent: Sent): Sent {
  if (typeof sent === 'string') return (holdsBadge(sent) ? withoutBadge(sent) : sent) as Sent
  if (Array.isArray(sent)) return sent.map(withoutBadges) as Sent
  if (typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, withoutBadges(value)])) as Sent
}

/** The code of a badge. `numbers`: at random, each below 36. */
export function badgeOf(numbers: readonly number[]): string {
  const body = numbers.map((number) => DIGITS.charAt(number)).join('')
  return `PIC-${body}${DIGITS.charAt((DIGITS.length - sumOf(`${body}0`)) % DIGITS.length)}`
}

/** A badge's session does an operator's work, and never more than its owner may. */
export const roleByBadge = (role: Role): Role => (role === 'consulta' ? role : 'operador')

/** One that others would try first: a run, a row of one digit, a year of birth. */
export function isWeakPin(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10)
  const isEven = steps.every((step) => step === steps[0])
  return (isEven && [0, 1, 9].includes(steps[0] ?? 0)) || /^(19|20)\d\d$/.test(pin)
}
