import type { Generated, GeneratedAlways } from 'kysely'
import type {
  Characteristic,
  Finding,
  Measurement,
  MeasurementAction,
  Occasion,
  Verdict,
} from '../../../contract/measurements.ts'
import type { PlanMode } from '../../../contract/settings.ts'
import type { SignalCause } from '../../../contract/spc.ts'

/** Of what quality asks for, and with what it is measured; as `Tables`. `…_milli` are thousandths of mm, mm² or the unit of force. */
export type QualityTables = {
  /** The versions of plans: rows are only added, and only their end is ever written again. */
  control_plans: {
    id: Generated<number>
    /** Hash of the columns up to the machine, the same for all versions of a plan; a key over all of them would be too long for InnoDB. */
    place: string
    /** Empty, as unit and machine: for all of them. */
    branch: string
    terminal: string
    terminal_key: string
    gauge_milli: number
    unit: string
    machine: string
    version: number
    height_nominal_milli: number | null
    height_minus_milli: number | null
    height_plus_milli: number | null
    force_min_milli: number | null
    width_nominal_milli: number | null
    width_minus_milli: number | null
    width_plus_milli: number | null
    insulation_nominal_milli: number | null
    insulation_minus_milli: number | null
    insulation_plus_milli: number | null
    height_readings: number
    force_readings: number
    every_pieces: number | null
    last_piece: number
    instrument: string
    reaction: string
    valid_from: number
    /** Null: until further notice. */
    valid_until: number | null
  }
  instruments: {
    id: Generated<number>
    code: string
    code_key: string
    description: string
    resolution_milli: number
    calibrated_until_day: string | null
    active: number
    version: number
  }
  /** A row a characteristic of an act: what was measured together has one `act_id`. */
  measurements: {
    id: Generated<number>
    /** The device's id of a sample; of what a recording itself measured, the recording's. */
    act_id: string
    characteristic: Characteristic
    content_hash: string
    /** Only of what a recording itself measured: it counts as long as that does. */
    recording_id: string | null
    branch: string
    order_number: string
    barcode: string
    position: string
    part: Measurement['parte']
    terminal: string
    terminal_key: string
    /** Null, and so in no series, where the copy said no number. */
    gauge_milli: number | null
    /** Empty without a tool, and so in no series. */
    unit: string
    unit_key: string
    unit_cycle: number | null
    machine: string
    lot: string
    /** `YYYY-MM-DD#nth` */
    shift: string
    occasion: Occasion
    instrument: string
    readings_json: string
    n: number
    sum_milli: number
    min_milli: number
    max_milli: number
    source: 'operador' | 'maquina'
    plan_id: number | null
    verdict: Verdict
    action: MeasurementAction | null
    /** As a list of words with blanks; empty: none. */
    findings: '' | Finding | (string & {})
    operator: string
    user_id: number
    measured_at: number
    measured_day: string
    received_at: number
    /** The smaller of both instants, by which the newest is told: one of a clock that ran ahead is brought back. */
    ordered_at: GeneratedAlways<number>
    /** 0: its recording does not count, or it came under a grant that is not to be trusted. */
    counted: number
    /** 0: in no chart: implausible, two wires, or without a key. */
    charted: number
    /** All three are null as long as it is valid. */
    invalid_reason: string | null
    invalid_by: string | null
    invalid_at: number | null
    cause: SignalCause | null
    cause_note: string | null
    cause_by: string | null
    cause_at: number | null
  }
  /** The samples that a recording names. */
  recording_measurements: { recording_id: string; act_id: string }
  /** What was noted of a recording that no plan stopped; rows are only added. */
  recording_findings: {
    id: Generated<number>
    recording_id: string
    finding: Finding
    mode: PlanMode
    reason: string
    release_id: string | null
    details_json: string
    at: number
  }
  releases: {
    id: string
    branch: string
    /** Which place of work: item and part, or order, junction. */
    subject: string
    reason: string
    user_id: number
    given_by: string
    at: number
    day: string
    /** That it let through: it is good for one. Null: for none yet. */
    recording_id: string | null
  }
  /** Of a control chart; rows are only added, the newest is in force. */
  spc_limits: {
    id: Generated<number>
    /** Hash of the series' key. */
    series: string
    version: number
    kind: 'I-MR' | 'X-R'
    n: number
    k: number
    from_measured_at: number
    until_measured_at: number
    mean: number
    range_mean: number
    reason: string
    /** 'painel' of the first ones. */
    set_by: string
    set_user_id: number | null
    at: number
    day: string
  }
  /** What the list of series says of each: a roll-up of its samples, limits and causes, made anew when those change. */
  spc_series: {
    /** Hash of the series' key. */
    series: string
    branch: string
    unit: string
    unit_key: string
    terminal: string
    terminal_key: string
    gauge_milli: number
    characteristic: Characteristic
    /** How often something was changed in it, and how often when it was summed up. */
    changes: number
    summed_changes: number
    /** Of the newest 500, those that are valid. */
    samples: number
    /** Where the newest was taken. */
    machine: string
    /** Null without a sample. */
    measured_at: number | null
    /** Of all readings since the limits in force: how many, and what they say of the process. */
    readings: number
    mean: number
    sigma: number
    /** When the points with signals were measured: those of the last days. */
    signals_json: string
  }
}
