import { column, id, index, must, type Step, table } from './steps.ts'

/** Badges with their PINs, the shared devices on which they hold, and which sessions they opened. */
export const badges: Record<string, Step> = {
  badges: table('badges', (t, c) =>
    t
      .addColumn('user_id', c.integer, id)
      .addColumn('code_hash', c.key(64))
      .addColumn('issued_at', c.integer)
      .addColumn('pin_hash', c.key(255))
      .addColumn('last_lock_at', c.integer)
      .addColumn('earlier_lock_at', c.integer)
      .addColumn('blocked_at', c.integer),
  ),
  badges_code: index('badges_code', 'badges', 'code_hash'),
  stations: table('stations', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('device', c.key(64), must)
      .addColumn('name', c.key(255), must)
      .addColumn('enrolled_by', c.key(255), must)
      .addColumn('enrolled_at', c.integer, must),
  ),
  stations_device: index('stations_device', 'stations', 'device'),
  sessions_by_badge: column('by_badge', 'sessions', (c) => c.integer),
}
