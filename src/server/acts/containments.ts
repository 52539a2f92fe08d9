import { setImmediate } from 'node:timers/promises'
import type { Outside } from '../outside.ts'
import { correctRow } from '../store/containment-corrections.ts'
import {
  followEnds,
  joinLate,
  listFollowed,
  listJoining,
  listUncorrected,
  takeLease,
} from '../store/containment-followers.ts'
import { type ContainmentRecord, subjectOfContainment } from '../store/containments.ts'
import { listSuspects } from '../store/suspect-subjects.ts'

const LEASE_MS = 55_000
const CLOSED_EVERY_MS = 3_600_000
const CLOSED_DAYS_MS = 90 * 86_400_000

type Needs = Pick<Outside, 'db' | 'log' | 'now'>

/** Reads its window again: what came late joins, what a correction has changed is said. Twice it changes nothing. */
async function follow(containment: ContainmentRecord, { db, now }: Needs): Promise<void> {
  const subject = await subjectOfContainment(db.read, containment)
  if (!subject) return
  if (subject.kind === 'medicao' && containment.state === 'aberta') {
    const { window } = subject
    const { start_at, end_at, basis } = containment
    const isMoved = window.startAt !== start_at || window.endAt !== end_at || window.basis !== basis
    if (isMoved) await db.transaction((tx) => followEnds(tx, containment, window, now()))
  }
  const joining = await listJoining(db.read, containment, await listSuspects(db.read, subject))
  if (joining.length > 0) await db.transaction((tx) => joinLate(tx, containment, joining, now()))
  for (const row of await listUncorrected(db.read, containment.id)) {
    await db.transaction((tx) => correctRow(tx, { ...row, at: now() }))
  }
}

/**
 * Follows the open containments, and each hour those closed within 90 days: a recording may be on a tablet for days. A recording
 * itself pays nothing for that.
 */
export function openContainmentWatch(needs: Needs): () => Promise<void> {
  const { db, log, now } = needs
  let closedSeenAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    if (!(await db.transaction((tx) => takeLease(tx, now(), LEASE_MS)))) return
    const isHour = now() - closedSeenAt >= CLOSED_EVERY_MS
    if (isHour) closedSeenAt = now()
    for (const containment of await listFollowed(db.read, isHour ? now() - CLOSED_DAYS_MS : null)) {
      // one that grew too large keeps no other from being followed
      await follow(containment, needs).catch((error: unknown) =>
        log.warn({ err: error, repeats: containment.id }, 'a containment could not be followed'),
      )
      await setImmediate()
    }
  }
  return () =>
    look().catch((error: unknown) => log.warn({ err: error, repeats: true }, 'containments could not be followed'))
}
