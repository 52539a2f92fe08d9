import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type EpochCause, isCoveredBy, isMark, type Witness } from '../../domain/epochs.ts'
import type { Outside } from '../outside.ts'
import { isKnownAct } from '../store/act-kinds.ts'
import { againWhenStored } from '../store/db/db.ts'
import { insertWitness, isProvenYounger, listWitnesses } from '../store/epoch-witnesses.ts'
import { beginYoungerEpoch } from '../store/epochs.ts'
import { findNewestSeq } from '../store/outbox.ts'
import { findSetting } from '../store/settings.ts'
import { readReceipt } from './delivery-receipts.ts'
import { type Keys, readSigned, sign } from './signatures.ts'

/** How far a database had come: comparable within one epoch only. */
const Mark = z.strictObject({ epoch: z.string(), seq: z.int() })
type Mark = z.output<typeof Mark>

const KEEP_EVERY_MS = 1000
const NODES_APART_MS = 5000

/** What a caller has seen of this database, as it says: signed marks and receipts. */
export type Seen = {
  mark: string | null
  /** Of the last act that the server had answered. */
  receipt: string | null
  /** By what its browser is known; null for a program. */
  device: string | null
  userId: number
}

/**
 * A database that went back without `restore` (a copied file, a snapshot, a promoted replica) keeps its epoch. Marks and
 * receipts show that it is older than what its clients have seen (decisions 036 and 080).
 */
export type Marks = {
  /** The mark for an answer that says 'saved'. Read after its commit. */
  current(): Promise<string>
  /**
   * True when a second witness has shown that the database went back: a new epoch has begun then, and the call must fail. From
   * the first one on deliveries are asked about before they are sent, and no call is refused.
   */
  isYounger(seen: Seen): Promise<boolean>
}

type Needs = Pick<Outside, 'db' | 'config' | 'now' | 'log'> & { keys: Keys }

const fileOf = ({ dataDir }: Outside['config'], epoch: string) => join(dataDir, 'marcas', epoch.replace(/[^\w-]/g, '_'))

/** What this server has seen of an epoch, whatever became of the database; 0 where it has seen nothing. */
function readSaved(config: Outside['config'], epoch: string): number {
  try {
    return Number(readFileSync(fileOf(config, epoch), 'utf8')) || 0
  } catch {
    return 0
  }
}

/** Never less than what was seen before: a database that went back under a running server says less. */
function keep(config: Outside['config'], { epoch, seq }: Mark): void {
  if (readSaved(config, epoch) >= seq) return
  const file = fileOf(config, epoch)
  mkdirSync(join(config.dataDir, 'marcas'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.novo`, String(seq))
  renameSync(`${file}.novo`, file)
}

async function readOwn({ db }: Pick<Needs, 'db'>): Promise<Mark> {
  return { epoch: (await findSetting(db.read, 'epoch')) ?? '', seq: await findNewestSeq(db.read) }
}

/** What the caller says of the present epoch, as far as somebody here has signed it. */
function claimsOf({ mark, receipt, device, userId }: Seen, epoch: string, { keys }: Needs): Witness[] {
  const claims: Witness[] = []
  const from = device ?? `user ${userId}`
  const read = Mark.safeParse(readSigned(keys, 'mark', mark ?? ''))
  if (read.success && read.data.epoch === epoch) {
    claims.push({ kind: 'mark', device: from, subject: String(read.data.seq) })
  }
  const named = readReceipt(receipt, { keys })
  if (named?.epoch === epoch) claims.push({ kind: 'receipt', device: named.device, subject: named.id })
  return claims
}

/** Those of the claims that this database cannot meet. */
async function unmet(claims: readonly Witness[], own: Mark, { db }: Needs): Promise<Witness[]> {
  const lacking: Witness[] = []
  for (const claim of claims) {
    const isMet = isMark(claim) ? Number(claim.subject) <= own.seq : await isKnownAct(db.read, claim.subject)
    if (!isMet) lacking.push(claim)
  }
  return lacking
}

/** Begins a new epoch; of several servers one does. */
async function restartEpoch({ db, now, log }: Needs, epoch: string, why: EpochCause, seen: object): Promise<void> {
  const begun = await db.transaction((tx) => beginYoungerEpoch(tx, epoch, { at: now(), why }))
  if (begun) log.error({ epoch, ...seen }, 'the database is younger than what was seen of it: a new epoch has begun')
}

/** Stores what a caller has shown and nobody has stored before. */
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

/** The file is enough: the server wrote it after its own commit. Not where an administrator has said that nothing is missing. */
async function lookAtSaved(needs: Needs): Promise<void> {
  const own = await readOwn(needs)
  const saved = readSaved(needs.config, own.epoch)
  if (saved <= own.seq) return
  const known = await listWitnesses(needs.db.read, own.epoch)
  const isDismissed = known.some((one) => one.isDismissed && isMark(one) && Number(one.subject) >= saved)
  if (!isDismissed) await restartEpoch(needs, own.epoch, 'file', { seq: own.seq, seen: saved })
}

export async function openMarks(needs: Needs): Promise<Marks> {
  const { config, keys, log, db } = needs
  let savedAt = Number.NEGATIVE_INFINITY
  const keepSoon = (mark: Mark) => {
    const at = performance.now()
    if (at - savedAt < KEEP_EVERY_MS) return
    savedAt = at
    try {
      keep(config, mark)
    } catch (error) {
      log.warn({ err: error, repeats: true }, 'how far the database has come could not be kept')
    }
  }
  await lookAtSaved(needs)
  return {
    async current() {
      const mark = await readOwn(needs)
      keepSoon(mark)
      return sign(keys, 'mark', mark)
    },
    async isYounger(seen) {
      const before = await readOwn(needs)
      const shown = await unmet(claimsOf(seen, before.epoch, needs), before, needs)
      if (shown.length === 0) return false
      const known = await listWitnesses(db.read, before.epoch)
      const fresh = shown.filter((one) => !known.some((other) => isCoveredBy(one, other)))
      if (fresh.length > 0) {
        // another server's commit may not have arrived here yet
        if (db.kind === 'mysql') await setTimeout(NODES_APART_MS)
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
