import { column, id, index, must, type Step, table } from './steps.ts'

/** Which device a session and a grant belong to, why a session ended, and what an admin must decide because of that. */
export const retained: Record<string, Step> = {
  sessions_ended_why: column('ended_why', 'sessions', (c) => c.key(16)),
  sessions_device: column('device', 'sessions', (c) => c.key(64)),
  device_users: table('device_users', (t, c) =>
    t
      .addColumn('device', c.key(64), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('entered_at', c.integer, must)
      .addPrimaryKeyConstraint('device_users_key', ['device', 'user_id']),
  ),
  retained_deliveries: table('retained_deliveries', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('part', c.key(16), must)
      .addColumn('body_json', c.longText, must)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('username', c.key(64), must)
      .addColumn('full_name', c.key(255), must)
      .addColumn('session_id', c.key(36), must)
      .addColumn('device', c.key(64), must)
      .addColumn('device_name', c.key(255), must)
      .addColumn('reason', c.key(16), must)
      .addColumn('recorded_at', c.integer, must)
      .addColumn('received_at', c.integer, must)
      .addColumn('state', c.key(16), must)
      .addColumn('decided_at', c.integer),
  ),
  retained_deliveries_open: index('retained_deliveries_open', 'retained_deliveries', 'state', 'device'),
}
