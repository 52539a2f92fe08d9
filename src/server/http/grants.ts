import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { decideGrant, GRANT_MS } from '../../domain/people/grants.ts'
import type { Outside } from '../outside.ts'
import type { Reader } from '../store/db/db.ts'
import { RESTORED_FROM } from '../store/epochs.ts'
import { findSessionEnd, isDoubtful } from '../store/sessions.ts'
import { findSetting } from '../store/settings.ts'
import { findUserById } from '../store/users.ts'
import type { Caller } from './caller.ts'
import { readDevice } from './devices.ts'
import type { Budgets } from './limits.ts'
import { type Keys, readSigned, sign } from './signatures.ts'

/** The author's names, for a restored backup: it may not know the user, or have given the id to another one. */
const named = { user: z.int(), username: z.string(), fullName: z.string(), session: z.string() }
const Grant = z.union([
  z.strictObject({ ...named, device: z.string(), issuedAt: z.number() }),
  // of the version before
  z.strictObject({ ...named, expiresAt: z.number() }),
])
type Grant = z.output<typeof Grant>

/** User id of an author whom this database does not know. */
const NOBODY_ID = 0

/** Whoever has signed these names; `user` null: this database does not know them. */
export async function findAuthor(
  db: Reader,
  { user: id, username, fullName }: { user: number; username: string; fullName: string },
) {
  const found = await findUserById(db, id)
  const user = found?.username === username ? found : null
  return { user, author: { userId: user?.id ?? NOBODY_ID, username, fullName: user?.fullName ?? fullName } }
}

type Holder = Pick<Caller, 'userId' | 'username' | 'fullName'> & { sessionId: string; device: string }

export function signGrant(
  { userId, username, fullName, sessionId, device }: Holder,
  { keys, now }: Pick<Outside, 'now'> & { keys: Keys },
): string {
  const grant: Grant = { user: userId, username, fullName, session: sessionId, device, issuedAt: now() }
  return sign(keys, 'delivery-grant', grant)
}

const termsOf = (grant: Grant) =>
  'device' in grant
    ? { device: grant.device, issuedAt: grant.issuedAt, expiresAt: null }
    : { device: null, issuedAt: grant.expiresAt - GRANT_MS, expiresAt: grant.expiresAt }

/** The author of what comes under a grant, and whether it is taken as it comes; null where no key of ours has signed it. */
export async function findCallerByGrant(
  signed: string,
  request: FastifyRequest,
  { db, now, keys, budgets }: Pick<Outside, 'db' | 'now'> & { keys: Keys; budgets: Budgets },
): Promise<Caller | null> {
  const read = Grant.safeParse(readSigned(keys, 'delivery-grant', signed))
  if (!read.success) return null
  const { username, session: sessionId } = read.data
  const terms = termsOf(read.data)
  budgets.take('grantsOfDevice', terms.device ?? sessionId)
  budgets.take('grantsOfPerson', username)
  const { user, author } = await findAuthor(db.read, read.data)
  const session = await findSessionEnd(db.read, sessionId)
  const restoredFrom = await findSetting(db.read, RESTORED_FROM)
  const verdict = decideGrant({
    ...terms,
    shownBy: readDevice(request),
    user: user === null ? 'unknown' : user.active ? 'active' : 'inactive',
    session: session && { endsAt: session.endsAt, doubt: isDoubtful(session.why) ? session.why : null },
    restoredFrom: restoredFrom === null ? null : Number(restoredFrom),
    now: now(),
  })
  const deviceName = session?.deviceName ?? ''
  return {
    ...author,
    role: user?.role ?? 'operador',
    sessionId: null,
    expiresAt: now(),
    receipt: null,
    isForgotten: verdict.as === 'forgotten',
    retention:
      verdict.as === 'retained' ? { why: verdict.why, sessionId, device: terms.device ?? sessionId, deviceName } : null,
  }
}
