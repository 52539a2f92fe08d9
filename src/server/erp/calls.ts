import { refusals } from '../../contract/errors.ts'
import type { ErpFault } from '../../contract/health.ts'
import { type Answer, readAnswer } from './answer.ts'
import type { Breaker } from './breaker.ts'
import { ErpFailure, type ErpFailureKind, type ErpHealth, failureCodes } from './gateway.ts'
import { type HttpAnswer, type HttpClient, type HttpRequest, NoAnswer } from './http.ts'
import type { Slots } from './slots.ts'

export type ErpLog = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>

const textOf = (kind: ErpFailureKind): string => refusals[failureCodes[kind]].message

export const failure = (kind: ErpFailureKind, message = textOf(kind)) => new ErpFailure(kind, message)

/** A failure of which it is sure that the ERP did not execute the call. */
export class NotExecuted extends ErpFailure {
  constructor(kind: ErpFailureKind) {
    super(kind, textOf(kind))
  }
}

/** The panel's credentials: the value of the Authorization header. */
export type Credentials = {
  current(): Promise<string>
  /** Null: there is no other. */
  renew(refused: string): Promise<string | null>
  /** Even the renewed one was refused. */
  forget(): void
  /** Under which status a call with it was answered. */
  answered(status: number): void
}

type ErpCall = Omit<HttpRequest, 'timeoutMs'> & {
  /** For the whole work after its turn has come, token and repeats included. */
  limitMs: number
  /** Asked before each try: false means that no byte may leave any more. */
  mayLeave?: (() => boolean) | undefined
  reader?: string | undefined
}

export type Calls = {
  /** Sends with its own credentials or none and takes no place in the queue: the caller has one already. */
  exchange(request: HttpRequest): Promise<Answer>
  /** In turn and with credentials; those are renewed once when the ERP refuses them. */
  call(request: ErpCall, credentials: Credentials): Promise<Answer>
  /** In turn, without credentials. */
  ask(request: HttpRequest): Promise<Answer>
  health(): Omit<ErpHealth, 'access' | 'isAccessKnown'>
}

function createHealth({ now, log }: { now: () => number; log: ErpLog }) {
  let health: Pick<ErpHealth, 'online' | 'latencyMs' | 'lastOkAt' | 'fault'> = {
    ...{ online: false, latencyMs: null, lastOkAt: null, fault: null },
  }
  return {
    health: () => health,
    note(reason: ErpFault | null, startedMs: number) {
      const online = reason === null
      if (health.online !== online) log.info({ online }, 'ERP reachability changed')
      health = online
        ? { ...health, online, latencyMs: Math.round(performance.now() - startedMs), lastOkAt: now() }
        : { ...health, online, fault: { reason, at: now() } }
    },
  }
}

/**
 * Recordings made against a stand-in ERP must never reach a real one, nor the reverse. A proxy that answers for an absent
 * ERP is not another ERP.
 */
function createIdentity(usedWith: boolean | null) {
  let seen: boolean | null = null
  return {
    isStandIn: () => seen ?? usedWith,
    isOther: () => usedWith !== null && seen !== null && seen !== usedWith,
    isProven: () => usedWith === null || seen === usedWith,
    note({ isStandIn }: HttpAnswer, door: Answer['door']) {
      if (isStandIn || door === 'open') seen = isStandIn
    },
  }
}

type Means = {
  http: HttpClient
  slots: Slots
  breaker: Breaker
  /** Whether the database was used with a stand-in before; null: with no ERP at all. */
  isStandIn: boolean | null
  now: () => number
  log: ErpLog
}

type Exchange = Calls['exchange']

function createExchange(
  { http, breaker, log }: Means,
  { identity, note }: { identity: ReturnType<typeof createIdentity>; note: ReturnType<typeof createHealth>['note'] },
): Exchange {
  return async (request) => {
    if (!breaker.admit()) throw new NotExecuted('unavailable')
    const startedMs = performance.now()
    try {
      const bytes = await http.exchange(request)
      const answer = readAnswer(bytes)
      const isOdd = answer.status >= 400 || answer.repeated || (answer.value === undefined && !answer.isEmpty)
      // The query may carry the password, the body what was recorded: neither is logged.
      const path = new URL(request.url).pathname
      const fields = {
        path,
        status: answer.status,
        contentType: bytes.contentType,
        encoding: bytes.encoding,
        repeated: answer.repeated,
      }
      if (isOdd)
        log.warn(
          { ...fields, repeats: Object.values(fields).join(' ') },
          'the ERP answered something else than asked for',
        )
      if (answer.door === 'away') breaker.failed()
      else breaker.answered()
      identity.note(bytes, answer.door)
      note(answer.door === 'open' && !identity.isOther() ? null : 'not_erp', startedMs)
      return answer
    } catch (error) {
      breaker.failed()
      note(error instanceof NoAnswer ? error.reason : 'broken', startedMs)
      if (!(error instanceof NoAnswer)) throw error
      const { reason, sent } = error
      const { method } = request
      log.warn({ method, reason, sent, cause: error.message, repeats: `${method} ${reason} ${sent}` }, 'no answer')
      if (!sent) throw new NotExecuted('unavailable')
      throw failure(reason === 'timeout' ? 'timeout' : 'unavailable')
    }
  }
}

export function createCalls(options: Means): Calls {
  const { slots, breaker } = options
  const { health, note } = createHealth(options)
  const identity = createIdentity(options.isStandIn)
  const exchange = createExchange(options, { identity, note })

  async function inTurn<T>(work: () => Promise<T>, reader?: string): Promise<T> {
    if (breaker.isOpen()) throw new NotExecuted('unavailable')
    return slots.run(work, reader)
  }

  return {
    exchange,
    ask: (request) => inTurn(() => exchange(request)),
    call: ({ limitMs, mayLeave, reader, ...request }, credentials) =>
      inTurn(async () => {
        const endMs = performance.now() + limitMs
        const attempt = async (authorization: string) => {
          const timeoutMs = Math.floor(endMs - performance.now())
          if (timeoutMs <= 0 || mayLeave?.() === false) throw new NotExecuted('timeout')
          // the sort of ERP is known by then, from the probe at start or from the call for a token
          if (request.method === 'POST' && !identity.isProven()) throw new NotExecuted('unavailable')
          const headers = { ...request.headers, Authorization: authorization }
          const answer = await exchange({ ...request, headers, timeoutMs })
          if (request.method === 'GET' && identity.isOther()) throw new NotExecuted('unavailable')
          credentials.answered(answer.status)
          return answer
        }
        // A 403 may come from the program itself, after it has begun: only a read is repeated for it.
        const isRefused = ({ status }: Answer) => status === 401 || (status === 403 && request.method === 'GET')

        const authorization = await credentials.current()
        const first = await attempt(authorization)
        if (!isRefused(first)) return first
        const renewed = await credentials.renew(authorization)
        if (renewed === null) return first
        const second = await attempt(renewed)
        if (isRefused(second)) credentials.forget()
        return second
      }, reader),
    health: () => ({
      ...health(),
      isSpared: breaker.isOpen(),
      isStandIn: identity.isStandIn(),
      isOther: identity.isOther(),
      isConfigured: true,
    }),
  }
}
