import { setTimeout as wait } from 'node:timers/promises'
import type { SharedSlots } from './gateway.ts'

export type Slots = {
  /** Runs `work` when it is its turn. Throws what `onTooLong` makes when that takes too long. */
  run<T>(work: () => Promise<T>): Promise<T>
}

const ASK_AGAIN_MS = 50

/**
 * At most `count` at once, first come first served; among several servers, as `shared` has it. An AppServer has few
 * working threads: what we do not queue here it would turn away.
 */
export function createSlots(options: {
  count: number
  waitMsMax: number
  onTooLong: () => Error
  shared?: SharedSlots | undefined
}): Slots {
  let free = options.count
  const waiting: (() => void)[] = []

  const enter = () =>
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
        waiting.splice(waiting.indexOf(turn), 1)
        reject(options.onTooLong())
      }, options.waitMsMax)
      waiting.push(turn)
    })

  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
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
    async run(work) {
      const endMs = performance.now() + options.waitMsMax
      await enter()
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
