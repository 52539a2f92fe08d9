import { BADGE_LOCK_MS, BADGE_TRIES_A_DAY_MAX, PIN_TRIES_MAX } from '../../contract/badges.ts'
import { deleteThrottles, findThrottle, giveBackTry, type Throttle, takeTry } from '../store/login-throttles.ts'
import { DirectoryAway, type Entrance } from './entrance.ts'
import { PasswordsBusy } from './passwords.ts'
import { Refused } from './refused.ts'

/** Wrong tries that cost nothing: people mistype, and many tablets share one address. */
const freeTries = { person: 4, address: 30 }
const DELAY_MS_MAX = 15 * 60_000
/** Two people who log in at the same instant collide once or twice, not five times. */
const COLLISIONS_MAX = 5
const HOUR_MS = 3_600_000

/** How long after the n-th wrong try in a row the next one has to wait. */
const delayMs = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free), DELAY_MS_MAX)

const later = (waitMs: number): Refused => {
  const seconds = Math.ceil(waitMs / 1000)
  return new Refused('too_many_attempts', { values: { seconds }, headers: { 'retry-after': String(seconds) } })
}

export const lockedFor = (waitMs: number): Refused => {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  return new Refused('badge_locked', { values: { minutes: Math.ceil(waitMs / 60_000) }, headers })
}

type Kind = {
  delayMs: (failures: number) => number
  refused: (waitMs: number) => Refused
  /** Beyond them none is taken, however long one waits. */
  max?: number
  /** With each hour that begins half is forgotten. */
  isHalved: boolean
  /** A right try forgives all that were wrong; else it takes back itself alone. */
  isForgiving: boolean
}

/** Many people share an address or a station, and a badge's owner comes in between guesses: what is right resets neither. */
const kinds = {
  person: { delayMs: (n) => delayMs(n, freeTries.person), refused: later, isHalved: false, isForgiving: true },
  address: { delayMs: (n) => delayMs(n, freeTries.address), refused: later, isHalved: true, isForgiving: false },
  /** A badge on one station. */
  badge: {
    delayMs: (n) => (n < PIN_TRIES_MAX ? 0 : BADGE_LOCK_MS),
    refused: lockedFor,
    isHalved: true,
    isForgiving: false,
  },
  /** A badge on all stations; each day has a name of its own. */
  day: {
    ...{ delayMs: () => 0, refused: () => new Refused('badge_blocked') },
    ...{ max: BADGE_TRIES_A_DAY_MAX, isHalved: false, isForgiving: false },
  },
} as const satisfies Record<string, Kind>

/** Wrong tries that are counted together. */
export type Count = { name: string; kind: keyof typeof kinds }

/** What is known of a count; refuses while its next try has to wait. */
async function findOpen({ name, kind }: Count, { db, now }: Entrance): Promise<Throttle | null> {
  const throttle = await findThrottle(db.read, name)
  const { refused, max = Number.POSITIVE_INFINITY }: Kind = kinds[kind]
  const waitMs = (throttle?.nextAt ?? 0) - now()
  if (waitMs > 0 || (throttle?.failures ?? 0) >= max) throw refused(waitMs)
  return throttle
}

const halved = ({ failures, updatedAt }: Throttle, now: number): number =>
  Math.floor(failures / 2 ** Math.max(0, Math.floor(now / HOUR_MS) - Math.floor(updatedAt / HOUR_MS)))

/** Resolves to how many there are with this one. */
async function takeTryOf(count: Count, context: Entrance): Promise<number> {
  const { db, now } = context
  const kind: Kind = kinds[count.kind]
  for (let collisions = 0; collisions < COLLISIONS_MAX; collisions++) {
    const seen = await findOpen(count, context)
    const earlier = kind.isHalved && seen ? halved(seen, now()) : (seen?.failures ?? 0)
    const failures = earlier + 1
    const delay = kind.delayMs(failures)
    const next = { failures, nextAt: delay === 0 ? 0 : now() + delay, at: now() }
    if (await db.transaction((tx) => takeTry(tx, count.name, seen, next))) return failures
  }
  throw kind.refused(1000)
}

async function giveBack(counts: readonly Count[], { db }: Entrance): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { name } of counts) await giveBackTry(tx, name)
  })
}

/** One try of each count or of none: what one refuses counts against no other. */
async function takeTries(counts: readonly Count[], context: Entrance): Promise<number[]> {
  for (const count of counts.slice(1)) await findOpen(count, context)
  const failures: number[] = []
  for (const [at, count] of counts.entries()) {
    const taken = takeTryOf(count, context).catch(async (error: unknown) => {
      await giveBack(counts.slice(0, at), context)
      throw error
    })
    failures.push(await taken)
  }
  return failures
}

export type Tried<T> = { found: T; failures: null } | { found: null; failures: number[] }

/**
 * `check` after its try was counted, so of ten thousand guesses at once only a few reach it; null is a wrong one, with how many
 * there are of each count. What was not checked is not counted.
 */
export async function tryUnder<T>(
  counts: readonly Count[],
  context: Entrance,
  check: () => Promise<T | null>,
): Promise<Tried<T>> {
  const failures = await takeTries(counts, context)
  const found = await check().catch(async (error: unknown) => {
    if (error instanceof PasswordsBusy || error instanceof DirectoryAway) await giveBack(counts, context)
    throw error
  })
  if (found === null) return { found: null, failures }
  await context.db.transaction(async (tx) => {
    for (const { name, kind } of counts)
      await (kinds[kind].isForgiving ? deleteThrottles(tx, [name]) : giveBackTry(tx, name))
  })
  return { found, failures: null }
}
