import type { SealingStation, SealingStationForm } from '../../contract/sealing-stations.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { keysOfName } from '../../domain/people/names.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { changesOne, changeVersion, insertsRow, ofVersion, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Row = Omit<Tables['sealing_stations'], 'id' | 'seal_key' | 'station_name_key'> & { id: number }

const toStation = (row: Row): SealingStation => ({
  id: row.id,
  seal: row.seal,
  sealingStationName: row.station_name,
  createdAt: toInstant(row.created_at),
  updatedAt: toInstant(row.updated_at),
  version: row.version,
})

const inOrder = (db: Reader) =>
  db
    .selectFrom('sealing_stations')
    .select(['id', 'seal', 'station_name', 'created_at', 'updated_at', 'version'])
    .orderBy('seal')
    .orderBy('station_name')

export async function listSealingStations(db: Reader, filter: { seal?: string } = {}): Promise<SealingStation[]> {
  const { seal } = filter
  const query = seal === undefined ? inOrder(db) : inOrder(db).where('seal_key', 'in', keysOfName(seal))
  return (await query.execute()).map(toStation)
}

export async function findSealingStation(db: Reader, id: number): Promise<SealingStation | null> {
  const row = await inOrder(db).where('id', '=', id).executeTakeFirst()
  return row ? toStation(row) : null
}

const columns = (station: SealingStationForm) => ({
  seal: station.seal.trim(),
  seal_key: nameKey(station.seal),
  station_name: station.sealingStationName.trim(),
  station_name_key: nameKey(station.sealingStationName),
})

/** Returns its id; throws a unique violation when the pair is registered already. */
export const insertSealingStation = (tx: Tx, station: SealingStationForm & { at: number }): Promise<number> =>
  tx
    .insertInto('sealing_stations')
    .values({ ...columns(station), version: 1, created_at: station.at, updated_at: station.at })
    .$call(insertsRow)

/**
 * False when the pair is gone or is not of this version any more; null takes any. Throws a unique violation when the
 * new pair is registered already.
 */
export const updateSealingStation = (
  tx: Tx,
  id: number,
  { versionSeen, at, ...station }: SealingStationForm & { versionSeen: number | null; at: number },
): Promise<boolean> =>
  changeVersion(tx, 'sealing_stations', { id, versionSeen }, { ...columns(station), updated_at: at })

/** False as for an update. */
export async function deleteSealingStation(tx: Tx, id: number, versionSeen: number | null): Promise<boolean> {
  return await tx
    .deleteFrom('sealing_stations')
    .where((e) => e.and({ id, ...ofVersion(versionSeen) }))
    .$call(changesOne)
}
