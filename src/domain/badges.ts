/** Of a person's badge: a prefix that no label of the plant has, and a check character (Luhn modulo 36) over what follows it. */
const BADGE = /^PIC-([0-9A-Z]{8,30})$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Whether it names a person: such a code is never shown, stored or logged. */
export function isBadge(code: string): boolean {
  const body = BADGE.exec(code.trim().toUpperCase())?.[1]
  if (body === undefined) return false
  const sum = [...body].toReversed().reduce((total, character, at) => {
    const value = DIGITS.indexOf(character) * (at % 2 === 0 ? 1 : 2)
    return total + Math.floor(value / DIGITS.length) + (value % DIGITS.length)
  }, 0)
  return sum % DIGITS.length === 0
}
