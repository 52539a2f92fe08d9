/** Building one costs more than all other rules of a recording together. */
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone: string): Intl.DateTimeFormat => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

const dayFormat = formatter({ dateStyle: 'short' })
const momentFormat = formatter({ dateStyle: 'short', timeStyle: 'medium' })

/** The calendar day (`YYYY-MM-DD`) an instant (epoch ms) falls on at the plant. 22:30 in São Paulo is already tomorrow in UTC. */
export const plantDay = (instantMs: number, timeZone: string): string => dayFormat(timeZone).format(instantMs)

export type PlantMoment = { day: string; time: string }

/** Day (`YYYY-MM-DD`) and time (`HH:MM:SS`) that the clock on the plant's wall shows at an instant (epoch ms). */
export function plantMoment(instantMs: number, timeZone: string): PlantMoment {
  const [day = '', time = ''] = momentFormat(timeZone).format(instantMs).split(' ')
  return { day, time }
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** A year of more digits is written with its sign. */
const LAST_DAY = '9999-12-31'
/** Clocks are asked about days from 1900 to 2999 alone: of earlier and later ones not each instant can be written. */
const [FIRST_START, LAST_START] = ['1900-01-01', '2999-12-31']

/** A calendar day (`YYYY-MM-DD`) counted on, up to the last that is written with four digits; no clock of any place is asked. */
export function addDays(day: string, days: number): string {
  const text = new Date(Date.parse(day) + days * DAY_MS).toISOString()
  return text.startsWith('+') ? LAST_DAY : text.slice(0, 10)
}

/** How many days (`YYYY-MM-DD`) lie between two; negative where the second comes first. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** The first Monday after a day (`YYYY-MM-DD`). */
export const nextMonday = (day: string): string => addDays(day, (8 - new Date(day).getUTCDay()) % 7 || 7)

/** How far the plant's clock is ahead of UTC. */
function aheadMs(instantMs: number, timeZone: string): number {
  const shown = plantMoment(instantMs, timeZone)
  return Date.parse(`${shown.day}T${shown.time}Z`) - Math.floor(instantMs / 1000) * 1000
}

/** No clock is changed twice within so long. */
const CHANGE_MS = DAY_MS / 4

/** Shifts of the same days are asked for at each drawing of a form, and one costs five formatted times. */
const walls = new Map<string, number>()
const WALLS_MAX = 1000

/**
 * When (epoch ms) the plant's clock shows a time (`HH:MM`) of a day. Of one that comes twice the first; of one that never
 * comes what it would have been, had the clock not been changed.
 */
export function wallMs(day: string, time: string, timeZone: string): number {
  const key = `${day} ${time} ${timeZone}`
  const known = walls.get(key)
  if (known !== undefined) return known
  if (walls.size >= WALLS_MAX) walls.clear()
  const found = findWallMs(day, time, timeZone)
  walls.set(key, found)
  return found
}

function findWallMs(day: string, time: string, timeZone: string): number {
  const shownMs = Date.parse(`${day}T${time}:00Z`)
  const nearMs = shownMs - aheadMs(shownMs, timeZone)
  const [byOld, byNew] = [nearMs - CHANGE_MS, nearMs + CHANGE_MS].map((atMs) => shownMs - aheadMs(atMs, timeZone)) as [
    number,
    number,
  ]
  const fitting = [byOld, byNew].filter((atMs) => atMs + aheadMs(atMs, timeZone) === shownMs)
  return fitting.length === 0 ? byOld : Math.min(...fitting)
}

/** The same day of another month (`YYYY-MM-DD`), or its last one where that month has no such day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())))
    .toISOString()
    .slice(0, 10)
}

/** When (epoch ms) a day (`YYYY-MM-DD`) begins at the plant; of a year before 1900 or after 2999 the first or the last of those. */
export const dayStartMs = (day: string, timeZone: string): number =>
  wallMs(day < FIRST_START ? FIRST_START : day > LAST_START ? LAST_START : day, '00:00', timeZone)

/** Epoch ms as the UTC text that travels on the wire. */
export const toInstant = (instantMs: number): string => new Date(instantMs).toISOString()

/** An instant of the wire as the clock on the plant's wall shows it: dd/MM/yyyy HH:MM:SS. */
export const momentTextOf =
  (timeZone: string) =>
  (instant: string): string => {
    const { day, time } = plantMoment(Date.parse(instant), timeZone)
    return `${dayText(day)} ${time}`
  }

/** `YYYY-MM-DD` as a person at the plant writes it: dd/MM/yyyy. */
export const dayText = (day: string): string => day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')
