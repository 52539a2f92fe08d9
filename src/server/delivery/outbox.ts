import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ErpFailure, type ErpFailureKind, type WriteOutcome } from '../erp/gateway.ts'
import type { Outside } from '../outside.ts'
import type { OutboxState } from '../store/db/tables.ts'
import { findDoubtedAt } from '../store/epoch-witnesses.ts'
import {
  type Delivery,
  hastenInquiries,
  hurryNewDeliveries,
  isUnknown,
  leaseDelivery,
  listDueIds,
  markSending,
  type Postponement,
  postponeDelivery,
  type Snapshot,
  settleDelivery,
} from '../store/outbox.ts'
import { deliverRecording, leaveUncertain, refuseRecording, returnResent } from '../store/recordings.ts'
import { openAttempts } from './attempts.ts'
import { type Inquiries, openInquiries, type Verdict } from './inquiries.ts'
import { copyOf, findObjection, sendDelivery, withErpHeight } from './kinds.ts'
import { openWritePause, type WritePause } from './write-pause.ts'

type Needs = Outside & { inquiries: Inquiries; owner: string; pause: WritePause }

export type Outbox = {
  /**
   * Takes up one delivery and resolves when an attempt at it has ended, whatever the outcome. Behind an earlier one of
   * its key that this server works on, it waits for its turn; leased by another server or due later, it resolves at
   * once. The signal ends the wait, never the delivery.
   */
  deliver(id: string, signal: AbortSignal): Promise<void>
  /** Something new waits: what is due is taken up without waiting for the next look. */
  lookSoon(): void
  /** Takes up all that is due now. Resolves when each attempt is over. */
  deliverDue(): Promise<void>
  /** The ERP is back: what has not left yet need not wait for its next try. */
  hurry(): Promise<void>
  /** The ERP answers the same to different orders: nothing is sent but one try a minute. */
  isPaused(): boolean
  /** Works through what is due until stopped. */
  start(): void
  /** Takes up nothing new and waits for what is under way, at most `waitMs`. */
  stop(waitMs: number): Promise<void>
}

const LOOK_EVERY_MS = 1000
const BATCH_COUNT_MAX = 50
/** Prepared while the ERP works on others, so that it need not wait for us between two. */
const AHEAD_COUNT = 2
/** Beyond the ERP's write time-out: time to queue for a free call before and to commit after. */
const LEASE_MARGIN_MS = 60_000
/** After the first, which is asked at once. */
const INQUIRY_WAITS_MS = [2000, 10_000, 30_000, 120_000, 600_000, 900_000]
/** 15-minute inquiries that the ERP answered without deciding, about 24 hours of them: then a person decides. */
const INQUIRIES_MAX = 1 + INQUIRY_WAITS_MS.length + 94
const RETRY_WAIT_MS_MAX = 300_000
/** A write that left so often and was never executed: something is wrong that another sending will not cure. */
const SENDINGS_MAX = 5
/** A read before the sending that the ERP refuses so often is not waited for: the write itself will be judged. */
const SNAPSHOT_TRIES_MAX = 10

/** Failures which show that somebody answered the inquiry; silence shows nothing. */
const answering: readonly ErpFailureKind[] = ['refused', 'auth', 'not_found', 'bad_answer', 'unreadable']
const isAnswered = (error: unknown) => error instanceof ErpFailure && answering.includes(error.kind)

/** Growing, and spread so that a hundred deliveries do not all come back in the same second. */
const retryWaitMs = (postponed: number, random: number): number =>
  Math.round(Math.min(1000 * 2 ** Math.min(postponed, 20), RETRY_WAIT_MS_MAX) * (0.75 + random / 2))

/** By the ladder, but no longer than until the ERP's answer can decide. */
const inquiryWaitMs = (inquiries: number, waitMsMax = Infinity): number => {
  const rung = Math.min(Math.max(inquiries - 1, 0), INQUIRY_WAITS_MS.length - 1)
  return Math.ceil(Math.min(INQUIRY_WAITS_MS[rung] ?? 0, waitMsMax))
}

export function openOutbox(outside: Outside): Outbox {
  const { db, now, log, config } = outside
  const needs: Needs = {
    ...outside,
    inquiries: openInquiries(outside),
    owner: randomUUID(),
    pause: openWritePause(outside),
  }
  const attempts = openAttempts({ ...needs, workOn: (id) => workOn(id, needs) }, (wasMade) => {
    fill()
    // what comes after it in its part has its turn now
    if (wasMade && ready.length === 0) lookSoon()
  })
  const listDue = openDue(needs)
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let lookAgain = false
  let stopped = false
  /** Found due at the last look and not taken up yet. */
  let ready: string[] = []

  /** Little more than the ERP takes at once: what waits in the store waits safely, and a person's search gets its turn. */
  const fill = () => {
    const next = () => (attempts.count() < config.erpMaxConcurrent + AHEAD_COUNT ? ready.shift() : undefined)
    for (let id = next(); id !== undefined; id = next()) void attempts.take(id)
  }
  const look = async () => {
    looking = true
    lookAgain = false
    try {
      ready = (await listDue()).filter((id) => !attempts.isUnderWay(id))
      fill()
    } catch (error) {
      log.warn({ err: error, repeats: true }, 'the outbox could not be read')
    }
    looking = false
    lookIn(lookAgain ? 0 : LOOK_EVERY_MS)
  }
  const lookIn = (waitMs: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void look(), waitMs)
  }
  const lookSoon = () => {
    if (looking) lookAgain = true
    else if (timer) lookIn(0)
  }

  return {
    deliver: attempts.takeAndAwait,
    lookSoon,
    isPaused: needs.pause.isAnyOn,
    async deliverDue() {
      await Promise.all((await listDue()).map(attempts.take))
    },
    async hurry() {
      await db.transaction((tx) => hurryNewDeliveries(tx, now()))
      lookSoon()
    },
    start: () => void look(),
    async stop(waitMs) {
      stopped = true
      clearTimeout(timer)
      ready = []
      await Promise.race([attempts.stop(), wait(waitMs, null, { ref: false })])
    },
  }
}

/**
 * Lists what is due. Before the first time, what an earlier process left unknown comes due when it is old enough for this
 * one, whatever its ladder said.
 */
function openDue({ db, now, inquiries }: Needs): () => Promise<string[]> {
  let resumed: Promise<void> | null = null
  const resume = async () => {
    const waitMs = await inquiries.resume()
    await db.transaction((tx) => hastenInquiries(tx, now() + waitMs))
  }
  return async () => {
    resumed ??= resume()
    await resumed.catch((error: unknown) => {
      resumed = null
      throw error
    })
    return await listDueIds(db.read, now(), BATCH_COUNT_MAX)
  }
}

/** One attempt at one delivery. Whoever waits for it hears what the ERP says when it is asked at once. */
async function workOn(id: string, needs: Needs): Promise<boolean> {
  const before = await step(id, needs)
  if (before === 'new' && (await isUnknown(needs.db.read, id))) await step(id, needs)
  return before !== null
}

/**
 * Lease, then send or ask. No transaction is open and no lock held during the call. Resolves to the state it was in; null
 * when it is settled, another server has it, or it is not its turn.
 */
async function step(id: string, needs: Needs): Promise<OutboxState | null> {
  const isInTime = untilLate(needs)
  const leased = await lease(id, needs)
  if (!leased) return null
  const { delivery, objection, snapshot, doubtedAt } = leased
  if (snapshot) await write(delivery, snapshot, () => isInTime() && !needs.pause.isOn(delivery), needs)
  else if (delivery.state === 'new') {
    // in doubt the ERP may have it already: no objection of ours ends it before that is asked
    const isNew = doubtedAt === null || (await isSurelyNotSent(delivery, doubtedAt, needs))
    if (isNew && objection !== null) await settle(delivery, { outcome: 'refused', message: objection }, needs)
    else if (isNew) await prepareAndSend(delivery, needs)
  } else await inquire(delivery, needs)
  return delivery.state
}

/** `doubtedAt`: since when a device says that this database went back; null: none does. */
type Leased = { delivery: Delivery; objection: string | null; snapshot: Snapshot | null; doubtedAt: number | null }

const leaseFrom = ({ erp, now, owner }: Needs) => {
  const at = now()
  return { owner, now: at, leaseUntil: at + erp.writeTimeoutMs + LEASE_MARGIN_MS }
}

/** Leases a delivery; when its snapshot needs no call to the ERP, the same commit marks it as sending. */
async function lease(id: string, needs: Needs): Promise<Leased | null> {
  const taken = leaseFrom(needs)
  return await needs.db.transaction(async (tx) => {
    const leased = await leaseDelivery(tx, id, taken)
    if (!leased) return null
    const doubtedAt = await findDoubtedAt(tx)
    const delivery = await withErpHeight(tx, leased, needs.config)
    const objection = delivery.state === 'new' ? await findObjection(tx, delivery) : null
    const isFree = delivery.state === 'new' && objection === null && doubtedAt === null && !needs.pause.isOn(delivery)
    const snapshot = isFree ? await needs.inquiries.snapshotOfCopy(tx, delivery) : null
    const isSending = snapshot !== null && (await markSending(tx, id, { ...taken, ...snapshot }))
    return { delivery, objection, snapshot: isSending ? snapshot : null, doubtedAt }
  })
}

const PAUSED_MESSAGE = 'O ERP respondeu o mesmo a ordens diferentes. O envio está em pausa; uma tentativa por minuto.'

const postpone = ({ id }: Delivery, next: Omit<Postponement, 'owner'>, { db, owner }: Needs): Promise<void> =>
  db.transaction((tx) => postponeDelivery(tx, id, { owner, ...next }))

/** Sends what needs a read of the ERP first, or tries whether a pause is over. */
async function prepareAndSend(delivery: Delivery, needs: Needs): Promise<void> {
  const { db, now } = needs
  const { postponed } = delivery
  const again = (waitMs: number, message: string, more = 0) =>
    postpone(delivery, { state: 'new', dueAt: now() + waitMs, message, postponed: postponed + more }, needs)
  const pauseMs = needs.pause.waitMs(delivery)
  if (pauseMs > 0) return await again(pauseMs, PAUSED_MESSAGE)
  const isTry = needs.pause.isOn(delivery)
  let snapshot: Snapshot
  try {
    snapshot = await needs.inquiries.takeSnapshot(delivery)
  } catch (error) {
    snapshot = { snapshot: null, writtenElsewhere: false }
    const isFinal = isAnswered(error) && postponed >= SNAPSHOT_TRIES_MAX
    const message = `O ERP não pôde ser lido antes do envio: ${(error as Error).message}`
    if (!isFinal) return await again(retryWaitMs(postponed, Math.random()), message, 1)
  }
  const isInTime = untilLate(needs)
  const sending = { ...leaseFrom(needs), ...snapshot }
  if (!(await db.transaction((tx) => markSending(tx, delivery.id, sending)))) return
  await write(delivery, snapshot, () => isInTime() && (isTry || !needs.pause.isOn(delivery)), needs)
}

/** Sends a delivery. A pause may have begun while it waited in the queue for a call: `mayLeave` is asked then. */
async function write(delivery: Delivery, snapshot: Snapshot, mayLeave: () => boolean, needs: Needs): Promise<void> {
  const said = await sendDelivery(delivery, needs.erp, mayLeave)
  const outcome = said.outcome === 'confirmed' && said.byWords ? await needs.inquiries.checkWords(delivery, said) : said
  await settle({ ...delivery, ...snapshot, attempts: delivery.attempts + 1 }, outcome, needs)
}

/**
 * False once a process that stood still meanwhile (a paused machine) may have lost its lease: another server may by then
 * have found that nothing was executed. By both clocks, because one of them may have stood still too.
 */
function untilLate({ erp, now }: Needs): () => boolean {
  const [begunAt, begunMs] = [now(), performance.now()]
  return () => Math.max(now() - begunAt, performance.now() - begunMs) < erp.writeTimeoutMs
}

async function settle(delivery: Delivery, outcome: WriteOutcome, needs: Needs): Promise<void> {
  const { db, now, log, owner } = needs
  const { id } = delivery
  const at = now()
  const words = outcome.outcome === 'refused' ? outcome.message : outcome.outcome === 'unknown' ? outcome.words : null
  if (words) needs.pause.noteWords(delivery, words)
  if (outcome.outcome === 'confirmed') {
    if (needs.pause.noteConfirmed(delivery)) await db.transaction((tx) => hurryNewDeliveries(tx, at))
    const read = delivery.attempts === 0 && ((await copyOf(db.read, delivery))?.fetchedAt ?? 0) >= delivery.createdAt
    await db.transaction(async (tx) => {
      const ended = await settleDelivery(tx, id, { state: 'confirmed', message: outcome.message, at })
      if (ended) await deliverRecording(tx, id, { message: outcome.message, read, snapshot: delivery.snapshot, at })
    })
    log.info({ recording: id, attempts: delivery.attempts }, 'the ERP has a recording')
  } else if (outcome.outcome === 'refused') {
    log.warn({ recording: id, erp: outcome.message }, 'the ERP refused a recording')
    await db.transaction(async (tx) => {
      const ended = await settleDelivery(tx, id, { state: 'refused', message: outcome.message, at, owner })
      if (ended) await refuseRecording(tx, id, outcome.message, at)
    })
  } else {
    const { message } = outcome
    // what has not left is as safe as all else that waits: it is said once for all
    const repeats = outcome.outcome === 'not_sent' ? message : id
    log.warn({ repeats, recording: id, outcome: outcome.outcome, erp: message }, 'a delivery is still open')
    const { attempts, postponed } = delivery
    const next =
      outcome.outcome === 'not_sent'
        ? {
            state: 'new' as const,
            dueAt: at + retryWaitMs(postponed, Math.random()),
            attempts: attempts - 1,
            postponed: postponed + 1,
          }
        : { state: 'unknown' as const, dueAt: at, postponed: 0, inquiries: 0, words: outcome.words }
    await postpone(delivery, { message, ...next }, needs)
  }
}

const ask = (delivery: Delivery, { inquiries }: Needs): Promise<Verdict> =>
  inquiries.ask(delivery).catch(
    (error: unknown): Verdict => ({
      verdict: 'later',
      message: `O ERP não respondeu à consulta: ${(error as Error).message}`,
      counts: isAnswered(error),
    }),
  )

/**
 * While a device says that this database went back, what says that it never left may have left. It is asked about, and where
 * nobody can tell it waits as it is: this doubt may pass (decision 080).
 */
async function isSurelyNotSent(delivery: Delivery, doubtedAt: number, needs: Needs): Promise<boolean> {
  const verdict = await ask({ ...delivery, sentAt: Math.max(doubtedAt, delivery.createdAt) }, needs)
  const { message } = verdict
  if (verdict.verdict === 'not_applied') return true
  if (verdict.verdict === 'confirmed') await settle(delivery, { outcome: 'confirmed', message, erpRecord: null }, needs)
  else if (verdict.verdict === 'refused') await settle(delivery, { outcome: 'refused', message }, needs)
  else {
    const unchangedAt = verdict.verdict === 'later' ? (verdict.unchangedAt ?? null) : null
    const inquiries = delivery.inquiries + 1
    const dueAt = needs.now() + inquiryWaitMs(inquiries)
    await postpone(delivery, { state: 'new', dueAt, message, inquiries, unchangedAt }, needs)
  }
  return false
}

/** The bytes may have left and no answer came: what happened is asked, never assumed. */
async function inquire(delivery: Delivery, needs: Needs): Promise<void> {
  const { db, now, log } = needs
  const { id } = delivery
  let verdict = await ask(delivery, needs)
  const sendings = delivery.attempts - (delivery.resent?.attempts ?? 0)
  if (verdict.verdict === 'not_applied' && sendings >= SENDINGS_MAX) {
    verdict = { verdict: 'manual', message: `Enviado ${sendings} vezes, e o ERP não o registrou.` }
  }
  const { message } = verdict
  if (verdict.verdict === 'confirmed') {
    return await settle(delivery, { outcome: 'confirmed', message, erpRecord: null }, needs)
  }
  if (verdict.verdict === 'refused') return await settle(delivery, { outcome: 'refused', message }, needs)
  const inquiries = delivery.inquiries + (verdict.verdict === 'later' && !verdict.counts ? 0 : 1)
  if (verdict.verdict === 'manual' || inquiries > INQUIRIES_MAX) {
    log.error({ recording: id, erp: message }, 'a person must decide whether the ERP has this recording')
    const at = now()
    const { resent } = delivery
    await db.transaction(async (tx) => {
      const state = resent?.from === 'parked' ? ('refused' as const) : ('manual' as const)
      if (!(await settleDelivery(tx, id, { state, message, at }))) return
      if (resent) await returnResent(tx, id, { from: resent.from, reason: message, at })
      else await leaveUncertain(tx, id, message, at)
    })
    return
  }
  const next =
    verdict.verdict === 'later'
      ? {
          state: 'unknown' as const,
          dueAt: now() + inquiryWaitMs(inquiries, verdict.waitMsMax),
          unchangedAt: verdict.unchangedAt ?? null,
        }
      : { state: 'new' as const, dueAt: now(), unchangedAt: null }
  await postpone(delivery, { message, inquiries, ...next }, needs)
}
