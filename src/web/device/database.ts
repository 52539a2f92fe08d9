import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'

/** Slower than any disk. */
const SILENCE_MS_MAX = 20_000

/** Does its work in one transaction, all of it or nothing. */
type Transact<Schema extends DBSchema> = <
  Stores extends [StoreNames<Schema>, ...StoreNames<Schema>[]],
  Mode extends 'readonly' | 'readwrite',
  Result,
>(
  stores: Stores,
  mode: Mode,
  work: (transaction: IDBPTransaction<Schema, Stores, Mode>) => Promise<Result>,
) => Promise<Result>

/** Ends what got no answer, so that nothing of it can be stored later. One that is being committed cannot be ended. */
function abortSilent(transaction: Pick<IDBTransaction, 'abort'>): void {
  try {
    transaction.abort()
  } catch {
    // As said above.
  }
}

/**
 * A database of this browser, opened at its first use. One that could not be opened, or that the browser closed, is opened
 * again by the next call; a tab with a newer version gets it free. A connection may also die without a word: each of its
 * transactions fails, or is never answered. So one that fails is done once more, in a connection that was opened anew.
 */
export function makeConnection<Schema extends DBSchema>(
  name: string,
  upgrade: (db: IDBPDatabase<Schema>) => void,
  { durability = 'default' }: IDBTransactionOptions = {},
): Transact<Schema> {
  type Opened = Promise<IDBPDatabase<Schema>>
  let current: Opened | null = null
  const forget = (one: Opened) => {
    if (current === one) current = null
  }
  const open = (): Opened => {
    const opened: Opened = openDB<Schema>(name, 1, {
      upgrade,
      terminated: () => forget(opened),
      blocking: (_current, _blocked, event) => {
        forget(opened)
        ;(event.target as IDBDatabase).close()
      },
    })
    return opened
  }
  const attempt: Transact<Schema> = async (stores, mode, work) => {
    current ??= open()
    const used = current
    try {
      const transaction = (await used).transaction(stores, mode, { durability })
      const silence = setTimeout(abortSilent, SILENCE_MS_MAX, transaction)
      const [result] = await Promise.all([work(transaction), transaction.done]).finally(() => clearTimeout(silence))
      return result
    } catch (error) {
      forget(used)
      // what others still do in it comes to its end
      void used.then((db) => db.close()).catch(() => undefined)
      throw error
    }
  }
  return (...what) => attempt(...what).catch(() => attempt(...what))
}
