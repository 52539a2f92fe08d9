import { column, id, index, must, type Step, table } from './steps.ts'

/** Calls for maintenance, the presses that joined one, the numbers of each plant, and when a tool was last maintained. */
export const maintenanceCalls: Record<string, Step> = {
  maintenance_calls: table('maintenance_calls', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('call_number', c.integer, must)
      .addColumn('branch', c.key(12), must)
      .addColumn('machine', c.key(255), must)
      .addColumn('machine_key', c.key(255), must)
      .addColumn('unit', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('barcode', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('side', c.key(4), must)
      .addColumn('symptom', c.key(32), must)
      .addColumn('note', c.longText, must)
      .addColumn('state', c.key(16), must)
      .addColumn('opened_at', c.integer, must)
      .addColumn('opened_day', c.key(10), must)
      .addColumn('received_at', c.integer, must)
      .addColumn('opened_by', c.key(255), must)
      .addColumn('opened_user_id', c.integer, must)
      .addColumn('trusted', c.integer, must)
      .addColumn('late', c.integer, must)
      .addColumn('joined', c.integer, must)
      .addColumn('acknowledged_at', c.integer)
      .addColumn('acknowledged_by', c.key(255))
      .addColumn('acknowledged_user_id', c.integer)
      .addColumn('settled_at', c.integer)
      .addColumn('settled_by', c.key(255))
      .addColumn('settled_user_id', c.integer)
      .addColumn('cause', c.key(32))
      .addColumn('cause_text', c.longText)
      .addColumn('done', c.longText)
      .addColumn('reason', c.longText)
      .addColumn('record_json', c.longText)
      .addColumn('version', c.integer, must)
      .addUniqueConstraint('maintenance_calls_number', ['branch', 'call_number']),
  ),
  maintenance_calls_state: index('maintenance_calls_state', 'maintenance_calls', 'branch', 'state'),
  maintenance_calls_day: index('maintenance_calls_day', 'maintenance_calls', 'branch', 'opened_day'),
  maintenance_call_joins: table('maintenance_call_joins', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('call_id', c.key(36), must)
      .addColumn('joined_at', c.integer, must)
      .addColumn('joined_day', c.key(10), must)
      .addColumn('joined_by', c.key(255), must)
      .addColumn('user_id', c.integer, must),
  ),
  maintenance_call_numbers: table('maintenance_call_numbers', (t, c) =>
    t
      .addColumn('branch', c.key(12), id)
      .addColumn('last_number', c.integer, must)
      .addColumn('presses', c.integer, must),
  ),
  applicator_units_maintained: column('maintained_at', 'applicator_units', (c) => c.integer),
}
