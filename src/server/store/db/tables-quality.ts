import type { Generated } from 'kysely'

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
}
