import type { StationKind } from '../../contract/stations.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { SessionEnd } from './sessions.ts'

export type StoredStation = {
  id: number
  device: string
  name: string
  enrolledBy: string
  enrolledAt: number
  kind: StationKind
}

const all = (db: Reader) =>
  db
    .selectFrom('stations')
    .select(['id', 'device', 'name', 'enrolled_by as enrolledBy', 'enrolled_at as enrolledAt'])
    .select((e) => e.fn.coalesce('kind', e.val<StationKind>('shared')).as('kind'))
    .orderBy('name')
    .orderBy('id')

export const listStations = (db: Reader): Promise<StoredStation[]> => all(db).execute()

export const findStation = async (db: Reader, by: { id: number } | { device: string }): Promise<StoredStation | null> =>
  (await all(db)
    .where((e) => e.and(by))
    .executeTakeFirst()) ?? null

export const isStation = async (db: Reader, device: string | null, kind: StationKind): Promise<boolean> =>
  device !== null && (await findStation(db, { device }))?.kind === kind

export async function insertStation(tx: Tx, { enrolledBy, enrolledAt, ...station }: Omit<StoredStation, 'id'>) {
  await tx
    .insertInto('stations')
    .values({ ...station, enrolled_by: enrolledBy, enrolled_at: enrolledAt })
    .execute()
}

/** Every row of the device: two calls at once may have enrolled it twice. */
export const deleteStation = (tx: Tx, device: string): Promise<boolean> =>
  tx.deleteFrom('stations').where('device', '=', device).$call(changesOne)

/** The live sessions that only what this device was enrolled as has opened. */
export async function endStationSessions(tx: Tx, device: string, { at, why }: SessionEnd): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: at, ended_why: why })
    .where('device', '=', device)
    .where((e) => e.or([e('by_badge', '=', 1), e('board', '=', 1)]))
    .where('revoked_at', 'is', null)
    .execute()
}
