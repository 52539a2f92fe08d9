import type { DBSchema } from 'idb'
import type { DocumentRevision, PlantDocument } from '../../contract/documents.ts'
import { serverNow } from './clock.ts'
import { currentUser, forgetWithSession } from './credentials.ts'
import { makeConnection } from './database.ts'
import { logFailure } from './log.ts'

/**
 * Documents that were opened on this device: readable while the server is away. In a database of our own, as nothing that
 * the server answers may be in the browser's caches, and only while somebody is logged in: whoever finds a tablet at its
 * login screen finds no customer's drawing on it.
 */

const CACHED_BYTES_MAX = 200 * 1024 * 1024

/** A document as it was last read, with the one revision that is kept. */
export type CachedDocument = { document: PlantDocument; revision: DocumentRevision }

type Row = CachedDocument & { sha256: string; bytes: number; openedAt: number; file: Blob }

interface CachedFiles extends DBSchema {
  files: { key: string; value: Row; indexes: { openedAt: number } }
}

const transact = makeConnection<CachedFiles>(
  'documentos',
  (db) => void db.createObjectStore('files', { keyPath: 'sha256' }).createIndex('openedAt', 'openedAt'),
)

/** Documents opened longest ago that must go so that there is room for one more of `bytes`. */
export function leavingFor<One extends Pick<Row, 'bytes' | 'openedAt'>>(
  cached: readonly One[],
  bytes: number,
  bytesMax: number,
): One[] {
  const leaving: One[] = []
  let total = cached.reduce((sum, one) => sum + one.bytes, bytes)
  for (const one of cached.toSorted((older, newer) => older.openedAt - newer.openedAt)) {
    if (total <= bytesMax) break
    leaving.push(one)
    total -= one.bytes
  }
  return leaving
}

/** What fails costs the copy alone: the server has it. */
function noteFailure(error: unknown): null {
  logFailure('Documentos deste dispositivo', error)
  return null
}

/** Null when it is not kept, or cannot be read: the server has it. */
export const findCachedFile = ({ document, revision }: CachedDocument): Promise<Blob | null> =>
  transact(['files'], 'readwrite', async ({ store }) => {
    const row = await store.get(revision.arquivo.sha256)
    if (!row) return null
    await store.put({ ...row, document, revision, openedAt: serverNow() })
    return row.file
  }).catch(noteFailure)

/** Makes room first. That a device has none is no reason not to show the document. */
export async function keepFile({ document, revision }: CachedDocument, file: Blob, username: string): Promise<void> {
  const { sha256 } = revision.arquivo
  await transact(['files'], 'readwrite', async ({ store }) => {
    // Somebody may have logged out while it was loaded.
    if (currentUser()?.username !== username) return
    const others = (await store.getAll()).filter((row) => row.sha256 !== sha256)
    for (const row of leavingFor(others, file.size, CACHED_BYTES_MAX)) await store.delete(row.sha256)
    await store.put({ sha256, document, revision, bytes: file.size, openedAt: serverNow(), file })
  }).catch(noteFailure)
}

/** Documents that this device can show without the server. */
export async function listCached(): Promise<CachedDocument[]> {
  const rows = await transact(['files'], 'readonly', ({ store }) => store.getAll())
  return rows.map(({ document, revision }) => ({ document, revision }))
}

/** All that the server has, as this person may see it: what was withdrawn since goes, the rest is as new as the list. */
export async function agreeCached(documents: readonly PlantDocument[]): Promise<void> {
  await transact(['files'], 'readwrite', async ({ store }) => {
    for (const row of await store.getAll()) {
      const document = documents.find(({ id }) => id === row.document.id)
      const revision = document?.revisoes.find(({ id }) => id === row.revision.id)
      if (document && revision && revision.situacao !== 'retirado') await store.put({ ...row, document, revision })
      else await store.delete(row.sha256)
    }
  }).catch(noteFailure)
}

/** Cached documents go with the session that opened them. */
export function watchCachedDocuments(): void {
  forgetWithSession(async () => {
    await transact(['files'], 'readwrite', ({ store }) => store.clear()).catch(noteFailure)
  })
}
