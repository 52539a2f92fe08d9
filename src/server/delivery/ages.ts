import type { Outside } from '../outside.ts'
import { type Delivery, listUnknownTimes } from '../store/outbox.ts'

export type Ages = {
  /** How long ago it was in milliseconds, `at` being what the row says: no longer than this process has known of it. */
  ageMs(delivery: Pick<Delivery, 'id'>, what: What, at: number): Promise<number>
  /** This process knows from now on of all whose outcome is unknown. */
  noteUnknown(): Promise<void>
}

type What = 'sent' | 'unchanged'

/** Remembered at most. A forgotten one only seems younger, and waits longer. */
const SEEN_COUNT_MAX = 200_000

/** A clock that is put ahead between a lost answer and the inquiry must not make a write old that is still under way. */
export function openAges({ db, now, elapsedMs }: Pick<Outside, 'db' | 'now' | 'elapsedMs'>): Ages {
  const seenAtMs = new Map<string, number>()
  const keyOf = (id: string, what: What, at: number) => `${id}|${what}|${at}`
  const note = (key: string): number => {
    const seen = seenAtMs.get(key) ?? elapsedMs()
    seenAtMs.set(key, seen)
    return seen
  }
  const noteUnknown = async () => {
    if (seenAtMs.size >= SEEN_COUNT_MAX) seenAtMs.clear()
    for (const { id, sentAt, unchangedAt } of await listUnknownTimes(db.read)) {
      if (sentAt !== null) note(keyOf(id, 'sent', sentAt))
      if (unchangedAt !== null) note(keyOf(id, 'unchanged', unchangedAt))
    }
  }
  return {
    noteUnknown,
    async ageMs({ id }, what, at) {
      const key = keyOf(id, what, at)
      // those that became unknown with it need not wait until each is due
      if (!seenAtMs.has(key)) await noteUnknown()
      return Math.min(now() - at, elapsedMs() - note(key))
    },
  }
}
