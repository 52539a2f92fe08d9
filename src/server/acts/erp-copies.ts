import { setTimeout as wait } from 'node:timers/promises'
import type { CutItem, SearchMode } from '../../contract/items.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { rowOf } from '../../domain/acts/recordings.ts'
import { firstSpelled, usualSpellings } from '../../domain/text/spellings.ts'
import { ErpFailure, type Rows, requireUsable } from '../erp/gateway.ts'
import { type Caller, personOf, sessionOf } from '../http/caller.ts'
import { limits } from '../http/limits.ts'
import { Refused } from '../http/refused.ts'
import { openSlots, UNBOUNDED } from '../http/slots.ts'
import type { Outside } from '../outside.ts'
import { againWhenStored } from '../store/db/db.ts'
import {
  deleteVanishedItems,
  findItem,
  isWholeOrder,
  listItemsOfOrder,
  markWholeOrder,
  saveItems,
} from '../store/items.ts'

/** How long a person waits for a slow ERP before the last copy answers: no screen is blocked for more than 3 s. */
const COPY_AFTER_MS = 2500

/** Failures in which the last copy is better than nothing. The ERP's own "no" is an answer, not a failure. */
const copyHelps = (error: unknown) =>
  isTooMany(error) || (error instanceof ErpFailure && !['refused', 'not_found'].includes(error.kind))

const isTooMany = (error: unknown) => error instanceof Refused && error.code === 'too_many_searches'

/** Dependencies of a call that reads the ERP while somebody waits for the answer. */
export type ErpReading = Outside & { erpReads: ReturnType<typeof openErpReads> }

/** Nobody's searches fill the queue for a call that all others wait in. */
export function openErpReads() {
  const slots = openSlots({ ...UNBOUNDED, refusal: 'too_many_searches', retryAfterS: 2 })
  return {
    /** Refuses where this session, or person, has too many open. */
    async run<T>(caller: Caller, read: () => Promise<T>): Promise<T> {
      const leave = slots.take([
        { holder: sessionOf(caller), max: limits.erpReadsOfSession.max },
        { holder: personOf(caller), max: limits.erpReadsOfPerson.max },
      ])
      try {
        return await read()
      } finally {
        leave()
      }
    },
  }
}

/**
 * Reads from the ERP, or from the last copy when the ERP is down or slow. `read` goes on after the copy has answered
 * and keeps what it then learns. With neither the ERP nor a copy the ERP's failure is thrown. A `caller` may have so many reads
 * open.
 */
export async function readOrCopy<T>(
  read: () => Promise<T>,
  copy: () => Promise<{ value: T; fetchedAt: number } | null>,
  { log, erpReads }: Pick<ErpReading, 'log' | 'erpReads'>,
  caller?: Caller,
): Promise<{ value: T; copyOf: number | null }> {
  const reading = caller === undefined ? read() : erpReads.run(caller, read)
  const slow = wait(COPY_AFTER_MS, 'slow' as const, { ref: false })
  try {
    const first = await Promise.race([reading.then((value) => ({ value })), slow])
    if (first !== 'slow') return { value: first.value, copyOf: null }
    reading.catch((error: unknown) =>
      log.warn({ err: error, repeats: true }, 'a slow ERP read failed after its copy had answered'),
    )
  } catch (error) {
    if (!copyHelps(error)) throw error
    if (!isTooMany(error)) log.warn({ err: error, repeats: true }, 'the ERP could not be read; looking for a copy')
  }
  const cached = await copy()
  return cached ? { value: cached.value, copyOf: cached.fetchedAt } : { value: await reading, copyOf: null }
}

/** Branches are configuration: one that this installation does not have is refused before the ERP hears of it. */
export function requirePlant(branch: string, { config }: Pick<Outside, 'config'>): void {
  if (config.plants.some((plant) => plant.code === branch)) return
  throw new Refused('unknown_plant', { details: [{ field: 'filial', message: 'Filial desconhecida' }] })
}

/** The copy left by an earlier search; null when there is none. */
export async function copyOfSearch(
  branch: string,
  termo: string,
  outside: Pick<Outside, 'db'>,
): Promise<{ value: CutItem[]; fetchedAt: number } | null> {
  return await firstSpelled(termo, (spelling) => copyOf(branch, spelling, outside))
}

async function copyOf(branch: string, termo: string, { db }: Pick<Outside, 'db'>) {
  const isBarcode = termo.length === BARCODE_LENGTH
  const one = isBarcode ? await findItem(db.read, branch, termo) : null
  const copies = isBarcode ? (one ? [one] : []) : await listItemsOfOrder(db.read, branch, termo)
  if (copies.length === 0) return null
  return { value: copies.map((copy) => copy.item), fetchedAt: Math.min(...copies.map((copy) => copy.fetchedAt)) }
}

/** As `copyOfSearch`, but of an order all of it or nothing: a part of one, read by barcodes, would pass for the whole. */
export async function wholeCopyOfSearch(branch: string, termo: string, outside: Pick<Outside, 'db'>) {
  if (termo.length === BARCODE_LENGTH) return await copyOfSearch(branch, termo, outside)
  const order = await firstSpelled(termo, async (spelling) =>
    (await isWholeOrder(outside.db.read, branch, spelling)) ? spelling : null,
  )
  return order === null ? null : await copyOf(branch, order, outside)
}

/** An ERP knows a code in its own case alone: where it knows none, Caps Lock or the scanner may have turned it. */
export async function askAsWritten<Row>(
  code: string,
  ask: (spelling: string) => Promise<Rows<Row>>,
): Promise<Rows<Row> & { spelling: string }> {
  const first = await ask(code)
  if (first.rows.length + first.unusable.length > 0) return { ...first, spelling: code }
  for (const spelling of usualSpellings(code).slice(1)) {
    const read = await ask(spelling)
    if (read.rows.length + read.unusable.length > 0) return { ...read, spelling }
  }
  return { ...first, spelling: code }
}

/** Reads from the ERP, keeps the copy, and answers what the copy then says: with the pieces that are on their way. */
export async function readItems(
  { branch, termo, mode, reader }: { branch: string; termo: string; mode: SearchMode; reader?: string },
  { db, erp, now }: Pick<Outside, 'db' | 'erp' | 'now'>,
): Promise<CutItem[]> {
  const readBegunAt = now()
  const read = await askAsWritten(termo, (term) => erp.searchItems({ branch, term, mode, reader }))
  requireUsable(read, read.spelling)
  const { rows: found, unusable, spelling: order } = read
  if (found.length === 0) return []
  const when = { readBegunAt, fetchedAt: now() }
  return await againWhenStored(() =>
    db.transaction(async (tx) => {
      const saved = await saveItems(tx, branch, found, when)
      // a row without its key may be of any item
      if (termo.length !== BARCODE_LENGTH && !unusable.includes('')) {
        await deleteVanishedItems(tx, branch, order, [...found.map((item) => item.Z1_CODBAR), ...unusable])
        await markWholeOrder(tx, branch, order)
      }
      return saved
    }),
  )
}

export const readItem = ({ branch, barcode }: { branch: string; barcode: string }, call: ErpReading) =>
  readItems({ branch, termo: barcode, mode: 'APONTAMENTO' }, call)

/** The row of a barcode among those found. Throws `item_not_found`. */
export function itemOf(found: CutItem[], barcode: string): CutItem {
  const item = rowOf(found, barcode)
  if (!item) throw new Refused('item_not_found')
  return item
}
