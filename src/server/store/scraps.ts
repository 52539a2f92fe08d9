import type { Insertable, Selectable } from 'kysely'
import { SCRAPS_LISTED_MAX } from '../../contract/scraps.ts'
import { wears } from '../../domain/tools/scraps.ts'
import { addCrimps, ensureUnit, takeBackCrimps } from './applicators.ts'
import { addScrapOfDay } from './daily-scrap.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

export type StoredScrap = Selectable<Tables['scraps']> & {
  /** Null where nobody knows the code any more. */
  reason_text: string | null
}

const scraps = (db: Reader) =>
  db
    .selectFrom('scraps as s')
    .leftJoin('scrap_reasons as r', 'r.code', 's.reason_code')
    .selectAll('s')
    .select('r.text as reason_text')

export async function findScrap(db: Reader, id: string): Promise<StoredScrap | null> {
  return (await scraps(db).where('s.id', '=', id).executeTakeFirst()) ?? null
}

export async function getScrap(db: Reader, id: string): Promise<StoredScrap> {
  const found = await findScrap(db, id)
  if (!found) throw new Error(`there is no scrap ${id}`)
  return found
}

type ScrapPlace = { branch: string } & ({ barcode: string } | { orderNumber: string; position: string })

/** The newest first, undone ones among them. */
export function scrapsAt(db: Reader, place: ScrapPlace) {
  const ofPlant = scraps(db).where('s.branch', '=', place.branch).orderBy('s.recorded_at', 'desc').orderBy('s.id')
  return 'barcode' in place
    ? ofPlant.where('s.barcode', '=', place.barcode)
    : ofPlant.where('s.order_number', '=', place.orderNumber).where('s.position', '=', place.position)
}

export const listScraps = async (db: Reader, place: ScrapPlace): Promise<StoredScrap[]> =>
  await scrapsAt(db, place).limit(SCRAPS_LISTED_MAX).execute()

export const isWearing = (row: Pick<StoredScrap, 'part' | 'unit' | 'is_rework' | 'origin'>): boolean =>
  wears({ ...row, isRework: row.is_rework === 1 })

const dayOf = (row: StoredScrap) => ({
  ...{ production_day: row.production_day, branch: row.branch, part: row.part, order_number: row.order_number },
  ...{ machine: row.machine, unit_key: row.unit_key, terminal: row.terminal, reason_code: row.reason_code },
  ...{ is_rework: row.is_rework, origin: row.origin, wears: isWearing(row) ? 1 : 0 },
})

/** Its pieces in the sums of its day, and in the open cycle of a tool that it wears. */
async function count(tx: Tx, row: StoredScrap, at: number): Promise<void> {
  await addScrapOfDay(tx, dayOf(row), row.pieces)
  if (!isWearing(row)) return
  await ensureUnit(tx, { name: row.unit, at })
  await addCrimps(tx, { recordingId: row.id, reason: 'scrap', unitKey: row.unit_key, crimps: row.pieces, at })
}

export type NewScrap = Omit<Insertable<Tables['scraps']>, `undone_${string}` | 'counted'>

/** Throws a unique violation when it is stored already. */
export async function insertScrap(tx: Tx, scrap: NewScrap): Promise<StoredScrap> {
  await tx
    .insertInto('scraps')
    .values({ ...scrap, counted: scrap.trusted })
    .execute()
  const stored = await getScrap(tx, scrap.id)
  if (stored.counted === 1) await count(tx, stored, scrap.received_at)
  return stored
}

/** Its author brought it under a good login: it counts, unless somebody has taken it back meanwhile. */
export async function confirmScrap(tx: Tx, id: string, at: number): Promise<StoredScrap> {
  const isConfirmed = await tx
    .updateTable('scraps')
    .set({ trusted: 1 })
    .where('id', '=', id)
    .where('trusted', '=', 0)
    .$call(changesOne)
  const found = await getScrap(tx, id)
  if (!isConfirmed || found.undone_at !== null) return found
  await tx.updateTable('scraps').set({ counted: 1 }).where('id', '=', id).execute()
  await count(tx, found, at)
  return { ...found, counted: 1 }
}

type Undoing = { at: number; by: string; userId: number; reason: string | null }

/** Taken back once: its pieces from the sums of its own day, and from the cycle in which they were counted. Null: it was before. */
export async function undoScrap(tx: Tx, id: string, { at, by, userId, reason }: Undoing): Promise<StoredScrap | null> {
  const isUndone = await tx
    .updateTable('scraps')
    .set({ undone_at: at, undone_by: by, undone_user_id: userId, undone_reason: reason })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .$call(changesOne)
  if (!isUndone) return null
  const found = await getScrap(tx, id)
  if (found.counted === 0) return found
  await tx.updateTable('scraps').set({ counted: 0 }).where('id', '=', id).execute()
  await addScrapOfDay(tx, dayOf(found), -found.pieces)
  if (isWearing(found)) await takeBackCrimps(tx, { recordingId: id, reason: 'scrap-undone', at }, 'scrap')
  return { ...found, counted: 0 }
}
