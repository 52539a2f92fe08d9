import { setTimeout as wait } from 'node:timers/promises'
import type { SharedSlots } from './gateway.ts'

export type Slots = {
  /** Runs `work` when it is the turn of its reader. Throws what `onTooLong` makes when that takes too long. */
  run<T>(work: () => Promise<T>, reader?: string): Promise<T>
}

const ASK_AGAIN_MS = 50

/**
 * Limits open calls to `count`. Sessions take turns, each first come first served; `shared` extends the limit to all
 * servers. An AppServer has few threads and rejects what we do not queue here.
 */
export function createSlots(options: {
  count: number
  waitMsMax: number
  onTooLong: () => Error
  shared?: SharedSlots | undefined
}): Slots {
  let free = options.count
  /** In the order of their next turns. */
  const waiting = new Map<string, (() => void)[]>()

  const enter = (reader: string) =>
    new Promise<void>((resolve, reject) => {
      if (free > 0) {
        free -= 1
        return resolve()
      }
      const turn = () => {
        clearTimeout(patience)
        resolve()
      }
      const patience = setTimeout(() => {
        const turns = (waiting.get(reader) ?? []).filter((one) => one !== turn)
        if (turns.length > 0) waiting.set(reader, turns)
        else waiting.delete(reader)
        reject(options.onTooLong())
      }, options.waitMsMax)
      waiting.set(reader, [...(waiting.get(reader) ?? []), turn])
    })

  const leave = () => {
    const [next] = waiting
    if (!next) {
      free += 1
      return
    }
    const [reader, [turn, ...turns]] = next
    waiting.delete(reader)
    if (turns.length > 0) waiting.set(reader, turns)
    turn?.()
  }

  const takeShared = async (shared: SharedSlots, endMs: number) => {
    for (;;) {
      // a store that is away gives no place
      const giveBack = await shared.take().catch(() => null)
      if (giveBack) return giveBack
      if (performance.now() >= endMs) throw options.onTooLong()
      await wait(ASK_AGAIN_MS)
    }
  }

  return {
    async run(work, reader = '') {
      const endMs = performance.now() + options.waitMsMax
      await enter(reader)
      try {
        const giveBack = options.shared && (await takeShared(options.shared, endMs))
        try {
          return await work()
        } finally {
          await giveBack?.()
        }
      } finally {
        leave()
      }
    },
  }
}
