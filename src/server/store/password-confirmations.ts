import type { Reader, Tx } from './db/db.ts'

/** When the password was last typed in this session; its log-in is the first time, unless a badge opened it. */
export async function getPasswordAt(db: Reader, sessionId: string): Promise<number> {
  const session = await db
    .selectFrom('sessions')
    .select(['password_at', 'created_at', 'by_badge'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return session.password_at ?? (session.by_badge === 1 ? 0 : session.created_at)
}

/** Gives a badge's session the rights of a password; it ends with the badge all the same. */
export async function updatePasswordAt(tx: Tx, sessionId: string, at: number): Promise<void> {
  await tx.updateTable('sessions').set({ password_at: at }).where('id', '=', sessionId).execute()
}
