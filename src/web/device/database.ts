import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/**
 * Opens a database of this browser at its first use. One that could not be opened, or that the browser closed, is opened
 * again by the next call; a tab with a newer version gets it free.
 */
export function makeConnection<Schema extends DBSchema>(
  name: string,
  upgrade: (db: IDBPDatabase<Schema>) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const forget = () => {
    opened = null
  }
  return () => {
    opened ??= openDB<Schema>(name, 1, {
      upgrade,
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
}
