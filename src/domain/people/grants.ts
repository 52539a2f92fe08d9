import type { RetainedWhy } from '../../contract/retained-deliveries.ts'

const DAY_MS = 86_400_000
/** How long after its session's end a grant is good. */
export const GRANT_MS = 7 * DAY_MS
/** No session lasts longer. */
const SESSION_MS_MAX = DAY_MS

/** The facts of a grant that this server or another of the plant has signed. Instants are epoch milliseconds. */
export type GrantFacts = {
  issuedAt: number
  /** The browser for which it was given; null in grants of versions before, which name none and end by themselves. */
  device: string | null
  expiresAt: number | null
  /** The browser that shows it; null where that shows no cookie. */
  shownBy: string | null
  user: 'active' | 'inactive' | 'unknown'
  /** `doubt`: what of its end casts doubt on who had it. Null where this database does not know the session. */
  session: { endsAt: number; doubt: RetainedWhy | null } | null
  /** Up to when a backup that was put back knows what happened; null where none was. */
  restoredFrom: number | null
  now: number
}

/** A delivery under a grant is taken, taken once the ERP was asked about it, or waits for an admin. */
type GrantVerdict = { as: 'trusted' | 'forgotten' } | { as: 'retained'; why: RetainedWhy }

export function decideGrant(facts: GrantFacts): GrantVerdict {
  const { issuedAt, device, expiresAt, shownBy, user, session, restoredFrom, now } = facts
  const retained = (why: RetainedWhy): GrantVerdict => ({ as: 'retained', why })
  if (user === 'inactive') return retained('deactivated')
  if (device !== null && shownBy !== device) return retained('other_browser')
  if (session === null || user === 'unknown') {
    if (restoredFrom === null || issuedAt <= restoredFrom) return retained('session_unknown')
    return now < issuedAt + SESSION_MS_MAX + GRANT_MS ? { as: 'forgotten' } : retained('expired')
  }
  if (session.doubt !== null) return retained(session.doubt)
  return now < (expiresAt ?? session.endsAt + GRANT_MS) ? { as: 'trusted' } : retained('expired')
}
