import { changesOne, insertsNew, type Reader, type Tx } from './db/db.ts'

export type Throttle = { failures: number; nextAt: number; updatedAt: number }

export async function findThrottle(db: Reader, name: string): Promise<Throttle | null> {
  const throttle = await db
    .selectFrom('login_throttles')
    .select(['failures', 'next_at as nextAt', 'updated_at as updatedAt'])
    .where('name', '=', name)
    .executeTakeFirst()
  return throttle ?? null
}

/**
 * Takes the right to try once and moves the next try to `nextAt`. What was read (`seen`) is part of the condition, so of
 * many tries at once only one reaches the password; the others get false.
 */
export async function takeTry(
  tx: Tx,
  name: string,
  seen: Pick<Throttle, 'failures' | 'nextAt'> | null,
  next: { failures: number; nextAt: number; at: number },
): Promise<boolean> {
  const values = { failures: next.failures, next_at: next.nextAt, updated_at: next.at }
  if (seen) {
    return await tx
      .updateTable('login_throttles')
      .set(values)
      .where((e) => e.and({ name, failures: seen.failures, next_at: seen.nextAt }))
      .$call(changesOne)
  }
  return await tx
    .insertInto('login_throttles')
    .values({ name, ...values })
    .$call(insertsNew)
}

/** Takes a try back that was no wrong one. */
export async function giveBackTry(tx: Tx, name: string): Promise<void> {
  await tx
    .updateTable('login_throttles')
    .set((e) => ({ failures: e('failures', '-', 1), next_at: 0 }))
    .where('name', '=', name)
    .where('failures', '>', 0)
    .execute()
}

export async function deleteThrottles(tx: Tx, names: string[]): Promise<void> {
  await tx.deleteFrom('login_throttles').where('name', 'in', names).execute()
}

/** `prefix`: without signs that a pattern reads. */
export async function deleteThrottlesUnder(tx: Tx, prefix: string): Promise<void> {
  await tx.deleteFrom('login_throttles').where('name', 'like', `${prefix}%`).execute()
}

export async function deleteOldThrottles(tx: Tx, updatedBefore: number): Promise<void> {
  await tx.deleteFrom('login_throttles').where('updated_at', '<', updatedBefore).execute()
}
