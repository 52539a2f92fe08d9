import type { Generated } from 'kysely'
import type { AuditAction, AuditSubject } from '../../../contract/audit-entries.ts'
import type { CrimpHistoryEntry, MaintenanceRecord } from '../../../contract/crimp-counters.ts'
import type { DocumentMediaType, TargetKind } from '../../../contract/documents.ts'
import type { RecordedPart } from '../../../contract/recordings.ts'
import type { RetainedWhy } from '../../../contract/retained-deliveries.ts'
import type { NamedCode } from '../../../domain/acts/recordings.ts'
import type { AccessTables } from './tables-access.ts'
import type { CallTables } from './tables-calls.ts'
import type { ContainmentTables } from './tables-containments.ts'
import type { QualityTables } from './tables-quality.ts'
import type { ScrapTables } from './tables-scraps.ts'
import type { ToolTables } from './tables-tools.ts'

/**
 * The tables as the database holds them. Instants are epoch milliseconds (`…_at`), days `YYYY-MM-DD` (`…_day`),
 * flags 0 or 1, `…_json` is JSON text.
 */
type PlainTables = {
  settings: { name: string; value: string }
  applicators: {
    id: Generated<number>
    terminal: string
    terminal_key: string
    miniaplicator: string
    miniaplicator_key: string
    version: number
    created_at: number
    updated_at: number
  }
  applicator_units: {
    name_key: string
    name: string
    cycle: number
    /** Sum of the ledger's rows of this cycle. */
    crimps: number
    /** Sum of all the unit's rows. */
    lifetime_crimps: number
    /** -1: unlimited. */
    limit_crimps: number
    /** The scheduled maintenance; null until there is one. */
    service_order: number | null
    maintenance_day: string | null
    comments: string | null
    /** Counts what people change: crimps leave it as it is. */
    version: number
    updated_at: number
    /** The last resolved call about it, task that was done, or reset; null: none since they are written down. */
    maintained_at: number | null
    /** Since when its newest maintenance record declares it unsafe; null: none does. */
    unsafe_since: number | null
  }
  /** A unit as it was before somebody changed it. Rows are only ever added. */
  crimp_history: {
    id: Generated<number>
    unit_key: string
    name: string
    cycle: number
    crimps: number
    limit_crimps: number
    service_order: number | null
    maintenance_day: string | null
    comments: string | null
    change: CrimpHistoryEntry['change']
    user_id: number
    changed_by: string
    at: number
  }
  /** Record of a line of the history; lines are only added. */
  maintenance_records: {
    history_id: number
    service_order: number | null
    maintenance_day: string | null
    service_done: string
    parts: string
    safety_condition: MaintenanceRecord['safetyCondition']
    responsible: string
  }
  crimp_ledger: {
    id: Generated<number>
    /** A recording, or a scrap: the act that moved the counter. */
    recording_id: string
    reason: LedgerReason
    unit_key: string
    cycle: number
    crimps: number
    at: number
  }
  sealing_stations: {
    id: Generated<number>
    seal: string
    seal_key: string
    station_name: string
    station_name_key: string
    version: number
    created_at: number
    updated_at: number
  }
  recordings: {
    id: string
    content_hash: string
    state: RecordingState
    /** 1 once a promise ('salvo') was given: nothing may undo it silently. */
    promised: number
    /** 0 before it is taken and once it is refused, superseded or discarded; the indexes hold it because, unlike the state, it seldom changes. */
    counted: number
    part: RecordedPart
    branch: string
    /** Empty for a junction, which has a position instead. */
    barcode: string
    position: string
    order_number: string
    pieces: number
    machine: string
    lot: string
    terminal: string
    unit_key: string | null
    payload_json: string
    capture_json: string | null
    user_id: number
    operator: string
    /** The ERP's words of success or refusal; else why a person must decide. */
    erp_message: string | null
    /** The recording that corrected this one. */
    superseded_by: string | null
    recorded_at: number
    received_at: number
    production_day: string
    /** Wire gauge, mm² in thousandths; null where no copy said a number. */
    gauge_milli: number | null
  }
  daily_production: {
    /** Hash of the columns that follow; a key over all of them would be too long for InnoDB. */
    id: string
    production_day: string
    branch: string
    part: RecordedPart
    order_number: string
    machine: string
    operator: string
    /** Empty where no registered tool was used. */
    unit_key: string
    terminal: string
    pieces: number
    recordings: number
  }
  erp_items: {
    branch: string
    barcode: string
    order_number: string
    row_json: string
    ordered: number
    registered_cabo: number
    registered_l1: number
    registered_l2: number
    /** Accepted here, not yet confirmed by the ERP. */
    on_way_cabo: number
    on_way_l1: number
    on_way_l2: number
    /** 1 once the ERP has it as received, or took our word for it. */
    received: number
    /** 1 while a receipt accepted here is not yet confirmed by the ERP. */
    receipt_on_way: number
    /** When this server last learnt of a delivery; a read that began earlier must not overwrite it. */
    settled_at: number
    fetched_at: number
    /** 1: it came with the whole of its order; null: alone, by its barcode. */
    of_order: number | null
  }
  /** Codes that copies name, also those that are gone. */
  known_codes: { code_key: string; kind: NamedCode['kind'] }
  erp_machines: { branch: string; machine_type: string; rows_json: string; fetched_at: number }
  erp_junctions: {
    branch: string
    order_number: string
    position: string
    row_json: string
    planned: number
    /** As the ERP said it last. */
    percent_read: number
    /** Pieces that the ERP has taken since. */
    delivered_since: number
    /** Accepted here, not yet confirmed by the ERP. */
    on_way: number
    /** When this server last learnt of a delivery; a read that began earlier must not overwrite it. */
    settled_at: number
    fetched_at: number
  }
  /** The position is empty where all of an order were asked for. */
  erp_junction_details: {
    branch: string
    order_number: string
    position: string
    details_json: string
    fetched_at: number
  }
  erp_outbox: {
    seq: Generated<number>
    /** The recording's id. */
    id: string
    operation: Operation
    branch: string
    natural_key: string
    payload_json: string
    state: OutboxState
    /** How often its bytes may have left. */
    attempts: number
    /** How often in a row they could not: the wait for the next try grows with it. */
    postponed: number
    /** Inquiries so far about a write of unknown outcome. */
    inquiries: number
    due_at: number
    lease_owner: string | null
    lease_until: number
    /** The ERP's count before the first attempt: pieces, or percent of a junction. */
    snapshot: number | null
    /** By how much the write raises that. */
    raises: number
    /** When the bytes may last have left. */
    sent_at: number | null
    /** First of two reads that still showed the snapshot. */
    unchanged_at: number | null
    message: string | null
    /** The ERP's own, where its answer left open whether it has the recording. */
    words: string | null
    /** The state that a person put back to be asked about and sent again; it returns to that where nothing is decided. */
    resent_from: ResentFrom | null
    /** How often it had left by then. */
    resent_attempts: number | null
    /** 1: at the last sending the ERP had more than this panel had read and sent. */
    written_elsewhere: number | null
    created_at: number
    settled_at: number | null
  }
  /**
   * Deliveries whose author's session was not to be trusted any more: frozen, and no part of anything until an admin
   * decides.
   */
  retained_deliveries: {
    id: string
    part: RecordedPart
    /** Body of the request. */
    body_json: string
    content_hash: string
    user_id: number
    username: string
    full_name: string
    session_id: string
    /** For which its grant was given; the session's id in grants of versions before. */
    device: string
    device_name: string
    reason: RetainedWhy
    recorded_at: number
    received_at: number
    /** `arrived`: it came again under a session that is good. */
    state: 'open' | 'taken' | 'discarded' | 'arrived'
    decided_at: number | null
  }
  /** Calls that the servers of a plant have open at the ERP. */
  erp_slots: { slot: number; lease_owner: string; lease_until: number }
  /** Each server's report on itself, as of a moment ago; see `domain/plant/alarms.ts`. */
  server_reports: { server: string; reported_at: number; facts_json: string }
  /** State of each kind of alarm in each channel: the sum of its subjects. */
  alarm_states: {
    kind: string
    channel: string
    /** Null: it is off. */
    begun_at: number | null
    is_said: number
    said_at: number | null
    lease_owner: string | null
    lease_until: number
  }
  /** State of each subject of a kind in each channel, as `painel1:3000 erp`; empty where it is the whole plant. */
  alarm_subjects: {
    kind: string
    channel: string
    subject: string
    begun_at: number | null
    is_said: number
    said_at: number | null
    /** When a report named it last, to ten minutes. */
    named_at: number
  }
  /** The audit trail. Lines are only ever added. */
  audit_entries: {
    id: Generated<number>
    at: number
    user_id: number
    user_name: string
    action: AuditAction
    subject_kind: AuditSubject
    subject_id: string
    reason: string | null
    details_json: string
  }
  /** The columns of the trail; unlike its lines, these go after a year. */
  accesses: Tables['audit_entries']
  /** Changes of each commit that a page may show. Other servers read them; rows go after an hour. */
  live_changes: { id: Generated<number>; changes_json: string; at: number }
  /** Log lines of the servers, see `contract/log-entries.ts`. `level` counts from the mildest, 0. */
  log_entries: {
    id: Generated<number>
    at: number
    level: number
    source: string
    message: string
    error: string | null
    details_json: string | null
  }
  documents: { id: Generated<number>; title: string; version: number; created_at: number; updated_at: number }
  /** The things a document is about. The revision is a product's; empty for all of them. */
  document_targets: {
    id: Generated<number>
    document_id: number
    kind: TargetKind
    code: string
    code_key: string
    revision: string
  }
  document_revisions: {
    id: Generated<number>
    document_id: number
    revision: string
    /** Also the name of its file. */
    sha256: string
    file_name: string
    media_type: DocumentMediaType
    bytes: number
    width_px: number | null
    height_px: number | null
    uploaded_at: number
    uploaded_by: string
    /** All three are null unless operators see it no more. */
    withdrawn_at: number | null
    withdrawn_by: string | null
    withdrawal_reason: string | null
  }
}

export type Tables = PlainTables &
  AccessTables &
  CallTables &
  ContainmentTables &
  QualityTables &
  ScrapTables &
  ToolTables

/**
 * `restored`: undone, then found to have been shown as saved. `sample`: history of the demonstration data. `scrap`: thrown away; its
 * lines name a scrap in place of a recording.
 */
export type LedgerReason =
  | 'recorded'
  | 'refused'
  | 'restored'
  | 'superseded'
  | 'discarded'
  | 'sample'
  | 'scrap'
  | 'scrap-undone'

/**
 * waiting: accepted, on its way. delivered: the ERP has it. refused: undone before anybody was told it is saved.
 * parked: refused after that. uncertain: nobody but a person can tell whether the ERP has it. superseded: corrected by
 * another recording. discarded: taken back by an admin. Counted are waiting, delivered, parked and uncertain.
 */
export type RecordingState = 'waiting' | 'delivered' | 'refused' | 'parked' | 'uncertain' | 'superseded' | 'discarded'

/** new: nothing left. sending: the bytes may have left. unknown: they did, and no answer came. The rest are final. */
export type OutboxState = 'new' | 'sending' | 'unknown' | 'confirmed' | 'refused' | 'manual'

export type ResentFrom = Extract<RecordingState, 'parked' | 'uncertain'>

/** Operations of the ERP, by the name of the gateway's call. */
export type Operation = 'recordCutCrimp' | 'recordJunction' | 'confirmReceipt'
