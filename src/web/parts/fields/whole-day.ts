import { Day } from '../../../contract/values.ts'

/** While a year is being typed it reads as 0002, 0020, 0202. */
export const FIRST_DAY = '2000-01-01'

export const isWholeDay = (typed: string): boolean =>
  typed >= FIRST_DAY && typed < '3000' && Day.safeParse(typed).success
