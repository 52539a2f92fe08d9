import { changesOne, type Reader, type Tx } from './db/db.ts'

export type StoredStation = { id: number; device: string; name: string; enrolledBy: string; enrolledAt: number }

const all = (db: Reader) =>
  db
    .selectFrom('stations')
    .select(['id', 'device', 'name', 'enrolled_by as enrolledBy', 'enrolled_at as enrolledAt'])
    .orderBy('name')
    .orderBy('id')

export const listStations = (db: Reader): Promise<StoredStation[]> => all(db).execute()

export const findStation = async (db: Reader, by: { id: number } | { device: string }): Promise<StoredStation | null> =>
  (await all(db)
    .where((e) => e.and(by))
    .executeTakeFirst()) ?? null

export async function insertStation(tx: Tx, { name, device, enrolledBy, enrolledAt }: Omit<StoredStation, 'id'>) {
  await tx.insertInto('stations').values({ device, name, enrolled_by: enrolledBy, enrolled_at: enrolledAt }).execute()
}

/** Every row of the device: two calls at once may have enrolled it twice. */
export const deleteStation = (tx: Tx, device: string): Promise<boolean> =>
  tx.deleteFrom('stations').where('device', '=', device).$call(changesOne)
