import { CONFIRMED_BY_QUANTITY_MESSAGE } from '../../contract/recordings.ts'
import type { WriteOutcome } from '../erp/gateway.ts'
import type { Outside } from '../outside.ts'
import type { Reader } from '../store/db/db.ts'
import {
  type Delivery,
  findConfirmedQuantity,
  findLastConfirmed,
  type Snapshot,
  sumUncertain,
} from '../store/outbox.ts'
import { type Ages, openAges } from './ages.ts'
import { openCopyReads } from './copy-reads.ts'
import { changedText, copyOf, isMeasurable, isSameMeasure, measureAtErp, settledSnapshot } from './kinds.ts'

/** An id the ERP does not know, this long after the write timed out, was not executed. */
const NOT_APPLIED_MARGIN_MS = 60_000
const UNCHANGED_APART_MS = 60_000
/** An older copy says too little of what the ERP had before a sending. */
const COPY_AGE_MS_MAX = 60_000
const SHARED_MESSAGE = 'O ERP tem a quantidade esperada, mas parte dela pode ter sido apontada em outro lugar.'
const UNCHANGED_MESSAGE = 'A quantidade no ERP não mudou ainda.'
const UNKNOWN_MESSAGE = 'O ERP não conhece este apontamento. Será enviado de novo.'
const LOST_MESSAGE = 'O ERP não encontra agora o que já confirmou.'
const GONE_MESSAGE = 'O item não está mais no ERP.'

export type Verdict =
  | { verdict: 'confirmed' | 'refused' | 'not_applied' | 'manual'; message: string }
  /** `waitMsMax`: after that the ERP's answer can decide. */
  | { verdict: 'later'; message: string; unchangedAt?: number | null; waitMsMax?: number; counts: boolean }

export type Inquiries = {
  /**
   * Notes all that is unknown: its age begins now, not when it is first due. Resolves to the milliseconds after which it is
   * old enough for a decision.
   */
  resume(): Promise<number>
  /** The snapshot that needs no call to the ERP; null where it must be read before the sending. */
  snapshotOfCopy(db: Reader, delivery: Delivery): Promise<Snapshot | null>
  takeSnapshot(delivery: Delivery): Promise<Snapshot>
  /** The second witness of a write that words alone confirm: one look-up, where it is known to work (decision 085). */
  checkWords(delivery: Delivery, said: WriteOutcome): Promise<WriteOutcome>
  /** Asks for the outcome of a write whose answer never came. */
  ask(delivery: Delivery): Promise<Verdict>
}

type Needs = Outside & { ages: Ages }

/** An ERP may keep the ids of cuts and not those of junctions: what one kind has shown says nothing of another. */
type Kind = Pick<Delivery, 'branch' | 'operation'>

/** An ERP without the look-up answers 404 to every id: that it works is known, per plant and kind, once it has found one. */
function openLookUps({ db, erp, config }: Needs) {
  const states = new Map<string, 'works' | 'absent'>()
  const keyOf = ({ branch, operation }: Kind) => `${branch}|${operation}`
  const hasWorked = (kind: Kind) => states.get(keyOf(kind)) === 'works'
  /** Null: the ERP knows no such id. */
  const find = async ({ id: integrationId, ...kind }: Kind & { id: string }) => {
    const found = await erp.findByIntegrationId({ branch: kind.branch, integrationId })
    if (found !== null && found !== 'unsupported') states.set(keyOf(kind), 'works')
    return found
  }
  /** Whether the ERP finds the recording of this kind that it confirmed last; null where it has confirmed none. */
  const findsLastConfirmed = async ({ branch, operation }: Kind) => {
    const id = await findLastConfirmed(db.read, branch, operation)
    if (id === null) return null
    const found = await find({ branch, operation, id })
    return found !== null && found !== 'unsupported'
  }
  /** Tried out with what the ERP confirmed last where nobody has asked yet. */
  const tryOut = async (kind: Kind) => {
    if (config.erpLookup === 'none' || states.has(keyOf(kind))) return
    if ((await findsLastConfirmed(kind).catch(() => null)) === false) states.set(keyOf(kind), 'absent')
  }
  return { find, findsLastConfirmed, tryOut, hasWorked }
}

const later = (message: string, more: { unchangedAt?: number; waitMsMax?: number } = {}): Verdict => ({
  verdict: 'later',
  message,
  ...more,
  counts: true,
})

/** Where the ERP said something, a person who must decide reads it. */
const withWords = (message: string, { words }: Delivery) =>
  words === null ? message : `${message} Ele respondeu: ${words}`

/** Surely not executed. What the ERP said of it then was its refusal; only silence is sent again. */
const notApplied = ({ words }: Delivery, message: string): Verdict =>
  words === null ? { verdict: 'not_applied', message } : { verdict: 'refused', message: words }

/** A write of this age is over, whatever became of it. */
const overMs = ({ erp }: Pick<Needs, 'erp'>) => erp.writeTimeoutMs + NOT_APPLIED_MARGIN_MS + 1

/** Milliseconds until what the ERP does not have was surely not executed; 0: it was not. */
const youngMs = async (delivery: Delivery, needs: Needs) =>
  Math.max(0, overMs(needs) - (await needs.ages.ageMs(delivery, 'sent', delivery.sentAt ?? 0)))

/**
 * Result of the look-up by id: it works and knows no such id; it does not even find confirmed ones at the moment; there
 * is none.
 */
type ById = 'unknown' | 'lost' | 'absent'

/**
 * The registered quantity is the second witness, and the only one where there is no look-up. Only both together, or two reads of
 * it apart, allow another sending; without a look-up anything but the two expected values is for a person (decision 084).
 */
async function askByQuantity(delivery: Delivery, byId: ById, needs: Needs): Promise<Verdict> {
  const { raises } = delivery
  // a receipt of an earlier epoch has none in its row
  const snapshot = settledSnapshot(delivery) ?? delivery.snapshot
  if (snapshot === null) {
    if (byId === 'unknown') return notApplied(delivery, UNKNOWN_MESSAGE)
    if (byId === 'lost') return later(LOST_MESSAGE)
    // while the ERP does not answer it only waits
    await measureAtErp(delivery, needs)
    return { verdict: 'manual', message: withWords('O ERP não sabe dizer se já tem este apontamento.', delivery) }
  }
  const registered = await measureAtErp(delivery, needs)
  if (registered === null && byId === 'absent') {
    // one empty answer may be a mood of the ERP's
    const waitMsMax = await youngMs(delivery, needs)
    const isGone = delivery.message === GONE_MESSAGE && waitMsMax === 0
    return isGone
      ? { verdict: 'manual', message: GONE_MESSAGE }
      : later(GONE_MESSAGE, waitMsMax > 0 ? { waitMsMax } : {})
  }
  if (registered === null) return later(GONE_MESSAGE)
  if (isSameMeasure(registered, snapshot + raises)) {
    // maybe somebody else's: others write there, or ours would have come earlier
    return delivery.writtenElsewhere || delivery.unchangedAt !== null
      ? { verdict: 'manual', message: withWords(SHARED_MESSAGE, delivery) }
      : { verdict: 'confirmed', message: CONFIRMED_BY_QUANTITY_MESSAGE }
  }
  if (!isSameMeasure(registered, snapshot)) {
    const message = withWords(changedText(delivery, { is: registered, was: snapshot }), delivery)
    return byId === 'absent' ? { verdict: 'manual', message } : later(message)
  }
  return byId === 'unknown' ? notApplied(delivery, UNKNOWN_MESSAGE) : await judgeUnchanged(delivery, needs)
}

/** The quantity alone must be as before twice, a minute apart, after the write is over. */
async function judgeUnchanged(delivery: Delivery, needs: Needs): Promise<Verdict> {
  const waitMsMax = await youngMs(delivery, needs)
  if (waitMsMax > 0) return later(UNCHANGED_MESSAGE, { waitMsMax })
  const since = delivery.unchangedAt ?? needs.now()
  const leftMs = UNCHANGED_APART_MS - (await needs.ages.ageMs(delivery, 'unchanged', since))
  return leftMs <= 0
    ? notApplied(delivery, 'A quantidade no ERP não mudou. Será enviado de novo.')
    : later(UNCHANGED_MESSAGE, { unchangedAt: since, waitMsMax: leftMs })
}

const untold: Snapshot = { snapshot: null, writtenElsewhere: false }

/**
 * The snapshot before a sending. The excess at the ERP over our copy and our uncertain recordings was written
 * elsewhere. Null: less than the ERP confirmed last, which proves nothing.
 */
async function snapshotOf(
  db: Reader,
  { naturalKey }: Delivery,
  { registered, known }: { registered: number; known: number | null },
): Promise<Snapshot | null> {
  const confirmed = await findConfirmedQuantity(db, naturalKey)
  if (registered < confirmed && !isSameMeasure(registered, confirmed)) return null
  const ours = known === null ? registered : known + (await sumUncertain(db, naturalKey))
  return { snapshot: registered, writtenElsewhere: registered > ours && !isSameMeasure(registered, ours) }
}

export function openInquiries(outside: Outside): Inquiries {
  const { db } = outside
  const needs = { ...outside, ages: openAges(outside) }
  const lookUps = openLookUps(needs)
  const refreshCopy = openCopyReads(outside)
  /**
   * Where the look-up by id works our own copy will do while it is new. Else the quantity will have to decide, and the copy
   * may lack what others registered at the ERP: it is read.
   */
  const snapshotOfCopy: Inquiries['snapshotOfCopy'] = async (db, delivery) => {
    const settled = settledSnapshot(delivery)
    if (settled !== null) return { snapshot: settled, writtenElsewhere: false }
    if (!isMeasurable(delivery)) return untold
    const copy = lookUps.hasWorked(delivery) ? await copyOf(db, delivery) : null
    if (copy === null || Math.abs(outside.now() - copy.fetchedAt) > COPY_AGE_MS_MAX) return null
    const { measure } = copy
    return measure === null ? untold : await snapshotOf(db, delivery, { registered: measure, known: measure })
  }
  return {
    async resume() {
      await needs.ages.noteUnknown()
      return overMs(outside)
    },

    snapshotOfCopy,

    async takeSnapshot(delivery) {
      await lookUps.tryOut(delivery)
      const ofCopy = await snapshotOfCopy(db.read, delivery)
      if (ofCopy) return ofCopy
      const known = (await copyOf(db.read, delivery))?.measure ?? null
      if (lookUps.hasWorked(delivery)) {
        await refreshCopy(delivery)
        const ofRead = await snapshotOfCopy(db.read, delivery)
        if (ofRead) return ofRead
      }
      const registered = await measureAtErp(delivery, needs)
      return (registered === null ? null : await snapshotOf(db.read, delivery, { registered, known })) ?? untold
    },

    async checkWords(delivery, said) {
      await lookUps.tryOut(delivery)
      if (!lookUps.hasWorked(delivery)) return said
      const found = await lookUps.find(delivery).catch(() => null)
      if (found === 'unsupported' || found?.status === 'done') return said
      if (found?.status === 'refused') return { outcome: 'refused', message: found.message }
      return {
        outcome: 'unknown',
        message: `O ERP respondeu: ${said.message} Falta achar o apontamento nele.`,
        words: null,
      }
    },

    async ask(delivery) {
      const found = await lookUps.find(delivery)
      if (found === 'unsupported') return await askByQuantity(delivery, 'absent', needs)
      if (found?.status === 'done') return { verdict: 'confirmed', message: found.message }
      if (found?.status === 'refused') return { verdict: 'refused', message: found.message }
      if (found) return later('O ERP ainda está processando.')
      // an answer, whatever it said, ends the work on it; silence does not
      const waitMsMax = delivery.words === null ? await youngMs(delivery, needs) : 0
      if (waitMsMax > 0) return later('O ERP ainda não conhece este apontamento.', { waitMsMax })
      const hasWorked = lookUps.hasWorked(delivery)
      const isTrusted = (await lookUps.findsLastConfirmed(delivery)) ?? hasWorked
      return await askByQuantity(delivery, isTrusted ? 'unknown' : hasWorked ? 'lost' : 'absent', needs)
    },
  }
}
