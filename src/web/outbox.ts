import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Part } from '../contract/items.ts'
import type { CutCrimpRecording } from '../contract/recordings.ts'

/** One physical act as the first 'Registrar' froze it. Its id and content never change until the server answers. */
export type FrozenRecording = {
  id: string
  /** Who made it, and what delivers it in this person's name when somebody else is logged in. */
  username: string
  grant: string
  branch: string
  barcode: string
  part: Part
  payload: CutCrimpRecording
  frozenAt: string
}

interface Outbox extends DBSchema {
  frozen: { key: string; value: FrozenRecording }
}

let opened: Promise<IDBPDatabase<Outbox>> | null = null

const forget = () => {
  opened = null
}

/** A database that could not be opened, or that the browser closed, is opened again by the next call. */
function open(): Promise<IDBPDatabase<Outbox>> {
  opened ??= openDB<Outbox>('apontamentos', 1, {
    upgrade: (db) => void db.createObjectStore('frozen', { keyPath: 'id' }),
    terminated: forget,
    blocking: (_current, _blocked, event) => {
      forget()
      ;(event.target as IDBDatabase).close()
    },
  }).catch((cause: unknown) => {
    forget()
    throw cause
  })
  return opened
}

/** Browsers write lazily by default: a tablet that loses power would forget an act that the server may have. */
async function write(change: (store: { put(r: FrozenRecording): unknown; delete(id: string): unknown }) => unknown) {
  const transaction = (await open()).transaction('frozen', 'readwrite', { durability: 'strict' })
  await Promise.all([change(transaction.store), transaction.done])
}

/** Other tabs of this tablet show the same recordings. */
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('apontamentos')
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
tabs?.addEventListener('message', tell)

function changed() {
  tell()
  tabs?.postMessage('changed')
}

export function subscribeFrozen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** On disk when this resolves. When it rejects, nothing may be sent. */
export async function freeze(recording: FrozenRecording): Promise<void> {
  await write((store) => store.put(recording))
  changed()
}

export async function release(id: string): Promise<void> {
  await write((store) => store.delete(id))
  changed()
}

export const findFrozen = async (id: string): Promise<FrozenRecording | undefined> => (await open()).get('frozen', id)

/** Oldest first: the order in which the acts were done. */
export async function listFrozen(): Promise<FrozenRecording[]> {
  const all = await (await open()).getAll('frozen')
  return all.sort((a, b) => a.frozenAt.localeCompare(b.frozenAt))
}
