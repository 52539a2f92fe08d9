export type Slots = {
  /** Runs `work` when it is its turn. Throws what `onTooLong` makes when that takes too long. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/**
 * At most `count` at once, first come first served. An AppServer has few working threads: what we do not queue here
 * it would turn away.
 */
export function createSlots(options: { count: number; waitMsMax: number; onTooLong: () => Error }): Slots {
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

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
