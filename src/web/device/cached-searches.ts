import type { DBSchema } from 'idb'
import { isSameCode, usualSpellings } from '../../domain/text/spellings.ts'
import { serverNow } from './clock.ts'
import { currentUser, forgetWithSession } from './credentials.ts'
import { makeConnection } from './database.ts'
import { logFailure } from './log.ts'

/** Searches that this device brought answers of: what it shows before the ERP answers, and without network. */

/** Most answers kept of each kind. An order has many items, and each opened one its measuring context; a plant has one list of suspects. */
const countsMax = { items: 40, junctions: 40, measuring: 400, contained: 9 }

export type SearchPlace = { kind: keyof typeof countsMax; plant: string; term: string }
type CachedSearch<Row> = { items: Row[]; readAt: string }
type Stored = { key: string; items: unknown[]; barcodes: string[]; readAt: string; savedAt: number }

interface Searches extends DBSchema {
  searches: { key: string; value: Stored; indexes: { barcodes: string; savedAt: number } }
}

const transact = makeConnection<Searches>('pesquisas', (db) => {
  const store = db.createObjectStore('searches', { keyPath: 'key' })
  store.createIndex('barcodes', 'barcodes', { multiEntry: true })
  store.createIndex('savedAt', 'savedAt')
})

/** What fails costs the copy alone: the server may have it. */
function noteFailure(error: unknown): null {
  logFailure('Pesquisas deste dispositivo', error)
  return null
}

const keyOf = ({ kind, plant, term }: SearchPlace) => `${kind}|${plant}|${term}`

/** Makes room first, if it is not there already: the searches saved longest ago go. `barcodeOf`: by what else a row is found. */
export async function saveSearch<Row>(
  { kind, plant, term }: SearchPlace,
  { items, readAt }: CachedSearch<Row>,
  barcodeOf?: (row: Row) => string,
): Promise<void> {
  const key = keyOf({ kind, plant, term })
  await transact(['searches'], 'readwrite', async ({ store }) => {
    // somebody may have logged out while the ERP was asked
    if (currentUser() === null) return
    const barcodes = barcodeOf ? items.map((row) => keyOf({ kind, plant, term: barcodeOf(row) })) : []
    const others = (await store.index('savedAt').getAllKeys()).filter(
      (stored) => stored !== key && stored.startsWith(`${kind}|`),
    )
    for (const oldest of others.slice(0, Math.max(0, others.length + 1 - countsMax[kind]))) await store.delete(oldest)
    await store.put({ key, items, barcodes, readAt, savedAt: serverNow() })
  }).catch(noteFailure)
}

/** The newest that this device has of it; null when it has nothing, or cannot be read: the server may have it. */
export async function findSearch<Row>(
  place: SearchPlace,
  barcodeOf?: (row: Row) => string,
): Promise<CachedSearch<Row> | null> {
  const keys = usualSpellings(place.term).map((term) => keyOf({ ...place, term }))
  try {
    const stored = await transact(['searches'], 'readonly', async ({ store }) => {
      const found = keys.map(async (key) => [
        ...(await store.getAll(key)),
        ...(await store.index('barcodes').getAll(key)),
      ])
      return (await Promise.all(found)).flat()
    })
    const found = stored.toSorted((a, b) => b.savedAt - a.savedAt)[0]
    if (!found) return null
    const rows = found.items as Row[]
    const isWhole = keys.includes(found.key)
    return {
      items: isWhole || !barcodeOf ? rows : rows.filter((row) => isSameCode(barcodeOf(row), place.term)),
      readAt: found.readAt,
    }
  } catch (error) {
    return noteFailure(error)
  }
}

/** Cached searches go with the session that brought them: whoever finds a tablet at its login screen finds no customer's order on it. */
export function watchCachedSearches(): void {
  forgetWithSession(async () => {
    await transact(['searches'], 'readwrite', ({ store }) => store.clear()).catch(noteFailure)
  })
}
