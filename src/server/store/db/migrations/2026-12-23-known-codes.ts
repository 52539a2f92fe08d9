import { id, index, must, type Step, table } from './steps.ts'

/** By which a lot is told from the code of something else: a start fills in those of the copies of before. */
export const knownCodes: Record<string, Step> = {
  known_codes: table('known_codes', (t, c) =>
    t.addColumn('code_key', c.key(255), id).addColumn('kind', c.key(16), must),
  ),
  sealing_stations_station: index('sealing_stations_station', 'sealing_stations', 'station_name_key'),
}
