import { id, index, must, type Step, table } from './steps.ts'

/**
 * Of something that may be traced, newest first. All that a trace counts is in it, for a machine may have many thousands;
 * the id decides among equal instants, and MariaDB reads the rows in order only where it stands here.
 */
const indexOfTrace = (name: string, traced: string) => {
  const counted = ['branch', 'barcode', 'order_number', 'pieces'].filter((column) => column !== traced)
  return index(name, 'recordings', traced, 'counted', 'recorded_at', 'id', ...counted)
}

/** The tables of sessions, look-ups, recordings, the crimp ledger, the outbox, the audit trail and live changes. */
export const house: Record<string, Step> = {
  settings: table('settings', (t, c) => t.addColumn('name', c.key(64), id).addColumn('value', c.longText, must)),
  users: table('users', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('username', c.key(64), (col) => col.notNull().unique())
      .addColumn('full_name', c.key(255), must)
      .addColumn('role', c.key(16), must)
      .addColumn('password_hash', c.key(255), must)
      .addColumn('active', c.integer, must)
      .addColumn('created_at', c.integer, must),
  ),
  sessions: table('sessions', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('user_id', c.integer, must)
      .addColumn('browser', c.integer, must)
      .addColumn('device_name', c.key(255), must)
      .addColumn('created_at', c.integer, must)
      .addColumn('expires_at', c.integer, must)
      .addColumn('last_used_at', c.integer, must)
      .addColumn('revoked_at', c.integer),
  ),
  session_secrets: table('session_secrets', (t, c) =>
    t
      .addColumn('hash', c.key(64), id)
      .addColumn('session_id', c.key(36), must)
      .addColumn('kind', c.key(8), must)
      .addColumn('generation', c.integer, must)
      .addColumn('valid_until', c.integer),
  ),
  session_secrets_session: index('session_secrets_session', 'session_secrets', 'session_id'),
  login_throttles: table('login_throttles', (t, c) =>
    t
      .addColumn('name', c.key(200), id)
      .addColumn('failures', c.integer, must)
      .addColumn('next_at', c.integer, must)
      .addColumn('updated_at', c.integer, must),
  ),
  applicators: table('applicators', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('miniaplicator', c.key(255), must)
      .addColumn('miniaplicator_key', c.key(255), must)
      .addColumn('version', c.integer, must)
      .addColumn('created_at', c.integer, must)
      .addColumn('updated_at', c.integer, must)
      .addUniqueConstraint('applicators_pair', ['terminal_key', 'miniaplicator_key']),
  ),
  applicator_units: table('applicator_units', (t, c) =>
    t
      .addColumn('name_key', c.key(255), id)
      .addColumn('name', c.key(255), must)
      .addColumn('cycle', c.integer, must)
      .addColumn('crimps', c.integer, must)
      .addColumn('lifetime_crimps', c.integer, must)
      .addColumn('limit_crimps', c.integer, must)
      .addColumn('service_order', c.integer)
      .addColumn('maintenance_day', c.key(10))
      .addColumn('comments', c.longText)
      .addColumn('version', c.integer, must)
      .addColumn('updated_at', c.integer, must),
  ),
  crimp_ledger: table('crimp_ledger', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('recording_id', c.key(64), must)
      .addColumn('reason', c.key(16), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('cycle', c.integer, must)
      .addColumn('crimps', c.integer, must)
      .addColumn('at', c.integer, must)
      .addUniqueConstraint('crimp_ledger_once', ['recording_id', 'reason']),
  ),
  crimp_ledger_unit: index('crimp_ledger_unit', 'crimp_ledger', 'unit_key', 'cycle'),
  crimp_history: table('crimp_history', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('name', c.key(255), must)
      .addColumn('cycle', c.integer, must)
      .addColumn('crimps', c.integer, must)
      .addColumn('limit_crimps', c.integer, must)
      .addColumn('service_order', c.integer)
      .addColumn('maintenance_day', c.key(10))
      .addColumn('comments', c.longText)
      .addColumn('change', c.key(16), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('changed_by', c.key(255), must)
      .addColumn('at', c.integer, must),
  ),
  sealing_stations: table('sealing_stations', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('seal', c.key(255), must)
      .addColumn('seal_key', c.key(255), must)
      .addColumn('station_name', c.key(255), must)
      .addColumn('station_name_key', c.key(255), must)
      .addColumn('version', c.integer, must)
      .addColumn('created_at', c.integer, must)
      .addColumn('updated_at', c.integer, must)
      .addUniqueConstraint('sealing_stations_pair', ['seal_key', 'station_name_key']),
  ),
  recordings: table('recordings', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('state', c.key(16), must)
      .addColumn('promised', c.integer, must)
      .addColumn('counted', c.integer, must)
      .addColumn('part', c.key(16), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('barcode', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('pieces', c.integer, must)
      .addColumn('machine', c.key(255), must)
      .addColumn('lot', c.key(255), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('unit_key', c.key(255))
      .addColumn('payload_json', c.longText, must)
      .addColumn('capture_json', c.longText)
      .addColumn('user_id', c.integer, must)
      .addColumn('operator', c.key(255), must)
      .addColumn('erp_message', c.longText)
      .addColumn('superseded_by', c.key(36))
      .addColumn('recorded_at', c.integer, must)
      .addColumn('received_at', c.integer, must)
      .addColumn('production_day', c.key(10), must),
  ),
  recordings_item: index('recordings_item', 'recordings', 'branch', 'barcode'),
  recordings_state: index('recordings_state', 'recordings', 'state'),
  recordings_lot: indexOfTrace('recordings_lot', 'lot'),
  recordings_barcode: indexOfTrace('recordings_barcode', 'barcode'),
  recordings_order: indexOfTrace('recordings_order', 'order_number'),
  recordings_unit: indexOfTrace('recordings_unit', 'unit_key'),
  recordings_machine: indexOfTrace('recordings_machine', 'machine'),
  daily_production: table('daily_production', (t, c) =>
    t
      .addColumn('id', c.key(64), id)
      .addColumn('production_day', c.key(10), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('part', c.key(16), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('machine', c.key(255), must)
      .addColumn('operator', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('pieces', c.integer, must)
      .addColumn('recordings', c.integer, must),
  ),
  daily_production_unit: index('daily_production_unit', 'daily_production', 'unit_key', 'production_day'),
  // terminals are named by joints too: which of them have crimps is asked without reading those
  daily_production_terminal: index(
    'daily_production_terminal',
    'daily_production',
    'terminal',
    'part',
    'production_day',
  ),
  daily_production_day: index('daily_production_day', 'daily_production', 'production_day'),
  erp_items: table('erp_items', (t, c) =>
    t
      .addColumn('branch', c.key(12), must)
      .addColumn('barcode', c.key(64), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('row_json', c.longText, must)
      .addColumn('ordered', c.number, must)
      .addColumn('registered_cabo', c.number, must)
      .addColumn('registered_l1', c.number, must)
      .addColumn('registered_l2', c.number, must)
      .addColumn('on_way_cabo', c.number, must)
      .addColumn('on_way_l1', c.number, must)
      .addColumn('on_way_l2', c.number, must)
      .addColumn('received', c.integer, must)
      .addColumn('receipt_on_way', c.integer, must)
      .addColumn('settled_at', c.integer, must)
      .addColumn('fetched_at', c.integer, must)
      .addPrimaryKeyConstraint('erp_items_key', ['branch', 'barcode']),
  ),
  erp_items_order: index('erp_items_order', 'erp_items', 'branch', 'order_number'),
  erp_machines: table('erp_machines', (t, c) =>
    t
      .addColumn('branch', c.key(12), must)
      .addColumn('machine_type', c.key(16), must)
      .addColumn('rows_json', c.longText, must)
      .addColumn('fetched_at', c.integer, must)
      .addPrimaryKeyConstraint('erp_machines_key', ['branch', 'machine_type']),
  ),
  erp_outbox: table('erp_outbox', (t, c) =>
    t
      .addColumn('seq', c.autoId)
      .addColumn('id', c.key(36), (col) => col.notNull().unique())
      .addColumn('operation', c.key(32), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('natural_key', c.key(128), must)
      .addColumn('payload_json', c.longText, must)
      .addColumn('state', c.key(16), must)
      .addColumn('attempts', c.integer, must)
      .addColumn('postponed', c.integer, must)
      .addColumn('inquiries', c.integer, must)
      .addColumn('due_at', c.integer, must)
      .addColumn('lease_owner', c.key(64))
      .addColumn('lease_until', c.integer, must)
      .addColumn('snapshot', c.number)
      .addColumn('raises', c.number, must)
      .addColumn('sent_at', c.integer)
      .addColumn('unchanged_at', c.integer)
      .addColumn('message', c.longText)
      .addColumn('created_at', c.integer, must)
      .addColumn('settled_at', c.integer),
  ),
  erp_outbox_open: index('erp_outbox_open', 'erp_outbox', 'state', 'natural_key', 'seq'),
  erp_outbox_last: index('erp_outbox_last', 'erp_outbox', 'branch', 'operation', 'state', 'seq'),
  erp_outbox_turn: index('erp_outbox_turn', 'erp_outbox', 'natural_key', 'seq'),
  audit_entries: table('audit_entries', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('at', c.integer, must)
      .addColumn('user_id', c.integer, must)
      .addColumn('user_name', c.key(255), must)
      .addColumn('action', c.key(32), must)
      .addColumn('subject_kind', c.key(32), must)
      .addColumn('subject_id', c.key(64), must)
      .addColumn('reason', c.longText)
      .addColumn('details_json', c.longText, must),
  ),
  audit_entries_subject: index('audit_entries_subject', 'audit_entries', 'subject_kind', 'subject_id'),
  live_changes: table('live_changes', (t, c) =>
    t.addColumn('id', c.autoId).addColumn('changes_json', c.longText, must).addColumn('at', c.integer, must),
  ),
  erp_slots: table('erp_slots', (t, c) =>
    t
      .addColumn('slot', c.integer, (col) => col.notNull().primaryKey())
      .addColumn('lease_owner', c.key(64), must)
      .addColumn('lease_until', c.integer, must),
  ),
}
