import { actKinds } from './act-kinds.ts'
import type { Tables } from './db/tables.ts'

const MINUTE_MS = 60_000
/** Clocks of servers and databases differ by less. */
export const SOON_MS = 5 * MINUTE_MS

/**
 * A number: brought back to now where it lies further ahead (ms). lease: by how long a call to the ERP may take. said: an act's own
 * instant, which stays as its author said it. planned: an end that lies ahead on purpose. day: the same where it is
 * the beginning of a day at the plant, else brought back. line: of a trail, whose lines never
 * change. unread: nothing decides by it. derived: made of others.
 */
type Treatment = number | 'lease' | 'said' | 'planned' | 'day' | 'line' | 'unread' | 'derived'

type Instants = { [Table in keyof Tables]?: Partial<Record<keyof Tables[Table] & string, Treatment>> }

/** Every column of an instant; `test/store/instants.test.ts` compares it with the schema. What acts are received by is added from their kinds. */
const listed: Instants = {
  applicators: { created_at: SOON_MS, updated_at: SOON_MS },
  applicator_units: { updated_at: SOON_MS, maintained_at: SOON_MS, unsafe_since: SOON_MS },
  crimp_history: { at: SOON_MS },
  crimp_ledger: { at: 'unread' },
  sealing_stations: { created_at: SOON_MS, updated_at: SOON_MS },
  recordings: { recorded_at: 'said' },
  erp_items: { fetched_at: SOON_MS, settled_at: SOON_MS },
  erp_machines: { fetched_at: SOON_MS },
  erp_junctions: { fetched_at: SOON_MS, settled_at: SOON_MS },
  erp_junction_details: { fetched_at: SOON_MS },
  erp_outbox: {
    ...{ due_at: 20 * MINUTE_MS, lease_until: 'lease', sent_at: SOON_MS, unchanged_at: SOON_MS, created_at: SOON_MS },
    settled_at: 'unread',
  },
  erp_slots: { lease_until: 'lease' },
  retained_deliveries: { recorded_at: 'said', received_at: SOON_MS, decided_at: SOON_MS },
  server_reports: { reported_at: SOON_MS },
  alarm_states: { begun_at: SOON_MS, said_at: SOON_MS, lease_until: SOON_MS },
  alarm_subjects: { begun_at: SOON_MS, said_at: SOON_MS, named_at: SOON_MS },
  audit_entries: { at: 'line' },
  accesses: { at: 'line' },
  live_changes: { at: SOON_MS },
  log_entries: { at: 'line' },
  documents: { created_at: SOON_MS, updated_at: SOON_MS },
  document_revisions: { uploaded_at: SOON_MS, withdrawn_at: SOON_MS },
  users: { created_at: SOON_MS },
  sessions: {
    ...{ created_at: SOON_MS, last_used_at: SOON_MS, revoked_at: SOON_MS, password_at: SOON_MS, touched_at: SOON_MS },
    expires_at: 'planned',
  },
  session_secrets: { valid_until: SOON_MS },
  badges: {
    issued_at: SOON_MS,
    last_lock_at: 'unread',
    earlier_lock_at: 'unread',
    blocked_at: SOON_MS,
    wrong_since: SOON_MS,
  },
  stations: { enrolled_at: SOON_MS },
  device_users: { entered_at: SOON_MS },
  epoch_witnesses: { seen_at: SOON_MS },
  login_throttles: { next_at: 16 * MINUTE_MS, updated_at: SOON_MS },
  maintenance_calls: { opened_at: 'said', acknowledged_at: SOON_MS, settled_at: SOON_MS },
  containments: {
    ...{ start_at: 'said', end_at: 'said', opened_at: SOON_MS, widened_at: SOON_MS, closed_at: SOON_MS },
  },
  containment_steps: { at: SOON_MS },
  control_plans: {
    ...{ valid_from: 'day', valid_until: 'day', created_at: SOON_MS, approved_at: SOON_MS, ended_at: SOON_MS },
  },
  instrument_calibrations: { at: SOON_MS },
  measurements: { measured_at: 'said', ordered_at: 'derived', invalid_at: SOON_MS, cause_at: SOON_MS },
  measurement_causes: { at: SOON_MS },
  scraps: { recorded_at: 'said', undone_at: SOON_MS },
  outside_acts: { measured_at: 'said', received_at: SOON_MS },
  sample_subjects: { at: SOON_MS },
  recording_findings: { at: SOON_MS },
  treatments: { at: SOON_MS },
  releases: { at: SOON_MS },
  invalidations: { at: SOON_MS },
  spc_limits: { from_measured_at: 'said', until_measured_at: 'said', at: SOON_MS },
  spc_series: { measured_at: SOON_MS },
  spc_signals: { seen_at: SOON_MS },
  wear_parts: { mounted_at: SOON_MS, removed_at: SOON_MS },
  task_runs: { recorded_at: SOON_MS },
}

type Instant = { table: keyof Tables; column: string; treatment: Treatment }

export const listInstants = (): Instant[] => [
  ...Object.entries(listed).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, treatment]) => ({ table: table as keyof Tables, column, treatment })),
  ),
  ...actKinds.map(({ table, receivedAt: column }) => ({ table, column, treatment: SOON_MS })),
]
