import * as z from 'zod/mini'
import { findSessionUser, revokeSession } from '../store/sessions.ts'
import type { Entrance } from './entrance.ts'
import { Refused } from './refused.ts'
import { type Keys, readSigned, sign } from './signatures.ts'

const Logout = z.strictObject({ session: z.string() })

/** Good for ending this session, whatever pair of secrets it has by then, and for nothing else. */
export const signLogout = (session: string, { keys }: { keys: Keys }): string => sign(keys, 'log-out', { session })

/** Resolves to whose session has ended now; null where it had before, or this database does not know it. */
export async function endByLogout(
  signed: string,
  { db, now, keys }: Pick<Entrance, 'db' | 'now' | 'keys'>,
): Promise<{ userId: number; username: string } | null> {
  const read = Logout.safeParse(readSigned(keys, 'log-out', signed))
  if (!read.success) throw new Refused('session_missing')
  const { session } = read.data
  return await db.transaction(async (tx) => {
    const isEnded = await revokeSession(tx, session, { at: now(), why: 'logout' })
    return isEnded ? await findSessionUser(tx, session) : null
  })
}
