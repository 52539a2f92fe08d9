import { type Endpoint, type Input, RECEIPT_HEADER, type Reply, UPLOAD_HEADER } from '../../contract/endpoint.ts'
import { type ErrorReply, type FieldError, refusals } from '../../contract/errors.ts'
import { ALIVE_HEADER } from '../../contract/live-changes.ts'
import { sessions } from '../../contract/sessions.ts'
import { authorizationFor } from '../../domain/people/authorization.ts'
import { countAwaited, deviceNow, noteServerDate } from '../device/clock.ts'
import { currentBasic, currentToken, dropLogout, forgetCredentials, untoldLogouts } from '../device/credentials.ts'
import { writeLog, writeLogUnlessLeft } from '../device/log.ts'
import { deviceHeader, keepMarks, markHeaders, noteSilence, noteTouchTold, touchHeader } from '../device/marks.ts'

/** The server answered, and the answer is no. `message` is ready for an operator. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly FieldError[]
  /** Null where the server names no time. */
  readonly retryAfterMs: number | null

  constructor(status: number, reply: ErrorReply, retryAfter: string | null = null) {
    super(reply.message)
    this.name = 'ApiError'
    this.status = status
    this.code = reply.code
    this.details = reply.details ?? []
    this.retryAfterMs = retryAfter === null ? null : Number(retryAfter) * 1000 || null
  }
}

/** No answer: no network, server away, or too late. Whether the server has acted is unknown. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('Sem conexão com o servidor. Verifique a rede e tente novamente.', { cause })
    this.name = 'Unreachable'
  }
}

/** An older server does not know what a newer page says. */
export const isNotKnownThere = (error: unknown): boolean =>
  error instanceof ApiError && error.details.length > 0 && error.details.every(({ isUnknown }) => isUnknown)

/** Words for a person, whatever was thrown. */
export const errorText = (error: unknown): string =>
  error instanceof ApiError || error instanceof Unreachable ? error.message : refusals.internal.message

/** The varying parts of a call. */
export type Parts<E extends Endpoint> = {
  [K in keyof Input<E> as undefined extends Input<E>[K] ? never : K]: Input<E>[K]
} & {
  [K in keyof Input<E> as undefined extends Input<E>[K] ? K : never]?: Input<E>[K]
}

type CallOptions = {
  idempotencyKey?: string
  /** Version of the row as this page read it: the call is refused when somebody else changed it meanwhile. */
  versionSeen?: number
  signal?: AbortSignal | undefined
  /** Receipt of an earlier answer to the same act, which an earlier database gave. */
  receipt?: string | undefined
  /** Instead of the session's own, such as `Grant …`. */
  authorization?: string
  answerMsMax?: number
  /** A file byte for byte: as text it would lose its byte-order mark. */
  reads?: 'json' | 'blob'
}

/** The server gives up on a request after 30 s. */
const ANSWER_MS_MAX = 35_000

/** Everything else waits for it. */
const LOGOUT_MS_MAX = 5000

let isSilent = false

/** The last call got no answer at all: another one would only keep a person waiting. */
export const isServerSilent = (): boolean => isSilent

let isLifeSaid = false

/** The server that answered last sends signs of life in its streams. */
export const saysThatItLives = (): boolean => isLifeSaid

/** Our own server's word. A page that a proxy shows under the same status says nothing about the session. */
export const isEndOfSession = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403].includes(error.status) && !error.code.startsWith('http_')

/** Calls a row of the contract. Throws `ApiError`, `Unreachable`, or the `AbortError` of the caller's own signal. */
export async function call<E extends Endpoint>(
  endpoint: E,
  parts: Parts<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const answered = countAwaited()
  const address = addressOf(endpoint, parts)
  try {
    if (untoldLogouts().length > 0) await tellLogouts()
    const { params, query, body } = parts as { params?: Named; query?: Named; body?: unknown }
    const path = pathOf(endpoint, params)
    const tokenSent = currentToken()
    // of whoever is logged in, never of whose work is delivered
    const touch = endpoint.access === 'public' || options.authorization ? {} : touchHeader()
    const response = await fetchAnswer(path + searchOf(query), {
      method: endpoint.method,
      headers: { ...headersFor(path, body !== undefined, options), ...touch },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signalOf(options),
    })
    if (!response.ok) throw noteRefusal(await errorOf(response), path, tokenSent)
    // by the cookie alone it is believed for that call, and stored with the next
    if (endpoint.suffices !== 'cookie' && Object.keys(touch).length > 0) noteTouchTold()
    // Trusted as it comes: a strict check would stop this page when a newer server adds a field.
    const reply: Reply<E> = await response[options.reads ?? 'json']().catch((error: unknown) => {
      throw unreachable(error)
    })
    failing.delete(address)
    return reply
  } catch (error) {
    logFailedCall(endpoint, address, error)
    throw error
  } finally {
    answered()
  }
}

/** As `call`, where the answer is a file. */
export async function callForFile<E extends Endpoint>(endpoint: E, parts: Parts<E>, options: CallOptions = {}) {
  return (await call(endpoint, parts, { ...options, reads: 'blob' })) as unknown as Blob
}

const addressOf = ({ method, path }: Endpoint, parts: object): string =>
  `${method} ${path} ${JSON.stringify((parts as { params?: Named }).params ?? null)}`

/** How the last call of each address failed. */
const failing = new Map<string, string>()
const FAILING_COUNT_MAX = 100

/** Also what no screen speaks of. What is asked again by itself, and fails in the same way, is logged once. */
function logFailedCall({ method, path }: Endpoint, address: string, error: unknown): void {
  const message = errorText(error)
  const isRepeated = failing.get(address) === message && (method === 'GET' || error instanceof Unreachable)
  if (isRepeated || (error instanceof DOMException && error.name === 'AbortError')) return
  if (failing.size >= FAILING_COUNT_MAX) failing.clear()
  failing.set(address, message)
  const source = `${method} ${path}`
  if (error instanceof ApiError) {
    const { status, code } = error
    writeLog({ level: status < 500 ? 'Warning' : 'Error', source, message, additionalData: { status, code } })
  } else writeLogUnlessLeft({ level: 'Error', source, message, error })
}

let telling: Promise<void> | null = null

/**
 * Log-outs that no server has heard go before every other call. Rejects where there is no answer, as that call would; what a
 * server says is final, unless it could not do it now.
 */
export function tellLogouts(): Promise<void> {
  telling ??= tellEachLogout().finally(() => {
    telling = null
  })
  return telling
}

async function tellEachLogout(): Promise<void> {
  const { method, path } = sessions.leave
  for (const segredo of untoldLogouts()) {
    const response = await fetchAnswer(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ segredo }),
      signal: AbortSignal.timeout(LOGOUT_MS_MAX),
    })
    if (response.ok || isEndOfSession(await errorOf(response))) dropLogout(segredo)
  }
}

/** Ends the session of this page where the server says so, and no other tab has logged in or refreshed meanwhile. */
function noteRefusal(error: ApiError, path: string, tokenSent: string | null): ApiError {
  if (isEndOfSession(error) && path.includes('/auth/validate') && currentToken() === tokenSent) {
    console.warn('Token validation failed - logging out user')
    forgetCredentials({ comeBack: true })
  }
  return error
}

type Named = Record<string, unknown>

const pathOf = ({ path }: Endpoint, params: Named | undefined): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))

function searchOf(query: Named | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

function headersFor(path: string, hasBody: boolean, options: CallOptions): Record<string, string> {
  const { idempotencyKey, versionSeen, authorization, receipt } = options
  const header = authorizationFor({
    path,
    existing: authorization ?? null,
    token: currentToken(),
    basic: currentBasic(),
  })
  return {
    ...(header ? { authorization: header, ...deviceHeader() } : {}),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...(receipt ? { [RECEIPT_HEADER]: receipt } : {}),
    ...(idempotencyKey || path.includes('/auth/validate') ? markHeaders() : {}),
    ...(versionSeen === undefined ? {} : { 'if-match': `"${versionSeen}"` }),
  }
}

type UploadOptions = {
  /** From 0 to 1, of what has left this device. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** As `call`, with the bytes of a file as its body: the platform's newer way to ask tells nothing of how far it is. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  parts: Parts<E>,
  file: Blob,
  options: UploadOptions,
): Promise<Reply<E>> {
  const answered = countAwaited()
  try {
    return (await sendFile(endpoint, parts, file, options)) as Reply<E>
  } catch (error) {
    logFailedCall(endpoint, addressOf(endpoint, parts), error)
    throw error
  } finally {
    answered()
  }
}

function sendFile(endpoint: Endpoint, parts: object, file: Blob, { onProgress, signal }: UploadOptions) {
  const { params, query } = parts as { params?: Named; query?: Named }
  const path = pathOf(endpoint, params)
  return new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, path + searchOf(query))
    const headers = { ...headersFor(path, false, {}), 'content-type': 'application/octet-stream', [UPLOAD_HEADER]: '1' }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const response = new Response(request.responseText, { status: request.status })
      const answer = response.ok ? response.json() : errorOf(response).then((error) => Promise.reject(error))
      answer.then(resolve, reject)
    }
    request.onerror = () => reject(new Unreachable(null))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

const signalOf = ({ signal, answerMsMax = ANSWER_MS_MAX }: CallOptions): AbortSignal => {
  const late = AbortSignal.timeout(answerMsMax)
  return signal ? AbortSignal.any([signal, late]) : late
}

/** Fetches, and notes what an answer, or none, says of the server: its clock, its marks, that it lives. */
async function fetchAnswer(url: string, init: RequestInit): Promise<Response> {
  const sentAt = deviceNow()
  try {
    const response = await fetch(url, init)
    isSilent = false
    // A proxy's own page says nothing about the server.
    if (response.ok) isLifeSaid = response.headers.has(ALIVE_HEADER)
    keepMarks(response.headers)
    const serverDate = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(serverDate)) {
      noteServerDate(serverDate, sentAt)
    }
    return response
  } catch (error) {
    const thrown = unreachable(error)
    isSilent = thrown instanceof Unreachable
    if (isSilent) noteSilence()
    throw thrown
  }
}

const unreachable = (error: unknown) =>
  error instanceof DOMException && error.name === 'AbortError' ? error : new Unreachable(error)

async function errorOf(response: Response): Promise<ApiError> {
  const reply = (await response.json().catch(() => null)) as Partial<ErrorReply> | null
  // A proxy in front of the server answers in its own words.
  if (typeof reply?.message !== 'string' || typeof reply.code !== 'string') {
    return new ApiError(response.status, { message: refusals.internal.message, code: `http_${response.status}` })
  }
  return new ApiError(response.status, reply as ErrorReply, response.headers.get('retry-after'))
}
