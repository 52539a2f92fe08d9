import { Day } from '../../../contract/values.ts'
import { dayText } from '../../../domain/plant/plant-time.ts'

const FIRST_YEAR = 2000
const LAST_YEAR = 2999

const isDay = (day: string) => Day.safeParse(day).success
const isInYears = (day: string) => day >= `${FIRST_YEAR}-` && day < `${LAST_YEAR + 1}-`

/** Day, month and year as they were typed, pasted or written by a computer; null: something else. */
function partsIn(text: string): [day: string, month: string, year: string] | null {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text) ?? []
  if (year && month && day) return [day, month, year]
  const found =
    /^\s*(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{4})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2})(\d{4})\s*$/.exec(text)
  return found ? [found[1] ?? '', found[2] ?? '', found[3] ?? ''] : null
}

const isoIn = (text: string): string | null => {
  const parts = partsIn(text)
  return parts && `${parts[2]}-${parts[1].padStart(2, '0')}-${parts[0].padStart(2, '0')}`
}

/** The day (`YYYY-MM-DD`) that a text means; empty for what is none, or not yet whole. */
export function dayIn(text: string): string {
  const day = isoIn(text)
  return day !== null && isDay(day) && isInYears(day) ? day : ''
}

/** The typed text with its slashes; one that can be no day stays as it is, to be seen. */
function slashed(text: string): string {
  const whole = isoIn(text)
  if (whole !== null) return dayText(whole)
  const groups = text.trim().split(/[/.\s-]/)
  // what a slash closes has two digits
  const digits = groups
    .map((group, at) => (at < Math.min(2, groups.length - 1) ? group.padStart(2, '0') : group))
    .join('')
  if (!/^\d{1,8}$/.test(digits)) return text
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join('/')
}

/** Text of the box after a change. In the middle of it nothing moves under the cursor. */
export const typedOn = (before: string, typed: string): string =>
  typed.length > before.length && typed.startsWith(before) ? slashed(typed) : typed

/** Text of the box once it is left: with the century, '5/3/27' is a day. */
export const leftWith = (text: string): string =>
  slashed(text.replace(/^(\s*\d{1,2}[/.\s-]\d{1,2}[/.\s-])(\d{2})\s*$/, '$120$2'))

/** The fault of a day, in words; one still being typed has none. */
export function dayProblem(text: string, isLeft: boolean): string | undefined {
  if (text === '' || dayIn(text) !== '') return undefined
  const day = isoIn(text)
  if (day === null && /^[\d/.\s-]{1,10}$/.test(text)) return isLeft ? 'Data incompleta: digite dd/mm/aaaa.' : undefined
  return day !== null && isDay(day) ? `O ano vai de ${FIRST_YEAR} a ${LAST_YEAR}.` : 'Esta data não existe.'
}
