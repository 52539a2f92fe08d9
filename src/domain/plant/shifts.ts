import { addDays, plantDay, wallMs } from './plant-time.ts'

/** From its beginning on, until the next one begins; epoch ms. */
export type Span = { startMs: number; endMs: number }

/** A shift of a day: which one of that day's, and when it is. It may end on the next day. */
export type Shift = Span & { day: string; nth: number }

/** When the shifts of a plant begin, `HH:MM` in their order, and by which clock. */
export type ShiftPlan = { shifts: readonly string[]; timeZone: string }

/** The one of that number on a day (`YYYY-MM-DD`). */
export function shiftOf(day: string, nth: number, { shifts, timeZone }: ShiftPlan): Shift {
  const startOf = (index: number) => {
    const time = shifts[index % shifts.length] ?? '00:00'
    return wallMs(addDays(day, Math.floor(index / shifts.length)), time, timeZone)
  }
  return { day, nth, startMs: startOf(nth), endMs: startOf(nth + 1) }
}

/** The shift that is on at an instant (epoch ms). Before the first one of a day it is the last one of the day before. */
export function shiftAt(instantMs: number, plan: ShiftPlan): Shift {
  const today = plantDay(instantMs, plan.timeZone)
  const [first, ...later] = [addDays(today, -1), today].flatMap((day) =>
    plan.shifts.map((_, nth) => shiftOf(day, nth, plan)),
  )
  if (!first) throw new Error('a plant without shifts')
  return later.reduce((on, shift) => (shift.startMs <= instantMs ? shift : on), first)
}

/** The shift before one: of the same day, or the last one of the day before. */
export const shiftBefore = ({ day, nth }: Shift, plan: ShiftPlan): Shift =>
  nth > 0 ? shiftOf(day, nth - 1, plan) : shiftOf(addDays(day, -1), plan.shifts.length - 1, plan)

/** Shifts that begin on the days of a period, in their order. */
export const shiftsOf = (days: readonly string[], plan: ShiftPlan): Shift[] =>
  days.flatMap((day) => plan.shifts.map((_, nth) => shiftOf(day, nth, plan)))

const HOUR_MS = 3_600_000

/** From its beginning on; the last one may be shorter. */
export const hoursOf = ({ startMs, endMs }: Span): Span[] =>
  Array.from({ length: Math.ceil((endMs - startMs) / HOUR_MS) }, (_, nth) => ({
    startMs: startMs + nth * HOUR_MS,
    endMs: Math.min(endMs, startMs + (nth + 1) * HOUR_MS),
  }))
