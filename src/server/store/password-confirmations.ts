import type { Reader, Tx } from './db/db.ts'

/** When the password was last typed in this session; its log-in is the first time. */
export async function getPasswordAt(db: Reader, sessionId: string): Promise<number> {
  const session = await db
    .selectFrom('sessions')
    .select(['password_at', 'created_at'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return session.password_at ?? session.created_at
}

export async function updatePasswordAt(tx: Tx, sessionId: string, at: number): Promise<void> {
  await tx.updateTable('sessions').set({ password_at: at }).where('id', '=', sessionId).execute()
}
