import { type RefusalCode, refusals } from '../../contract/errors.ts'
import type { ErpFault } from '../../contract/health.ts'
import type { ErpItem, SearchMode } from '../../contract/items.ts'
import type { ErpJunction, JunctionDetails, JunctionRecording } from '../../contract/junctions.ts'
import type { Machine, MachineType } from '../../contract/machines.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import type { PlantMoment } from '../../domain/plant/plant-time.ts'

/** Why a read failed, and as what that is refused. The message of `refused` is the ERP's own; the others have texts of ours. */
export const failureCodes = {
  refused: 'erp_refused',
  auth: 'erp_auth',
  not_found: 'not_found',
  busy: 'erp_busy',
  unavailable: 'erp_unavailable',
  timeout: 'erp_timeout',
  bad_answer: 'erp_bad_answer',
  unreadable: 'erp_unreadable',
  unconfigured: 'erp_unconfigured',
} as const satisfies Record<string, RefusalCode>
export type ErpFailureKind = keyof typeof failureCodes

/** Thrown by reads and look-ups. */
export class ErpFailure extends Error {
  readonly kind: ErpFailureKind
  /** True: the ERP itself refused the request, in words. False: the trouble may be its own, and pass. */
  readonly isVerdict: boolean
  constructor(kind: ErpFailureKind, message: string, isVerdict = false) {
    super(message)
    this.name = 'ErpFailure'
    this.kind = kind
    this.isVerdict = isVerdict
  }
}

/** Rows of a list; `unusable`: keys of rows that came without a quantity, or with one that cannot be read. */
export type Rows<Row> = { rows: Row[]; unusable: string[] }

/** The row came but is unusable. The caller must not take it for a row that is gone. */
export function requireUsable({ unusable }: Rows<unknown>, key: string): void {
  if (unusable.includes(key)) throw new ErpFailure('unreadable', refusals.erp_unreadable.message)
}

/** The outcome of one write. Writes never throw: every failure is one of these. */
export type WriteOutcome =
  /** `byWords`: by a sentence alone, with neither our id nor a field; it may speak of something else. */
  | { outcome: 'confirmed'; message: string; erpRecord: string | null; byWords?: boolean }
  /** The ERP understood the request and refused it in its own words. */
  | { outcome: 'refused'; message: string }
  /** Surely not executed: nothing left this machine, or the ERP turned it away at the door. Repeating is safe. */
  | { outcome: 'not_sent'; kind: 'auth' | 'busy' | 'unavailable'; message: string }
  /**
   * The bytes may have left and no usable answer came: ask before repeating. With `words` of the ERP the write is never
   * repeated; the words become its refusal once the ERP surely lacks it.
   */
  | { outcome: 'unknown'; message: string; words: string | null }

/** The ERP's record under our id; `processing` means ask again. */
export type IntegrationRecord = { status: 'processing' | 'done' | 'refused'; message: string }

export type ErpHealth = {
  online: boolean
  latencyMs: number | null
  lastOkAt: number | null
  /** The breaker is open: calls pause after repeated failures. */
  isSpared: boolean
  /** Whether the ERP is a stand-in; null until it has answered. */
  isStandIn: boolean | null
  /** The ERP is of another sort than the one this database was used with: it gets no writes. */
  isOther: boolean
  /** Whether it took the panel's own user at the last login. */
  access: 'ok' | 'refused'
  /** False: no login was tried since the start, and `access` is a guess. */
  isAccessKnown: boolean
  /** The last call that got no answer of an ERP; null: there was none. */
  fault: { reason: ErpFault; at: number } | null
  /** False: nobody has named an ERP yet, so it is not away either. */
  isConfigured: boolean
}

/** Somebody has the cut wires of one item in hand. */
export type ReceiptConfirmation = { branch: string; barcode: string; operator: string; at: PlantMoment }

export type Sending = {
  integrationId: string
  /** Asked when the write's turn has come, before any byte leaves. */
  mayLeave?: () => boolean
}

/** Reads of one reader wait for their turn among each other only; those of several take turns, and so does all else. */
type ForReader = { reader?: string | undefined }

/** All that is asked of the ERP, in our words. */
export type ErpGateway = {
  /**
   * Rows of another branch are dropped and logged. No row: an empty list. Rows of which none is usable: `unreadable`. The
   * same holds for all lists.
   */
  searchItems(query: ForReader & { branch: string; term: string; mode: SearchMode }): Promise<Rows<ErpItem>>
  listMachines(query: { branch: string; type?: MachineType | undefined }): Promise<Machine[]>
  /** None found: an empty list. */
  searchJunctions(query: ForReader & { branch: string; order: string }): Promise<Rows<ErpJunction>>
  /** Details of all positions when `position` is empty. None found: a failure of the kind `not_found`. */
  junctionDetails(query: ForReader & { branch: string; order: string; position: string }): Promise<JunctionDetails>
  /** `captura` is never sent. */
  recordCutCrimp(write: Sending & { branch: string; payload: CutCrimpRecording }): Promise<WriteOutcome>
  /** `captura` is never sent. */
  recordJunction(write: Sending & { branch: string; payload: JunctionRecording }): Promise<WriteOutcome>
  /** Confirms a receipt. An item received before is confirmed again, and nothing changes. */
  confirmReceipt(write: Sending & ReceiptConfirmation): Promise<WriteOutcome>
  /** Null: the ERP knows no such id. 'unsupported': this ERP cannot be asked (`ERP_LOOKUP=none`). */
  findByIntegrationId(query: {
    branch: string
    integrationId: string
  }): Promise<IntegrationRecord | null | 'unsupported'>
  /** The state known now, without a call. */
  health(): ErpHealth
  /** Asks the ERP whether it is there, at most every 15 s; never throws. */
  probe(): Promise<ErpHealth>
  /** Longest a write may stay unanswered; after this plus a margin, an id the ERP does not know was not executed. */
  readonly writeTimeoutMs: number
  close(): Promise<void>
}

/** Places at the ERP that this server has in common with others. */
export type SharedSlots = {
  /** Null when all are taken. What comes back gives the place back, and never throws. */
  take(): Promise<(() => Promise<void>) | null>
}
