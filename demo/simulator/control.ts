import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { fault, json, type Reply } from './answers.ts'
import type { LogEntry } from './app-server.ts'
import type { CutRow, JunctionRow } from './dictionary.ts'
import type { Fault } from './faults.ts'
import { HOST, Listener, readBody, send } from './http.ts'
import type { AppliedWrite, Integration, JunctionWrite, ReceiptWrite } from './ledger.ts'

type Orders = { faults?: Fault[]; advanceMs?: number }

/** Looks behind the scenes, for tests. */
export type SimulatorState = {
  row(barcode: string): Readonly<CutRow> | undefined
  junction(branch: string, order: string, position: string): Readonly<JunctionRow> | undefined
  /** Every cut and crimp stored since the seed, in order. */
  readonly writes: readonly AppliedWrite[]
  readonly junctionWrites: readonly JunctionWrite[]
  /** Those that changed something. */
  readonly receipts: readonly ReceiptWrite[]
  integration(id: string): Integration | undefined
  /** The last calls that arrived, oldest first. */
  readonly log: readonly LogEntry[]
  /** Most calls that were open at once, unanswered ones included. */
  readonly openCallsMax: number
  /** Replaces the faults that were set, at once; resolves when the listener is open or shut as they want it. */
  setFaults(faults: readonly Fault[]): Promise<void>
  /** What was set and can still strike. */
  readonly activeFaults: readonly Fault[]
  /** From now on nothing goes wrong, neither what was set nor what the profile does. */
  calm(): Promise<void>
  advanceClock(ms: number): void
  /** As freshly started: no recordings, no faults that were set, no log, the real clock. */
  reset(): void
}

const controls: Record<string, (state: SimulatorState, orders: Orders) => unknown> = {
  'GET /__sim/faults': ({ activeFaults }) => ({ faults: activeFaults }),
  'PUT /__sim/faults': async (state, { faults = [] }) => {
    await state.setFaults(faults)
    return { faults }
  },
  'DELETE /__sim/faults': async (state) => {
    await state.calm()
    return {}
  },
  'POST /__sim/reset': (state) => {
    state.reset()
    return {}
  },
  'GET /__sim/log': ({ log, writes, junctionWrites, receipts, openCallsMax }) => ({
    log,
    writes,
    junctionWrites,
    receipts,
    openCallsMax,
  }),
  'POST /__sim/clock': (state, { advanceMs = 0 }) => {
    state.advanceClock(advanceMs)
    return {}
  },
}

const isSame = (given: string, expected: string) =>
  Buffer.byteLength(given) === Buffer.byteLength(expected) && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

type Control = { url: string; close(): Promise<void> }

/**
 * Lets whoever knows the secret decide what goes wrong. It has a listener of its own, on the loopback address: the one
 * that panels call is shut in a maintenance window.
 */
export async function openControl(state: SimulatorState, secret: string): Promise<Control> {
  const replyTo = async (order: string, authorization: string, bodyText: string): Promise<Reply> => {
    if (!isSame(authorization, `Bearer ${secret}`)) return fault(401, 'Unauthorized')
    const run = controls[order]
    if (!run) return fault(404, 'Not Found')
    try {
      return json(200, await run(state, bodyText ? JSON.parse(bodyText) : {}))
    } catch (error) {
      return fault(400, (error as Error).message)
    }
  }
  const server = createServer((request, response) => {
    readBody(request)
      .then((bodyText) => replyTo(`${request.method} ${request.url}`, request.headers.authorization ?? '', bodyText))
      .then(
        (reply) => send(response, reply, Number.POSITIVE_INFINITY),
        () => request.socket.destroy(),
      )
  })
  const listener = new Listener(server, 0)
  await listener.open()
  return { url: `http://${HOST}:${listener.port}`, close: () => listener.shut() }
}
