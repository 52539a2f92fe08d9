import type { Generated, GeneratedAlways } from 'kysely'
import type { InstrumentKind } from '../../../contract/instruments.ts'
import type {
  Characteristic,
  Finding,
  Measurement,
  MeasurementAction,
  Occasion,
  Verdict,
} from '../../../contract/measurements.ts'
import type { PlanMode } from '../../../contract/settings.ts'
import type { SignalCause, SignalRule } from '../../../contract/spc.ts'
import type { TreatedKind } from '../../../contract/treatments.ts'

/** Tables of plans, gauges and measurements; as `Tables`. `…_milli` are thousandths of mm, mm² or the unit of force. */
export type QualityTables = {
  /** The versions of plans: rows are only added, and only their end and approval are ever written again. */
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
    /** 0: a value typed into a recording is no sample of it. Null: of a version before, which knew no such plan. */
    typed_counts: number | null
    /** 1: nobody has approved it yet. It ends where it begins until then, so that it holds for no version before either. */
    awaits_approval: number | null
    /** Null, as the others: nobody did, or nobody knows. */
    created_by: string | null
    created_user_id: number | null
    created_at: number | null
    approved_by: string | null
    approved_user_id: number | null
    approved_at: number | null
    ended_by: string | null
    ended_user_id: number | null
    ended_at: number | null
  }
  instruments: {
    id: Generated<number>
    code: string
    code_key: string
    description: string
    resolution_milli: number
    calibrated_until_day: string | null
    active: number
    /** Null: nobody said, as of those of before. */
    kind: InstrumentKind | null
    version: number
  }
  /** Until when an instrument was said to be calibrated, from each day on which somebody changed that; rows are only added. */
  instrument_calibrations: {
    id: Generated<number>
    instrument_id: number
    /** The instrument's version that the change made. */
    version: number
    from_day: string
    /** Null: nobody knows. */
    until_day: string | null
    changed_by: string
    user_id: number
    at: number
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
    /** Written by a version before, which kept the last cause alone: now each is a line of `measurement_causes`. */
    cause: SignalCause | null
    cause_note: string | null
    cause_by: string | null
    cause_at: number | null
  }
  /** Each row of `measurements` outside, by when the server took it; whether it counts is read there. */
  outside_acts: {
    act_id: string
    characteristic: Characteristic
    branch: string
    measured_at: number
    received_at: number
  }
  /** Treatments of occurrences; rows are only added. */
  treatments: {
    id: Generated<number>
    kind: TreatedKind
    /** Id of a finding, or of a sample's act. */
    subject: string
    text: string
    treated_by: string
    user_id: number
    at: number
  }
  /** Why a point lies where it lies; rows are only added. */
  measurement_causes: {
    id: Generated<number>
    act_id: string
    characteristic: Characteristic
    cause: SignalCause
    note: string
    noted_by: string
    user_id: number | null
    /** 1: who noted it might change plans at that time. */
    by_quality: number
    at: number
  }
  /** By what a sample is found in a trace, beside its order and item; `at` is its `ordered_at`. What a recording itself measured has none. */
  sample_subjects: {
    kind: 'lote' | 'miniaplicador' | 'maquina' | 'instrumento'
    subject: string
    at: number
    act_id: string
  }
  /** The samples that a recording names. */
  recording_measurements: { recording_id: string; act_id: string }
  /** Findings on recordings that no plan stopped; rows are only added. */
  recording_findings: {
    id: Generated<number>
    recording_id: string
    finding: Finding
    mode: PlanMode
    reason: string
    release_id: string | null
    /** 1: whoever recorded has released it too. */
    own_release: number | null
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
    /** Recording that it let through: it is good for one. Null: for none yet. */
    recording_id: string | null
    /** At most so many. Null: a page of the version before did not say. */
    pieces: number | null
    /** `Looked`; null: of a page of the version before, which says nothing of it. */
    looked_json: string | null
  }
  /** Each time that an act was taken out, or back; rows are only added, `measurements` says how it stands. */
  invalidations: {
    id: Generated<number>
    act_id: string
    /** 0: back in again. */
    taken_out: number
    reason: string
    done_by: string
    user_id: number
    /** 1: whoever did it has measured it too. */
    own: number
    at: number
  }
  /** Limits of a control chart; rows are only added, the newest is in force. */
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
  /** Points that were signals when the panel saw them, by the limits then in force; rows are only added. */
  spc_signals: {
    id: Generated<number>
    series: string
    act_id: string
    rule: SignalRule
    chart: 'media' | 'amplitude'
    seen_at: number
  }
  /** Summary of each series for the list: a roll-up of its samples, limits and causes, made anew when those change. */
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
    /** How many of the newest 500 samples are valid. */
    samples: number
    /** Where the newest was taken. */
    machine: string
    /** Null without a sample. */
    measured_at: number | null
    /** Count of all readings since the limits in force, and their statistics. */
    readings: number
    mean: number
    sigma: number
    /** When the points with signals were measured: those of the last days. */
    signals_json: string
    /** 1: most of the newest samples are of another size than its limits. Null: not summed up by this version yet. */
    asks_limits: number | null
  }
}
