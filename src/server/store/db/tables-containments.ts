import type { Generated } from 'kysely'
import type {
  Certainty,
  ContainmentKind,
  ContainmentState,
  ReleaseCheck,
  StepKind,
  WindowBasis,
} from '../../../contract/containments.ts'
import type { Characteristic } from '../../../contract/measurements.ts'

/** Tables of suspect pieces; as `Tables`. Texts are empty, numbers null where the subject has none. */
export type ContainmentTables = {
  containments: {
    id: string
    content_hash: string
    /** As it is printed, for all plants, see `containment_numbers`. */
    number: number
    branch: string
    kind: ContainmentKind
    /** Hash of act and characteristic, so that a reading has one containment; null by hand. */
    origin_key: string | null
    act_id: string | null
    characteristic: Characteristic | null
    /** In words. */
    subject: string
    part_group: 'crimpagem' | 'juncao' | ''
    unit: string
    unit_key: string
    terminal: string
    terminal_key: string
    gauge_milli: number | null
    machine: string
    machine_key: string
    lot: string
    instrument: string
    start_at: number | null
    basis: WindowBasis
    end_at: number | null
    /** 1: it grows until a reading ends it. */
    is_open_ended: number
    /** Why it was opened, of one by hand. */
    reason: string
    /** All four are null unless somebody changed its ends. */
    widened_reason: string | null
    widened_at: number | null
    widened_by: string | null
    widened_user_id: number | null
    state: ContainmentState
    /** All four are null as long as it is open. */
    close_reason: string | null
    closed_at: number | null
    closed_by: string | null
    closed_user_id: number | null
    version: number
    opened_at: number
    opened_day: string
    opened_by: string
    opened_user_id: number
  }
  /** The recordings of a containment: rows only join. */
  containment_rows: {
    id: Generated<number>
    containment_id: string
    recording_id: string
    certainty: Certainty
    /** Those that it joined with; later numbers are steps. */
    pieces: number
    /** Raised by each step, which lines decisions up. */
    version: number
  }
  /** What was decided about the pieces of a row; rows are only added. */
  containment_steps: {
    id: Generated<number>
    /** The press at which all its rows were decided. */
    press_id: string
    content_hash: string
    containment_id: string
    row_id: number
    kind: StepKind
    /** The step that is taken back. */
    of_step: number | null
    pieces: number
    reason: string
    checked: ReleaseCheck | null
    sample_pieces: number | null
    checked_text: string | null
    scrap_reason: string | null
    /** 'painel', without a user, where nobody pressed anything. */
    decided_by: string
    user_id: number | null
    at: number
    decided_day: string
  }
  /** One row, changed by each opening, which lines them up. */
  containment_numbers: { id: number; last_number: number }
}
