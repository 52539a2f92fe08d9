import { type ShiftPlan, shiftAt } from '../plant/shifts.ts'

/** Choices of the last work on a device that are offered to the next. */
export type Remembered = {
  username: string
  branch: string
  /** Epoch ms. */
  at: number
  /** As the field holds it. */
  machines: Partial<Record<WorkKind, string>>
  /** Lots with the code of their cable or terminal, the newest first. */
  lots: readonly { code: string; lot: string }[]
}

/** Both sides of an item are one kind of work. */
export type WorkKind = 'cabo' | 'lado' | 'juncao'

const REMEMBERED_MS_MAX = 6 * 3_600_000
/** The server's clock is known from whole seconds: on a device it may seem to go back by that. */
const CLOCK_ERROR_MS = 2000
/** Enough for one item: its cable and both its terminals. */
const LOTS_MAX = 3

export type Work = { kind: WorkKind; machine: string; code: string; lot: string }
export type Moment = Pick<Remembered, 'username' | 'branch' | 'at'>

/** Until the shift ends, another person logs in, the work is another plant's, or 6 h pass. */
export function isRemembered(remembered: Moment, now: Moment, plan: ShiftPlan): boolean {
  const { username, branch, at } = remembered
  const isYoung = now.at - at >= -CLOCK_ERROR_MS && now.at - at < REMEMBERED_MS_MAX
  if (username !== now.username || branch !== now.branch || !isYoung) return false
  const { startMs, endMs } = shiftAt(now.at, plan)
  return startMs <= at && at < endMs
}

/**
 * The choices offered now. At a workplace the machine is that of the place, whoever comes and when; a lot belongs to
 * its shift.
 */
export function offeredNow(last: Remembered, now: Moment, plan: ShiftPlan, isAtWorkplace: boolean): Remembered | null {
  if (isRemembered(last, now, plan)) return last
  return isAtWorkplace && last.branch === now.branch ? { ...last, lots: [] } : null
}

/** After one more work of this person. `before`: what is remembered still, else null. */
export function remember(before: Remembered | null, { kind, machine, code, lot }: Work, now: Moment): Remembered {
  const { machines = {}, lots = [] } = before ?? {}
  const others = lots.filter((one) => one.code !== code)
  return {
    ...now,
    machines: { ...machines, [kind]: machine },
    lots: code === '' || lot === '' ? lots : [{ code, lot }, ...others].slice(0, LOTS_MAX),
  }
}
