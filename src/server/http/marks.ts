import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Outside } from '../outside.ts'
import { isKnownAct } from '../store/act-kinds.ts'
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

/**
 * A database that went back without `restore` (a copied file, a snapshot, a promoted replica) keeps its epoch. Marks show
 * that it is older than what its clients have seen (decision 036).
 */
export type Marks = {
  /** The mark for an answer that says 'saved'. Read after its commit. */
  current(): Promise<string>
  /** True when a client has seen more of this epoch than there is. A new epoch has begun then, and the call must fail. */
  isBehind(mark: string): Promise<boolean>
  /**
   * As `isBehind`, by the receipt of the tablet's last answer: a number misses a fork that has grown past it. A database of
   * that epoch that knows no such act is a fork.
   */
  isFork(receipt: string): Promise<boolean>
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

function keep(config: Outside['config'], { epoch, seq }: Mark): void {
  const file = fileOf(config, epoch)
  mkdirSync(join(config.dataDir, 'marcas'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.novo`, String(seq))
  renameSync(`${file}.novo`, file)
}

async function readOwn({ db }: Pick<Needs, 'db'>): Promise<Mark> {
  return { epoch: (await findSetting(db.read, 'epoch')) ?? '', seq: await findNewestSeq(db.read) }
}

/** Begins a new epoch; of several servers one does. */
async function restartEpoch({ db, now, log }: Needs, { epoch, seq }: Mark, seen: object): Promise<void> {
  const begun = await db.transaction((tx) => beginYoungerEpoch(tx, epoch, now()))
  if (begun)
    log.error({ epoch, seq, ...seen }, 'the database is younger than what was seen of it: a new epoch has begun')
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
  const own = await readOwn(needs)
  const saved = readSaved(config, own.epoch)
  if (saved > own.seq) await restartEpoch(needs, own, { seen: saved })
  /** Another server's commit may not have arrived here yet, so the check is repeated. */
  const isYounger = async (isAhead: (own: Mark) => Promise<boolean>, seen: object) => {
    if (!(await isAhead(await readOwn(needs)))) return false
    if (db.kind === 'mysql') await setTimeout(NODES_APART_MS)
    const now = await readOwn(needs)
    if (!(await isAhead(now))) return false
    await restartEpoch(needs, now, seen)
    return true
  }
  return {
    async current() {
      const mark = await readOwn(needs)
      keepSoon(mark)
      return sign(keys, 'mark', mark)
    },
    async isBehind(signed) {
      const read = Mark.safeParse(readSigned(keys, 'mark', signed))
      if (!read.success) return false
      const seen = read.data
      return await isYounger(async ({ epoch, seq }) => seen.epoch === epoch && seen.seq > seq, { seen: seen.seq })
    },
    async isFork(signed) {
      const receipt = readReceipt(signed, needs)
      if (!receipt) return false
      const { id, epoch } = receipt
      const lacksIt = async (own: Mark) => epoch === own.epoch && !(await isKnownAct(db.read, id))
      return await isYounger(lacksIt, { act: id })
    },
  }
}
