import { findsAny, type Reader, type Tx } from './db/db.ts'

type DeviceUser = { device: string; userId: number; at: number }

/** Throws a unique violation where another call notes the same at the same instant. */
export async function noteDeviceUser(tx: Tx, { device, userId, at }: DeviceUser): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('device_users')
    .set({ entered_at: at })
    .where('device', '=', device)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await tx.insertInto('device_users').values({ device, user_id: userId, entered_at: at }).execute()
}

/** Whether this person has logged in there before. */
export const isDeviceOf = (db: Reader, device: string, username: string): Promise<boolean> =>
  db
    .selectFrom('device_users as d')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .select('d.device')
    .where('d.device', '=', device)
    .where('u.username', '=', username)
    .$call(findsAny)

export async function deleteOldDevices(tx: Tx, enteredBefore: number): Promise<void> {
  await tx.deleteFrom('device_users').where('entered_at', '<', enteredBefore).execute()
}
