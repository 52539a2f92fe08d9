import { setTimeout as delay } from 'node:timers/promises'
import { fault, type Reply, serverBusy } from './answers.ts'
import { type Call, calls, type Operation, writes } from './calls.ts'
import { type FaultId, Faults, type Scene, type Struck } from './faults.ts'
import { Ledger } from './ledger.ts'
import type { Profile } from './profiles.ts'
import { type Random, randomFor } from './random.ts'
import { textOf } from './requests.ts'
import { Tokens } from './tokens.ts'

/** Where the AppServer ends a working thread and starts a cold one. */
const REQUESTS_PER_WORKER_MAX = 200

type WorkingThread = { requests: number }

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

type AppServerOptions = {
  profile: Profile
  seed: number
  user: string
  password: string
  instances: number
  acceptTimeoutMs: number
  speed: number
  now: () => number
  dedup: boolean
  lookup: boolean
  journalFile: string | undefined
}

export type LogEntry = {
  at: number
  operation: Operation
  branch: string
  integrationId: string
  barcode: string
  /** What was searched for: a barcode, or an order. */
  term: string
  /** Of a junction. */
  position: string
  faults: FaultId[]
  /** Null while it is being worked on. */
  outcome: number | 'silence' | 'reset' | null
}

const LOG_LENGTH_MAX = 10_000

const bend = (struck: readonly Struck[], reply: Reply): Reply =>
  struck.reduce<Reply>(
    (current, { rule, fault: given }) =>
      typeof current === 'string' ? current : (rule.bend?.(current, given) ?? current),
    reply,
  )

/** The AppServer behind the HTTP port: queue, working threads, record locks, clock, and what goes wrong. */
export class AppServer {
  readonly ledger: Ledger
  readonly faults: Faults
  readonly #options: AppServerOptions
  readonly #tokens: Tokens
  readonly #pool: WorkerPool
  readonly #random: Random
  readonly #ending = new AbortController()
  readonly #locks = new Map<string, Promise<void>>()
  #clockAheadMs = 0
  #late: { dueAt: number; run: () => void }[] = []
  #log: LogEntry[] = []

  constructor(options: AppServerOptions) {
    this.#options = options
    const now = () => this.now()
    this.ledger = new Ledger({ ...options, now })
    this.#tokens = new Tokens(options, now)
    this.#pool = new WorkerPool(options.instances)
    this.#random = randomFor(options.seed, 'noise')
    this.faults = new Faults(options.profile.draws, randomFor(options.seed, 'faults'))
  }

  get log(): readonly LogEntry[] {
    return this.#log
  }

  now(): number {
    return this.#options.now() + this.#clockAheadMs
  }

  advanceClock(ms: number): void {
    this.#clockAheadMs += ms
    this.settle()
  }

  /** Runs what was to happen later and whose time has come. */
  settle(): void {
    const due = this.#late.filter((entry) => entry.dueAt <= this.now())
    this.#late = this.#late.filter((entry) => !due.includes(entry))
    for (const entry of due) entry.run()
  }

  reset(): void {
    this.#late = []
    this.#log = []
    this.#clockAheadMs = 0
    this.faults.reset()
    this.ledger.reset()
  }

  /** Calls that are still being worked on are dropped. */
  close(): void {
    this.#ending.abort()
    this.ledger.close()
  }

  async answer(call: Call): Promise<Reply> {
    this.settle()
    const struck = this.faults.strike(call)
    const entry = this.#enter(call, struck)
    const reply = await this.#serve(call, struck)
    entry.outcome = typeof reply === 'string' ? reply : reply.status
    return reply
  }

  #enter(call: Call, struck: readonly Struck[]): LogEntry {
    const entry: LogEntry = {
      at: this.now(),
      operation: call.operation,
      branch: call.branch,
      integrationId: textOf(call.body.ID_INTEGRACAO) || (call.parameters.get('id') ?? ''),
      barcode: textOf(call.body.COD_BARRA),
      term: call.parameters.get('termo') ?? call.parameters.get('numeroop') ?? '',
      position: call.parameters.get('posicao') ?? '',
      faults: struck.map(({ fault: given }) => given.id),
      outcome: null,
    }
    this.#log.push(entry)
    if (this.#log.length > LOG_LENGTH_MAX) this.#log.shift()
    return entry
  }

  async #serve(call: Call, struck: readonly Struck[]): Promise<Reply> {
    for (const { rule, fault: given } of struck) {
      const turnedAway = await rule.door?.(this.#scene(false), call, given)
      if (turnedAway) return turnedAway
    }
    if (!calls[call.operation].open && !this.#tokens.admits(call.authorization)) {
      return fault(401, 'Usuário não autorizado')
    }
    const worker = await this.#pool.take(this.#options.acceptTimeoutMs)
    if (!worker) return serverBusy()
    try {
      const scene = this.#scene(worker.requests === 0)
      const lock = writes[call.operation]?.lock(call) ?? ''
      const execute = () => this.#execute(scene, call, struck)
      return bend(struck, await (lock ? this.#holding(lock, execute) : execute()))
    } finally {
      this.#pool.release(worker)
    }
  }

  async #execute(scene: Scene, call: Call, struck: readonly Struck[]): Promise<Reply> {
    const instead = struck.find(({ rule }) => rule.instead)
    if (writes[call.operation] && !instead) this.ledger.begin(call.body)
    const faultDelays = struck.map(({ rule, fault: given }) => rule.delayMs?.(scene, given) ?? 0)
    await scene.sleep(this.#serviceMs(call.operation) + faultDelays.reduce((sum, ms) => sum + ms, 0))
    if (instead?.rule.instead) return instead.rule.instead(scene, call, instead.fault)
    for (const { rule } of struck) rule.meanwhile?.(scene, call)
    try {
      return calls[call.operation].run(scene, call, {
        style: Object.assign(
          {},
          this.#options.profile.style,
          ...struck.map(({ rule, fault: given }) => rule.style?.(given)),
        ),
        otherPlant: struck.some(({ rule }) => rule.otherPlant),
        staleMs: Math.max(0, ...struck.map(({ rule, fault: given }) => rule.staleMs?.(given) ?? 0)),
      })
    } catch (error) {
      return fault(500, `THREAD ERROR: ${(error as Error).message}`)
    }
  }

  #serviceMs(operation: Operation): number {
    if (this.#options.speed === 0) return 0
    return this.#random.between(...calls[operation].serviceMs) * this.#options.speed
  }

  #scene(coldWorker: boolean): Scene {
    return {
      ledger: this.ledger,
      tokens: this.#tokens,
      lookup: this.#options.lookup,
      acceptTimeoutMs: this.#options.acceptTimeoutMs,
      sleep: async (ms) => {
        if (ms > 0) await delay(ms, undefined, { signal: this.#ending.signal })
      },
      later: (ms, run) => this.#late.push({ dueAt: this.now() + ms, run }),
      coldWorker,
    }
  }

  /** One transaction at a time per row; the others wait with their working thread, as RecLock makes them. */
  async #holding<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#locks.get(key) ?? Promise.resolve()
    const done = Promise.withResolvers<void>()
    const turn = before.then(() => done.promise)
    this.#locks.set(key, turn)
    await before
    try {
      return await run()
    } finally {
      done.resolve()
      if (this.#locks.get(key) === turn) this.#locks.delete(key)
    }
  }
}
