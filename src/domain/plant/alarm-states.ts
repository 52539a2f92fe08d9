import type { Judged } from './alarms.ts'

const HOUR_MS = 3_600_000
/** A subject that is on gets a new `namedAt` no oftener than this. */
const NAMED_NOTED_EVERY_MS = 10 * 60_000
/** A subject that no report of a day has named is no more: its server was renamed, or has none of it. */
const NAMED_MS_MAX = 24 * HOUR_MS + NAMED_NOTED_EVERY_MS

/** State of one alarm in one channel. */
export type AlarmState = {
  /** Null: it is off. */
  begunAt: number | null
  /** Whether its present beginning was said. */
  isSaid: boolean
  /** When a beginning was last said. */
  saidAt: number | null
}
/** State of one subject; `namedAt` is when a server's report named it last. */
export type SubjectState = AlarmState & { subject: string; namedAt: number }

/** State of one kind: each subject apart, and their sum, which is all that a server of the version before knows. */
export type KindState = { sum: AlarmState; subjects: readonly SubjectState[] }

export const silent: AlarmState = { begunAt: null, isSaid: false, saidAt: null }

/**
 * Says each beginning once and its end once. What begins again within the hour waits until the hour is over, and is never
 * said when it has ended by then.
 */
export function nextAlarm(
  before: AlarmState,
  isOn: boolean | null,
  now: number,
): { after: AlarmState; message: 'begun' | 'ended' | null } {
  if (isOn === null) return { after: before, message: null }
  if (!isOn) {
    const { begunAt, isSaid } = before
    if (begunAt === null) return { after: before, message: null }
    return { after: { ...before, begunAt: null, isSaid: false }, message: isSaid ? 'ended' : null }
  }
  const after = { ...before, begunAt: before.begunAt ?? now }
  if (before.isSaid || isTooSoon(before, now)) return { after, message: null }
  return { after: { ...after, isSaid: true, saidAt: now }, message: 'begun' }
}

const isTooSoon = ({ saidAt }: AlarmState, now: number) => saidAt !== null && now - saidAt < HOUR_MS

/** On while any is on. */
function sumOf(subjects: readonly AlarmState[]): AlarmState {
  const begun = subjects.flatMap(({ begunAt }) => begunAt ?? [])
  const said = subjects.flatMap(({ saidAt }) => saidAt ?? [])
  return {
    begunAt: begun.length > 0 ? Math.min(...begun) : null,
    isSaid: subjects.some(({ begunAt, isSaid }) => begunAt !== null && isSaid),
    saidAt: said.length > 0 ? Math.max(...said) : null,
  }
}

/** One subject's change of state, and the message that it asks for. */
export type Change = { before: SubjectState; after: SubjectState; message: 'begun' | 'ended' | null }

type Look = {
  now: number
  /** A server of the version before is there: it speaks by the sum, for all subjects at once. */
  isOlderThere: boolean
}

/**
 * The subjects as this look finds them. Where the sum says something else than they do, a server of the version before has
 * spoken: before the upgrade, or beside this one. What it has said holds for all that is not off.
 */
function subjectsBefore({ sum, subjects }: KindState, judged: readonly Judged[], look: Look): SubjectState[] {
  const own = sumOf(subjects)
  const hasOlderSpoken = (own.begunAt === null) !== (sum.begunAt === null) || own.isSaid !== sum.isSaid
  // of none is known: what was said within the hour was said by it too
  const unheard = subjects.length === 0 ? { ...silent, saidAt: sum.saidAt } : silent
  const named = judged.map(({ subject, isOn }) => {
    const known = subjects.find((one) => one.subject === subject)
    const isConcerned = isOn !== false || (known !== undefined && known.begunAt !== null)
    return { subject, namedAt: look.now, ...unheard, ...known, ...(hasOlderSpoken && isConcerned ? sum : {}) }
  })
  const unnamed = subjects
    .filter(({ subject }) => !judged.some((one) => one.subject === subject))
    .map((known) => (hasOlderSpoken && known.begunAt !== null ? { ...known, ...sum } : known))
  const all = [...named, ...unnamed]
  if (sum.begunAt === null || all.some(({ begunAt }) => begunAt !== null)) return all
  // nothing is on any more of what it said: that it is over is its to say, or this server's once it is gone
  return look.isOlderThere ? [] : [...all.filter(({ subject }) => subject !== ''), { subject: '', namedAt: 0, ...sum }]
}

/** Changes of all subjects that are named or known; none where there is nothing to do. */
export function changesOf(state: KindState, judged: readonly Judged[], look: Look): Change[] {
  const { now } = look
  return subjectsBefore(state, judged, look).map((before) => {
    const { subject, namedAt } = before
    const found = judged.find((one) => one.subject === subject)
    const isOn = found ? found.isOn : now - namedAt > NAMED_MS_MAX ? false : null
    const { after, message } = nextAlarm(before, isOn, now)
    const isNoted = !found || Math.abs(now - namedAt) < NAMED_NOTED_EVERY_MS
    return { before, after: { ...after, subject, namedAt: isNoted ? namedAt : now }, message }
  })
}

/** The state to store after the messages were sent, or not: a failed one is sent again in a minute. */
export function stateAfter(
  changes: readonly Change[],
  now: number,
  refused: ReadonlySet<Change['message']>,
): KindState {
  const subjects = changes
    .map(({ before, after, message }) => {
      if (!refused.has(message)) return after
      return message === 'begun' ? { ...after, isSaid: before.isSaid, saidAt: before.saidAt } : before
    })
    // what is off is remembered for the hour in which it must not begin again
    .filter((one) => one.begunAt !== null || isTooSoon(one, now))
  return { sum: sumOf(subjects), subjects }
}

const rowOf = ({ subject, begunAt, isSaid, saidAt, namedAt }: SubjectState) =>
  JSON.stringify([subject, begunAt, isSaid, saidAt, namedAt])

const textOf = ({ sum: { begunAt, isSaid, saidAt }, subjects }: KindState) =>
  JSON.stringify([begunAt, isSaid, saidAt, ...subjects.map(rowOf).toSorted()])

/** Whatever the order that their subjects were read in. */
export const isSameState = (one: KindState, other: KindState): boolean => textOf(one) === textOf(other)
