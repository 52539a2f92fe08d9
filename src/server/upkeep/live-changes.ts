import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Topic, topics } from '../../contract/endpoint.ts'
import { CHANGE_EVENT, type LiveChange } from '../../contract/live-changes.ts'
import type { Outside } from '../outside.ts'
import { findNewestChangeId, listChangesFrom } from '../store/live-changes.ts'

type Needs = Pick<Outside, 'db' | 'now' | 'log'>

type Listener = {
  /** `messages` is what a stream says of them, written once for all streams. */
  hear(changes: LiveChange[], messages: string): void
  /** This server stops. */
  end(): void
}

export type LiveChanges = {
  /** Tells of whatever is committed from now on, by whichever server. Returns what ends it. */
  listen(listener: Listener): Promise<() => void>
  stop(): void
}

const LOOK_EVERY_MS = 1000
const LISTENERS_AT_A_TIME = 25
/** How long a commit may take after its row got its number; a gap that is older was rolled back. */
const GAP_MS_MAX = 30_000
/** How many rows before the newest may still be uncommitted when a reader begins. */
const ROWS_ON_WAY_MAX = 1000

/** After any other topic the page of the version before reads nothing anew until it is loaded again. */
const knownBefore: ReadonlySet<Topic> = new Set<Topic>([
  ...(['applicators', 'sealing-stations', 'crimp-counters', 'crimp-history', 'items', 'junctions'] as const),
  ...(['pending-recordings', 'documents', 'users', 'sessions', 'settings'] as const),
])

/** As a stream says them. */
export const messagesOf = (changes: readonly LiveChange[]): string =>
  changes
    .map((change) => {
      const name = knownBefore.has(change.topic) ? '' : `event: ${CHANGE_EVENT}\n`
      return `${name}data: ${JSON.stringify(change)}\n\n`
    })
    .join('')

/** Everything may have changed: pages refetch all. */
const all: LiveChange[] = topics.map((topic) => ({ topic, key: '' }))

/**
 * MariaDB commits rows in another order than it numbers them. No row can still appear before `floor`; the rows read after it
 * are remembered.
 */
function openReader({ db, now }: Omit<Needs, 'log'>) {
  const readAt = new Map<number, number>()
  let floor = 0
  const raiseFloor = () => {
    for (const [id, at] of [...readAt].sort(([a], [b]) => a - b)) {
      if (id > floor + 1 && now() - at < GAP_MS_MAX) return
      floor = Math.max(floor, id)
      readAt.delete(id)
    }
  }
  /** Whatever is committed already is not news. */
  const begin = async () => {
    readAt.clear()
    floor = Math.max(0, (await findNewestChangeId(db.read)) - ROWS_ON_WAY_MAX)
    for (const { id } of await listChangesFrom(db.read, floor)) readAt.set(id, now())
    raiseFloor()
  }
  const read = async (): Promise<LiveChange[]> => {
    const rows = await listChangesFrom(db.read, floor)
    if (rows.length === 0 && floor > 0) {
      // the row read last is gone: a backup was restored
      await begin()
      return all
    }
    const fresh = rows.filter(({ id }) => id > floor && !readAt.has(id))
    for (const { id } of fresh) readAt.set(id, now())
    raiseFloor()
    return fresh.flatMap(({ changes }) => changes)
  }
  return { begin, read }
}

/** Reads the change table each second, once per process, while somebody listens. */
export function openLiveChanges(outside: Needs): LiveChanges {
  const { begin, read } = openReader(outside)
  const listeners = new Set<Listener>()
  let begun: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  /** To some at a time: whoever records meanwhile waits for these, and not for all. */
  const spread = async (changes: LiveChange[], messages: string) => {
    let heard = 0
    for (const { hear } of listeners) {
      try {
        hear(changes, messages)
      } catch (error) {
        // the others hear it nevertheless
        outside.log.warn({ err: error, repeats: true }, 'a listener of live changes failed')
      }
      if (++heard % LISTENERS_AT_A_TIME === 0) await nextTurn()
    }
  }
  const look = async () => {
    try {
      const changes = await read()
      if (stopped) return
      const messages = messagesOf(changes)
      if (changes.length > 0) await spread(changes, messages)
    } catch (error) {
      outside.log.warn({ err: error, repeats: true }, 'live changes could not be read')
    }
    if (listeners.size > 0) lookOn()
    else begun = null
  }
  const lookOn = () => {
    if (!stopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  const beginToLook = async () => {
    try {
      await begin()
      lookOn()
    } catch (error) {
      begun = null
      throw error
    }
  }

  return {
    async listen(listener) {
      listeners.add(listener)
      begun ??= beginToLook()
      try {
        await begun
      } catch (error) {
        listeners.delete(listener)
        throw error
      }
      if (stopped) listener.end()
      return () => void listeners.delete(listener)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const { end } of listeners) end()
    },
  }
}
