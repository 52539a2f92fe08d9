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
