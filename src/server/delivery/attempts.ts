import { EventEmitter, once } from 'node:events'
import type { Outside } from '../outside.ts'
import { isWorkedOn } from '../store/outbox.ts'

type Needs = Pick<Outside, 'db' | 'now' | 'log'> & {
  owner: string
  /** False: the delivery could not be leased. */
  workOn: (id: string) => Promise<boolean>
}

/** Calls `onOver` after each attempt; `wasMade` is false when the delivery could not be leased. */
export function openAttempts({ db, now, log, owner, workOn }: Needs, onOver: (wasMade: boolean) => void) {
  const underWay = new Map<string, Promise<void>>()
  const ended = new EventEmitter().setMaxListeners(0)
  let stopped = false
  const attempt = async (id: string): Promise<boolean> => {
    let wasMade = false
    try {
      wasMade = await workOn(id)
      if (!wasMade && (await isWorkedOn(db.read, id, { owner, now: now() }))) return false
    } catch (error) {
      log.error(
        { err: error, repeats: id, recording: id },
        'a delivery could not be worked on; it is taken up again later',
      )
    }
    ended.emit(id)
    return wasMade
  }
  const take = (id: string): Promise<void> => {
    const already = underWay.get(id)
    if (already || stopped) return already ?? Promise.resolve()
    const work = attempt(id).then((wasMade) => {
      underWay.delete(id)
      onOver(wasMade)
    })
    underWay.set(id, work)
    return work
  }
  return {
    /** Resolves when the attempt is over. What is being worked on already is not taken up twice. */
    take,
    /** Takes it up, and resolves when an attempt at it has ended, whoever made it here, or with the signal. */
    async takeAndAwait(id: string, signal: AbortSignal) {
      const attempted = once(ended, id, { signal }).catch(() => undefined)
      void take(id)
      await attempted
    },
    isUnderWay: (id: string) => underWay.has(id),
    count: () => underWay.size,
    /** Takes up nothing new. Resolves when what is under way is over. */
    stop() {
      stopped = true
      return Promise.all(underWay.values())
    },
  }
}
