import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fault, type Reply } from './answers.ts'
import { AppServer } from './app-server.ts'
import { readCall } from './calls.ts'
import { openControl, type SimulatorState } from './control.ts'
import { HOST, Listener, readBody, send } from './http.ts'
import { makeProfile, type ProfileName } from './profiles.ts'
import { SAMPLE_SEED } from './sample-orders.ts'

export type ErpSimulatorOptions = {
  /** 0, the default: any free one. */
  port?: number
  /** `clean` unless told. */
  profile?: ProfileName
  seed?: number
  user?: string
  password?: string
  /** Working threads. */
  instances?: number
  /** How long a call waits for a working thread before 'Server Busy'. */
  acceptTimeoutMs?: number
  /** After how long it hangs up on a call that it never answers: for ever unless told, until its caller gives up. */
  silenceMs?: number
  /** Multiplies service times; 0 = none, which only `realistic` has to be told. */
  speed?: number
  /** Milliseconds since 1970. */
  now?: () => number
  /** Off: what is sent twice is stored twice. */
  dedup?: boolean
  /** Off: nothing is found by the sender's id. */
  lookup?: boolean
  /** Keeps what was recorded from one run to the next. */
  journalFile?: string
  /** Whoever knows this may switch faults on at `controlUrl`. Without it there is no such address. */
  controlSecret?: string
}

export type ErpSimulator = {
  /** As `ERP_URL` names it, up to `/rest`. */
  url: string
  port: number
  /** Null without a secret. */
  controlUrl: string | null
  /** Looks behind the scenes, for tests. */
  state: SimulatorState
  close(): Promise<void>
}

/** Idle working threads of an AppServer end after as long. */
const KEEP_ALIVE_MS = 30_000

/** Calls on the wire; one that is never answered stays open until its caller gives up. */
class Traffic {
  openCallsMax = 0
  #open = 0
  readonly #seen = new WeakSet<Socket>()

  /** Says whether an earlier call came over the same connection. */
  enter(socket: Socket, response: ServerResponse): boolean {
    this.#open += 1
    this.openCallsMax = Math.max(this.openCallsMax, this.#open)
    response.once('close', () => {
      this.#open -= 1
    })
    const reused = this.#seen.has(socket)
    this.#seen.add(socket)
    return reused
  }

  forget(): void {
    this.openCallsMax = this.#open
  }
}

function makeState(erp: AppServer, listener: Listener, traffic: Traffic): ErpSimulator['state'] {
  return {
    row(barcode) {
      erp.settle()
      return erp.ledger.rows.get(barcode)
    },
    junction(branch, order, position) {
      erp.settle()
      return erp.ledger.junctions(branch, order).find(({ row }) => row.Z8_POSICAO === position)?.row
    },
    get writes() {
      erp.settle()
      return erp.ledger.writes
    },
    get junctionWrites() {
      erp.settle()
      return erp.ledger.junctionWrites
    },
    get receipts() {
      erp.settle()
      return erp.ledger.receipts
    },
    integration(id) {
      erp.settle()
      return erp.ledger.integrations.get(id)
    },
    get log() {
      return erp.log
    },
    get openCallsMax() {
      return traffic.openCallsMax
    },
    setFaults(faults) {
      erp.faults.set(faults)
      const outage = faults.find(({ id, variant }) => id === 'F31' && variant === 'refused')
      if (!outage) return listener.open()
      return listener.shut(outage.ms)
    },
    get activeFaults() {
      return erp.faults.active
    },
    calm() {
      erp.faults.calm()
      return listener.open()
    },
    advanceClock: (ms) => erp.advanceClock(ms),
    reset() {
      erp.reset()
      traffic.forget()
    },
  }
}

/**
 * Starts an HTTP server that behaves like a Protheus REST with the sample orders in it. It listens on the loopback
 * address only.
 */
export async function startErpSimulator(options: ErpSimulatorOptions = {}): Promise<ErpSimulator> {
  const profile = options.profile ?? 'clean'
  const speed = options.speed ?? (profile === 'realistic' ? 1 : 0)
  const acceptTimeoutMs = options.acceptTimeoutMs ?? 10_000
  const erp = new AppServer({
    profile: makeProfile(profile, { speed, acceptTimeoutMs }),
    seed: options.seed ?? SAMPLE_SEED,
    user: options.user ?? 'painel',
    password: options.password ?? 'painel',
    instances: options.instances ?? 2,
    acceptTimeoutMs,
    speed,
    now: options.now ?? Date.now,
    dedup: options.dedup ?? true,
    lookup: options.lookup ?? true,
    journalFile: options.journalFile,
  })
  const traffic = new Traffic()
  const replyTo = async (request: IncomingMessage, response: ServerResponse): Promise<Reply> => {
    const method = request.method ?? ''
    const url = new URL(request.url ?? '/', `http://${HOST}`)
    const reusedConnection = traffic.enter(request.socket, response)
    const bodyText = await readBody(request)
    const header = (name: string) => String(request.headers[name] ?? '')
    try {
      const call = readCall({ method, url, header, bodyText, reusedConnection })
      return call ? await erp.answer(call) : fault(404, 'Not Found')
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof URIError) return fault(400, 'JSON inválido')
      throw error
    }
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    replyTo(request, response).then(
      (reply) => send(response, reply, options.silenceMs ?? Number.POSITIVE_INFINITY),
      () => request.socket.destroy(),
    )
  })
  const listener = new Listener(server, options.port ?? 0)
  await listener.open()
  const state = makeState(erp, listener, traffic)
  const control = options.controlSecret ? await openControl(state, options.controlSecret) : null
  return {
    url: `http://${HOST}:${listener.port}/rest`,
    port: listener.port,
    controlUrl: control?.url ?? null,
    state,
    async close() {
      const shut = listener.shut()
      erp.close()
      await shut
      await control?.close()
    },
  }
}
