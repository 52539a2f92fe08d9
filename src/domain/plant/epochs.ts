import type { MarkKind, WitnessKind } from '../../contract/epochs.ts'

/** A device's evidence that this database is younger than what the device has seen of it. */
export type Witness = {
  kind: WitnessKind
  device: string
  /** The number of a mark, or the id of an act. */
  subject: string
}

/** Else it names an act. */
export const isMark = <W extends Pick<Witness, 'kind'>>(witness: W): witness is W & { kind: MarkKind } =>
  witness.kind !== 'receipt'

/** A mark and a receipt are two things even from one device; two of a sort are two only from two devices. */
const areIndependent = (one: Witness, other: Witness): boolean =>
  one.device !== other.device || isMark(one) !== isMark(other)

/** A new epoch cannot be taken back, so it needs two witnesses (decision 080). */
export const proveYounger = (witnesses: readonly Witness[]): boolean =>
  witnesses.some((one, at) => witnesses.slice(at + 1).some((other) => areIndependent(one, other)))

/** The evidence says no more than a known one. */
export const isCoveredBy = (one: Witness, known: Witness): boolean =>
  one.kind === known.kind &&
  one.device === known.device &&
  (isMark(one) ? Number(one.subject) <= Number(known.subject) : one.subject === known.subject)

/** After as long without a second witness an administrator decides. */
export const UNDECIDED_MS = 15 * 60_000

/** Why an epoch began, as stored. */
const epochCauses = ['restored', 'file', 'witnesses', 'admin'] as const
export type EpochCause = (typeof epochCauses)[number]

export const epochCauseTexts: Record<EpochCause, string> = {
  restored: 'um backup foi posto de volta',
  file: 'o banco tinha menos do que este servidor já viu dele',
  witnesses: 'os dispositivos mostraram trabalho que o banco não tem',
  admin: 'um administrador decidiu que o banco voltou no tempo',
}
