import type { SealingStation } from '../../contract/sealing-stations.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { nameKey } from '../../domain/recordings.ts'
import type { Reader, Tx } from './db.ts'

export async function listSealingStations(db: Reader, filter: { seal?: string } = {}): Promise<SealingStation[]> {
  let query = db
    .selectFrom('sealing_stations')
    .select(['id', 'seal', 'station_name', 'created_at', 'updated_at', 'version'])
    .orderBy('seal')
    .orderBy('station_name')
  if (filter.seal !== undefined) query = query.where('seal_key', '=', nameKey(filter.seal))
  const rows = await query.execute()
  return rows.map((row) => ({
    id: row.id,
    seal: row.seal,
    sealingStationName: row.station_name,
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
    version: row.version,
  }))
}

/** Throws a unique violation when the pair is registered already. */
export async function insertSealingStation(
  tx: Tx,
  station: { seal: string; sealingStationName: string; at: number },
): Promise<void> {
  await tx
    .insertInto('sealing_stations')
    .values({
      seal: station.seal.trim(),
      seal_key: nameKey(station.seal),
      station_name: station.sealingStationName.trim(),
      station_name_key: nameKey(station.sealingStationName),
      version: 1,
      created_at: station.at,
      updated_at: station.at,
    })
    .execute()
}
