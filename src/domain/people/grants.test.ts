import { expect, test } from 'vitest'
import { decideGrant, type GrantFacts } from './grants.ts'

const DAY_MS = 86_400_000
const good: GrantFacts = {
  issuedAt: 0,
  device: 'tablet 3',
  expiresAt: null,
  shownBy: 'tablet 3',
  user: 'active',
  session: { endsAt: DAY_MS, doubt: null },
  restoredFrom: null,
  now: 8 * DAY_MS - 1,
}
const former = { device: null, shownBy: null, expiresAt: 7 * DAY_MS, now: 7 * DAY_MS - 1 }
const unknown = { session: null, issuedAt: 10, restoredFrom: 9 }

test.each<[what: string, change: Partial<GrantFacts>, verdict: string]>([
  ['with its device, within 7 days of its session’s end', {}, 'trusted'],
  ['7 days after its session’s end', { now: 8 * DAY_MS }, 'expired'],
  ['shown by another browser', { shownBy: 'tablet 4' }, 'other_browser'],
  ['shown by a browser that lost its cookie', { shownBy: null }, 'other_browser'],
  ['of a session that an admin ended', { session: { endsAt: DAY_MS, doubt: 'admin' } }, 'admin'],
  ['of a user who is out', { user: 'inactive' }, 'deactivated'],
  ['of a version before, which names no device', former, 'trusted'],
  ['of a version before, at its own end', { ...former, now: 7 * DAY_MS }, 'expired'],
  ['of a session that went long ago', { session: null }, 'session_unknown'],
  ['younger than the backup put back, which cannot know its session', unknown, 'forgotten'],
  ['younger than the backup put back, which does not know its author', { ...unknown, user: 'unknown' }, 'forgotten'],
  ['as old as the backup put back, which would know its session', { ...unknown, issuedAt: 9 }, 'session_unknown'],
  ['younger than the backup put back, in another browser', { ...unknown, shownBy: null }, 'other_browser'],
  ['younger than the backup put back, long after', { ...unknown, now: 8 * DAY_MS + 10 }, 'expired'],
])('a grant %s', (_, change, wanted) => {
  const verdict = decideGrant({ ...good, ...change })
  expect('why' in verdict ? verdict.why : verdict.as).toBe(wanted)
})
