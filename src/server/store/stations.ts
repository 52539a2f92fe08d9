import type { StationKind } from '../../contract/stations.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import { endSessions, type SessionEnd } from './sessions.ts'

const all = (db: Reader) =>
  db
    .selectFrom('stations')
    .select([
      'id',
      'device',
      'name',
      'enrolled_by as enrolledBy',
      'enrolled_at as enrolledAt',
      'secret_hash as secretHash',
    ])
    .select((e) => e.fn.coalesce('kind', e.val<StationKind>('shared')).as('kind'))
    .orderBy('name')
    .orderBy('id')

export const listStations = (db: Reader) => all(db).execute()

type StoredStation = Awaited<ReturnType<typeof listStations>>[number]

export const findStation = async (db: Reader, by: { id: number } | { device: string }): Promise<StoredStation | null> =>
  (await all(db)
    .where((e) => e.and(by))
    .executeTakeFirst()) ?? null

/** A browser's cookies, as hashes. */
type Shown = { device: string | null; secret: string | null }

export const isShownBy = ({ device, secret }: Shown, station: Pick<StoredStation, 'device' | 'secretHash'>): boolean =>
  station.device === device && (station.secretHash === null || station.secretHash === secret)

/** Whether the browser that shows these is enrolled as one. */
export const isStation = async (db: Reader, shown: Shown, kind: StationKind): Promise<boolean> =>
  shown.device !== null &&
  (await all(db).where('device', '=', shown.device).execute()).some((one) => one.kind === kind && isShownBy(shown, one))

/** A device that is enrolled as one, whatever its browser shows: by this alone nothing opens. */
export const isSharedDevice = async (db: Reader, device: string | null): Promise<boolean> =>
  device !== null && (await findStation(db, { device }))?.kind === 'shared'

export async function insertStation(
  tx: Tx,
  { enrolledBy, enrolledAt, secretHash, ...station }: Omit<StoredStation, 'id'>,
): Promise<void> {
  await tx
    .insertInto('stations')
    .values({ ...station, enrolled_by: enrolledBy, enrolled_at: enrolledAt, secret_hash: secretHash })
    .execute()
}

/** Every row of the device: two calls at once may have enrolled it twice. */
export const deleteStation = (tx: Tx, device: string): Promise<boolean> =>
  tx.deleteFrom('stations').where('device', '=', device).$call(changesOne)

/** The live sessions that only what this device was enrolled as has opened. */
export async function endStationSessions(tx: Tx, device: string, end: SessionEnd): Promise<void> {
  await endSessions(tx, end)
    .where('device', '=', device)
    .where((e) => e.or([e('by_badge', '=', 1), e('board', '=', 1)]))
    .execute()
}
