import { column, type Step } from './steps.ts'

/** Devices that are boards on a wall, and the sessions that last there. */
export const boards: Record<string, Step> = {
  stations_kind: column('kind', 'stations', (c) => c.key(16)),
  sessions_board: column('board', 'sessions', (c) => c.integer),
}
