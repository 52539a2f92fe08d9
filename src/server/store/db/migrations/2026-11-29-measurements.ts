import { id, index, must, type Step, table } from './steps.ts'

/** What was measured, what was noted beside recordings, who released one, and the limits of control charts. */
export const measurements: Record<string, Step> = {
  measurements: table('measurements', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('act_id', c.key(36), must)
      .addColumn('characteristic', c.key(20), must)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('recording_id', c.key(36))
      .addColumn('branch', c.key(12), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('barcode', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('part', c.key(16), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('gauge_milli', c.integer)
      .addColumn('unit', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('unit_cycle', c.integer)
      .addColumn('machine', c.key(255), must)
      .addColumn('lot', c.key(255), must)
      .addColumn('shift', c.key(16), must)
      .addColumn('occasion', c.key(32), must)
      .addColumn('instrument', c.key(64), must)
      .addColumn('readings_json', c.longText, must)
      .addColumn('n', c.integer, must)
      .addColumn('sum_milli', c.integer, must)
      .addColumn('min_milli', c.integer, must)
      .addColumn('max_milli', c.integer, must)
      .addColumn('source', c.key(16), must)
      .addColumn('plan_id', c.integer)
      .addColumn('verdict', c.key(16), must)
      .addColumn('action', c.key(16))
      .addColumn('findings', c.longText, must)
      .addColumn('operator', c.key(255), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('measured_at', c.integer, must)
      .addColumn('measured_day', c.key(10), must)
      .addColumn('received_at', c.integer, must)
      .addColumn('counted', c.integer, must)
      .addColumn('charted', c.integer, must)
      .addColumn('invalid_reason', c.longText)
      .addColumn('invalid_by', c.key(255))
      .addColumn('invalid_at', c.integer)
      .addColumn('cause', c.key(32))
      .addColumn('cause_note', c.longText)
      .addColumn('cause_by', c.key(255))
      .addColumn('cause_at', c.integer)
      .addUniqueConstraint('measurements_act', ['act_id', 'characteristic']),
  ),
  measurements_series: index(
    'measurements_series',
    'measurements',
    'branch',
    'counted',
    'charted',
    'unit_key',
    'terminal_key',
    'gauge_milli',
    'characteristic',
    'measured_at',
  ),
  measurements_item: index('measurements_item', 'measurements', 'branch', 'barcode'),
  measurements_order: index(
    'measurements_order',
    'measurements',
    'branch',
    'order_number',
    'terminal_key',
    'measured_at',
  ),
  measurements_recording: index('measurements_recording', 'measurements', 'recording_id'),
  recording_measurements: table('recording_measurements', (t, c) =>
    t
      .addColumn('recording_id', c.key(36), must)
      .addColumn('act_id', c.key(36), must)
      .addPrimaryKeyConstraint('recording_measurements_key', ['recording_id', 'act_id']),
  ),
  recording_findings: table('recording_findings', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('recording_id', c.key(36), must)
      .addColumn('finding', c.key(32), must)
      .addColumn('mode', c.key(16), must)
      .addColumn('reason', c.longText, must)
      .addColumn('release_id', c.key(36))
      .addColumn('details_json', c.longText, must)
      .addColumn('at', c.integer, must),
  ),
  recording_findings_recording: index('recording_findings_recording', 'recording_findings', 'recording_id'),
  recording_findings_at: index('recording_findings_at', 'recording_findings', 'finding', 'at'),
  releases: table('releases', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('branch', c.key(12), must)
      .addColumn('subject', c.key(255), must)
      .addColumn('reason', c.longText, must)
      .addColumn('user_id', c.integer, must)
      .addColumn('given_by', c.key(255), must)
      .addColumn('at', c.integer, must)
      .addColumn('day', c.key(10), must)
      .addColumn('recording_id', c.key(36)),
  ),
  spc_limits: table('spc_limits', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('series', c.key(64), must)
      .addColumn('version', c.integer, must)
      .addColumn('kind', c.key(8), must)
      .addColumn('n', c.integer, must)
      .addColumn('k', c.integer, must)
      .addColumn('from_measured_at', c.integer, must)
      .addColumn('until_measured_at', c.integer, must)
      .addColumn('mean', c.number, must)
      .addColumn('range_mean', c.number, must)
      .addColumn('reason', c.longText, must)
      .addColumn('set_by', c.key(255), must)
      .addColumn('set_user_id', c.integer)
      .addColumn('at', c.integer, must)
      .addColumn('day', c.key(10), must)
      .addUniqueConstraint('spc_limits_version', ['series', 'version']),
  ),
}
