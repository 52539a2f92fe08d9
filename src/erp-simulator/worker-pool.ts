/** Where the AppServer ends a working thread and starts a cold one. */
const REQUESTS_PER_WORKER_MAX = 200

export type WorkingThread = { requests: number }

/** Working threads with a first-come queue in front, as an AppServer has them. */
export class WorkerPool {
  #free: WorkingThread[]
  #waiting: ((worker: WorkingThread) => void)[] = []

  constructor(instances: number) {
    this.#free = Array.from({ length: instances }, () => ({ requests: 0 }))
  }

  /** Null when no worker came free in time. */
  take(waitMsMax: number): Promise<WorkingThread | null> {
    const free = this.#free.shift()
    if (free) return Promise.resolve(free)
    return new Promise((resolve) => {
      const turn = (worker: WorkingThread) => {
        clearTimeout(timer)
        resolve(worker)
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== turn)
        resolve(null)
      }, waitMsMax).unref()
      this.#waiting.push(turn)
    })
  }

  release(worker: WorkingThread): void {
    worker.requests += 1
    const next = worker.requests >= REQUESTS_PER_WORKER_MAX ? { requests: 0 } : worker
    const turn = this.#waiting.shift()
    if (turn) turn(next)
    else this.#free.push(next)
  }
}
