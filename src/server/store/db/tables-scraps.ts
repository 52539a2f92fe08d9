import type { Generated } from 'kysely'
import type { ScrapReasonForm } from '../../../contract/scrap-reasons.ts'
import type { ScrapOrigin, ScrapPart } from '../../../contract/scraps.ts'

/** Tables of scrap and rework; as `Tables`. */
export type ScrapTables = {
  scrap_reasons: {
    id: Generated<number>
    /** Never changes. */
    code: string
    text: string
    /** By which two texts are one. */
    text_key: string
    stage: ScrapReasonForm['etapa']
    kind: ScrapReasonForm['tipo']
    position: number
    active: number
    version: number
  }
  scraps: {
    id: string
    content_hash: string
    branch: string
    part: ScrapPart
    order_number: string
    /** Empty for a junction, which has a position instead. */
    barcode: string
    position: string
    /** From the copy, as the gauge; empty where there is none. */
    terminal: string
    terminal_key: string
    gauge_milli: number | null
    /** Empty where no registered tool is named. */
    unit: string
    unit_key: string
    machine: string
    lot: string
    reason_code: string
    note: string
    is_rework: number
    pieces: number
    origin: ScrapOrigin
    /** 0: it came without a session to be trusted. */
    trusted: number
    /** 0 as long as it is not trusted, and once it is undone. */
    counted: number
    /** All four are null unless somebody took it back. */
    undone_at: number | null
    undone_by: string | null
    undone_user_id: number | null
    undone_reason: string | null
    operator: string
    user_id: number
    recorded_at: number
    received_at: number
    production_day: string
  }
  /** Counted pieces by day, without any person. */
  daily_scrap: {
    /** Hash of the columns that follow up to `wears`; a key over all of them would be too long for InnoDB. */
    id: string
    production_day: string
    branch: string
    part: ScrapPart
    order_number: string
    machine: string
    /** Empty where no registered tool was used. */
    unit_key: string
    terminal: string
    reason_code: string
    is_rework: number
    origin: ScrapOrigin
    /** 1: its pieces moved the tool's counter. */
    wears: number
    pieces: number
  }
}
