import type { ScrapPart } from '../../../contract/scraps.ts'
import { makeStore } from '../../device/store.ts'
import type { Work } from '../measuring/work.ts'

/** Where pieces are thrown away, with what is chosen there; texts are empty where there is no such thing. */
export type ScrapWork = Pick<
  Work,
  'branch' | 'order' | 'barcode' | 'junction' | 'machine' | 'tool' | 'lot' | 'samples'
> & {
  part: ScrapPart
  /** Null: nobody knows. */
  ordered: number | null
}

/** A reason that may be scanned; its code is printed. */
type KnownReason = { code: string; text: string; stage: string }

/** Null until this device has read the reasons: a scan of one opens what has read them. */
export const knownReasons = makeStore<readonly KnownReason[] | null>(null)
