import { column, id, must, type Step, table } from './steps.ts'

/** What each server reports of itself, what each channel has said of each alarm, and what tablets say of themselves. */
export const alarms: Record<string, Step> = {
  server_reports: table('server_reports', (t, c) =>
    t
      .addColumn('server', c.key(255), id)
      .addColumn('reported_at', c.integer, must)
      .addColumn('facts_json', c.longText, must),
  ),
  alarm_states: table('alarm_states', (t, c) =>
    t
      .addColumn('kind', c.key(32), must)
      .addColumn('channel', c.key(16), must)
      .addColumn('begun_at', c.integer)
      .addColumn('is_said', c.integer, must)
      .addColumn('said_at', c.integer)
      .addColumn('lease_owner', c.key(36))
      .addColumn('lease_until', c.integer, must)
      .addPrimaryKeyConstraint('alarm_states_key', ['kind', 'channel']),
  ),
  sessions_page_version: column('page_version', 'sessions', (c) => c.key(16)),
  sessions_waiting: column('waiting', 'sessions', (c) => c.integer),
}
