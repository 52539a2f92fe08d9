import { column, type Step } from './steps.ts'

/** By what an enrolled device proves that it is one; a device's own cookie may be somebody else's too. */
export const stationSecrets: Record<string, Step> = {
  stations_secret_hash: column('secret_hash', 'stations', (c) => c.key(64)),
}
