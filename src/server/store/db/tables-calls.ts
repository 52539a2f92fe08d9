import type { CallCause, CallState, CallSymptom, CallTopic } from '../../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../../contract/values.ts'

/** Tables of calls for a team; as `Tables`. */
export type CallTables = {
  maintenance_calls: {
    id: string
    content_hash: string
    /** Number within its plant, see `maintenance_call_numbers`. */
    call_number: number
    branch: string
    machine: string
    /** The machine's id, however it was spelled. */
    machine_key: string
    /** Empty where no tool is named. */
    unit: string
    unit_key: string
    barcode: string
    position: string
    order_number: string
    side: string
    symptom: CallSymptom
    note: string
    state: CallState
    /** The press. */
    opened_at: number
    /** At the plant. */
    opened_day: string
    received_at: number
    opened_by: string
    opened_user_id: number
    /** 0: it came without a session to be trusted. */
    trusted: number
    /** 1: nobody could have come in time, so it makes no sound. */
    late: number
    joined: number
    /** All three are null until somebody attends to it. */
    acknowledged_at: number | null
    acknowledged_by: string | null
    acknowledged_user_id: number | null
    /** Resolved or cancelled. */
    settled_at: number | null
    settled_by: string | null
    settled_user_id: number | null
    cause: CallCause | null
    cause_text: string | null
    done: string | null
    /** Reason of a cancellation; null where its author undid it. */
    reason: string | null
    /** The NR-12 record, where somebody wrote it. */
    record_json: string | null
    /** Counts what people change: a press that joins leaves it as it is. */
    version: number
    team: CallTeam
    /** Empty of maintenance, whose calls name a symptom. */
    topic: CallTopic | ''
    /** The sample outside that it follows; one that may not have come yet. */
    act_id: string | null
  }
  /** Presses that an open call took in, so that a repeated one is known. */
  maintenance_call_joins: {
    id: string
    content_hash: string
    call_id: string
    joined_at: number
    joined_day: string
    joined_by: string
    user_id: number
    /** As of a call. */
    act_id: string | null
  }
  /** The row of a plant is changed by each press, which lines them up. */
  maintenance_call_numbers: { branch: string; last_number: number; presses: number }
}
