import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { CHANGES_MARK_HEADER, MARK_HEADER } from '../../contract/endpoint.ts'
import { type MarkKind, markKinds } from '../../contract/epochs.ts'
import { type EpochCause, isCoveredBy, isMark, type Witness } from '../../domain/plant/epochs.ts'
import type { Outside } from '../outside.ts'
import { isKnownAct } from '../store/act-kinds.ts'
import { againWhenStored } from '../store/db/db.ts'
import { findReached, insertWitness, isProvenYounger, listWitnesses } from '../store/epoch-witnesses.ts'
import { beginYoungerEpoch } from '../store/epochs.ts'
import { findSetting } from '../store/settings.ts'
import { readReceipt } from './delivery-receipts.ts'
import { type Keys, type Purpose, readSigned, sign } from './signatures.ts'

/** How far a database had come: comparable within one epoch only. */
const Mark = z.strictObject({ epoch: z.string(), seq: z.int() })

/**
 * How each number travels and where this server keeps it. A version before knows that of deliveries alone: what that means, and
 * its file, stay as they are.
 */
const marks: Record<MarkKind, { header: string; purpose: Purpose; fileEnd: string }> = {
  deliveries: { header: MARK_HEADER, purpose: 'mark', fileEnd: '' },
  changes: { header: CHANGES_MARK_HEADER, purpose: 'mark-of-changes', fileEnd: '.mudancas' },
}

const KEEP_EVERY_MS = 1000
const NODES_APART_MS = 5000

/** A caller's claims about this database: signed marks and receipts. */
type Seen = {
  /** By the names of their headers. */
  marks: Record<string, unknown>
  /** Receipt of the last act that the server had answered. */
  receipt: unknown
  /** By what its browser is known; null for a program. */
  device: string | null
  userId: number
}

/**
 * A database that went back without `restore` (a copied file, a snapshot, a promoted replica) keeps its epoch. Marks and
 * receipts show that it is older than what its clients have seen (decisions 036 and 080).
 */
export type Marks = {
  /** The headers of an answer that says 'saved'. Read after its commit. */
  current(): Promise<Record<string, string>>
  /**
   * True when a second witness has shown that the database went back: a new epoch has begun then, and the call must fail. From
   * the first one on deliveries are asked about before they are sent, and no call is refused.
   */
  isYounger(seen: Seen): Promise<boolean>
}

type Needs = Pick<Outside, 'db' | 'config' | 'now' | 'log'> & { keys: Keys }

type Saved = { epoch: string; kind: MarkKind }

const fileOf = ({ dataDir }: Outside['config'], { epoch, kind }: Saved) =>
  join(dataDir, 'marcas', epoch.replace(/[^\w-]/g, '_') + marks[kind].fileEnd)

/** The highest mark of an epoch that this server has saved, whatever became of the database; 0 without one. */
function readSaved(config: Outside['config'], of: Saved): number {
  try {
    return Number(readFileSync(fileOf(config, of), 'utf8')) || 0
  } catch {
    return 0
  }
}

/** Never less than what was seen before: a database that went back under a running server says less. */
function save(config: Outside['config'], { epoch, reached }: Own): void {
  for (const kind of markKinds) {
    const of = { epoch, kind }
    if (readSaved(config, of) >= reached[kind]) continue
    const file = fileOf(config, of)
    mkdirSync(join(config.dataDir, 'marcas'), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.novo`, String(reached[kind]))
    renameSync(`${file}.novo`, file)
  }
}

type Own = { epoch: string; reached: Record<MarkKind, number> }

const readOwn = async ({ db }: Pick<Needs, 'db'>): Promise<Own> => ({
  epoch: (await findSetting(db.read, 'epoch')) ?? '',
  reached: await findReached(db.read),
})

type Claim = Witness & { epoch: string }

/** The caller's claims about an epoch, as far as somebody here has signed them. */
function claimsOf({ marks: shown, receipt, device, userId }: Seen, { keys }: Needs): Claim[] {
  const claims: Claim[] = []
  for (const kind of markKinds) {
    const { header, purpose } = marks[kind]
    const signed = shown[header]
    const read = Mark.safeParse(typeof signed === 'string' ? readSigned(keys, purpose, signed) : null)
    if (!read.success) continue
    const { epoch, seq } = read.data
    claims.push({ kind, device: device ?? `user ${userId}`, subject: String(seq), epoch })
  }
  const named = readReceipt(receipt, { keys })
  if (named) claims.push({ kind: 'receipt', device: named.device, subject: named.id, epoch: named.epoch })
  return claims
}

/** Claims about its own epoch that this database cannot meet. */
async function unmet(claims: readonly Claim[], { epoch, reached }: Own, { db }: Needs): Promise<Claim[]> {
  const lacking: Claim[] = []
  for (const claim of claims.filter((one) => one.epoch === epoch)) {
    const isMet = isMark(claim)
      ? Number(claim.subject) <= reached[claim.kind]
      : await isKnownAct(db.read, claim.subject)
    if (!isMet) lacking.push(claim)
  }
  return lacking
}

/** Begins a new epoch; of several servers one does. */
async function restartEpoch({ db, now, log }: Needs, epoch: string, why: EpochCause, seen: object): Promise<void> {
  const begun = await db.transaction((tx) => beginYoungerEpoch(tx, epoch, { at: now(), why }))
  if (begun) log.error({ epoch, ...seen }, 'the database is younger than what was seen of it: a new epoch has begun')
}

/** Stores what a caller has shown and nobody had shown before. */
async function testify({ db, now, log }: Needs, epoch: string, witnesses: readonly Witness[], userId: number) {
  await againWhenStored(() =>
    db.transaction(async (tx) => {
      for (const witness of witnesses) await insertWitness(tx, epoch, { ...witness, userId, seenAt: now() })
    }),
  )
  log.warn(
    { epoch, witnesses },
    'a device has seen more of the database than there is: deliveries are asked about first',
  )
}

/** A file is enough: the server wrote it after its own commit. Not where an administrator has said that nothing is missing. */
async function lookAtSaved(needs: Needs): Promise<void> {
  const { config, db } = needs
  const isAhead = async () => {
    const { epoch, reached } = await readOwn(needs)
    const known = (await listWitnesses(db.read, epoch)).filter(({ isDismissed }) => isDismissed)
    const seen = markKinds
      .map((kind): Witness => ({ kind, device: '', subject: String(readSaved(config, { epoch, kind })) }))
      .filter((one) => isMark(one) && Number(one.subject) > reached[one.kind])
      .filter((one) => !known.some((other) => isCoveredBy(one, { ...other, device: '' })))
    return seen.length > 0 && { epoch, reached, seen }
  }
  if (!(await isAhead())) return
  await awaitOtherServers(needs)
  const ahead = await isAhead()
  if (ahead) await restartEpoch(needs, ahead.epoch, 'file', ahead)
}

/** Another server's commit may not have arrived here yet. */
const awaitOtherServers = async ({ db }: Needs) => {
  if (db.kind === 'mysql') await setTimeout(NODES_APART_MS)
}

export async function openMarks(needs: Needs): Promise<Marks> {
  const { config, keys, log, db } = needs
  let savedAt = Number.NEGATIVE_INFINITY
  const saveSoon = (own: Own) => {
    const at = performance.now()
    if (at - savedAt < KEEP_EVERY_MS) return
    savedAt = at
    try {
      save(config, own)
    } catch (error) {
      log.warn({ err: error, repeats: true }, 'how far the database has come could not be kept')
    }
  }
  await lookAtSaved(needs)
  return {
    async current() {
      const own = await readOwn(needs)
      saveSoon(own)
      const { epoch, reached } = own
      return Object.fromEntries(
        markKinds.map((kind) => [marks[kind].header, sign(keys, marks[kind].purpose, { epoch, seq: reached[kind] })]),
      )
    },
    async isYounger(seen) {
      const claims = claimsOf(seen, needs)
      // most calls claim nothing
      if (claims.length === 0) return false
      const before = await readOwn(needs)
      const shown = await unmet(claims, before, needs)
      if (shown.length === 0) return false
      const known = await listWitnesses(db.read, before.epoch)
      const fresh = shown.filter((one) => !known.some((other) => isCoveredBy(one, other)))
      if (fresh.length > 0) {
        await awaitOtherServers(needs)
        const own = await readOwn(needs)
        // whoever was first has begun another: the caller must learn of it
        if (own.epoch !== before.epoch) return true
        const witnesses = await unmet(fresh, own, needs)
        if (witnesses.length === 0) return false
        await testify(needs, own.epoch, witnesses, seen.userId)
      }
      // after the commit: of two that came at once one at least sees both
      if (!(await isProvenYounger(db.read, before.epoch))) return false
      await restartEpoch(needs, before.epoch, 'witnesses', { shown })
      return true
    },
  }
}
