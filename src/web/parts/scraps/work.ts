import type { ScrapPart } from '../../../contract/scraps.ts'
import type { TakenSample } from '../../../domain/forms/recording-form.ts'
import { makeStore } from '../../device/store.ts'

/** Where pieces are thrown away, with what is chosen there; texts are empty where there is no such thing. */
export type ScrapWork = {
  branch: string
  order: string
  part: ScrapPart
  barcode: string
  junction: string
  machine: string
  tool: string
  lot: string
  /** Null: nobody knows. */
  ordered: number | null
  samples?: readonly TakenSample[] | undefined
}

/** A reason that may be scanned; its code is printed. */
type KnownReason = { code: string; text: string; stage: string }

/** Null until this device has read the reasons: a scan of one opens what has read them. */
export const knownReasons = makeStore<readonly KnownReason[] | null>(null)
