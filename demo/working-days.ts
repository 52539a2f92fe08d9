import { addDays } from '../src/domain/plant/plant-time.ts'

/** `MM-dd`, in all of Brazil. */
const holidays = new Set(['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'])
/** From Easter Sunday on: both days of carnival, Good Friday, Corpus Christi. */
const daysFromEaster = [-48, -47, -2, 60]
const SATURDAY_SHARE = 0.4
/** Over Christmas and New Year the plant is closed but for urgent orders. */
const SHUTDOWN_SHARE = 0.1

/** The Gregorian rule of Butcher and Meeus. */
function easterOf(year: number): string {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const leap = century - Math.floor(century / 4)
  const moon = (leap - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const full = moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + full + 2 - leap) % 7
  // days after 31 March, or before it where negative: the Sunday after the full moon
  return addDays(`${year}-03-28`, full - weekday)
}

const isHoliday = (day: string): boolean =>
  holidays.has(day.slice(5)) ||
  daysFromEaster.some((count) => addDays(easterOf(Number(day.slice(0, 4))), count) === day)

const isInShutdown = (day: string) => day.slice(5) >= '12-22' || day.slice(5) <= '01-04'

/** How much of a full day a plant works: 0 on Sundays and holidays. `day` is `yyyy-MM-dd`. */
export function workShare(day: string): number {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || isHoliday(day)) return 0
  return (weekday === 6 ? SATURDAY_SHARE : 1) * (isInShutdown(day) ? SHUTDOWN_SHARE : 1)
}
