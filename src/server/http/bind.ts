import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type Endpoint, type Input, LAST_RECEIPT_HEADER } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import {
  type ErrorReply,
  type FieldError,
  issueText,
  type RefusalCode,
  refusals,
  refusalText,
} from '../../contract/errors.ts'
import type { Capture } from '../../contract/recordings.ts'
import { Id } from '../../contract/values.ts'
import { fieldsWithBadge, withoutBadges } from '../../domain/text/badge-texts.ts'
import { ErpFailure, failureCodes } from '../erp/gateway.ts'
import { isStoreUnreachable } from '../store/db/db.ts'
import { type Asking, type Caller, personOf } from './caller.ts'
import { readDevice } from './devices.ts'
import { DirectoryAway, type Entrance } from './entrance.ts'
import { limits } from './limits.ts'
import { requireConfirmation } from './login.ts'
import { PasswordsBusy } from './passwords.ts'
import { Answer, Refused, refusedFor } from './refused.ts'
import { securityHeaders } from './security-headers.ts'
import { identify, refusePlainHttp } from './session.ts'

/** A handler's facts beside its input. `caller` is null on public calls only. */
export type Bound<C extends Caller | null = Caller> = Asking<C> & {
  /** Set on calls whose contract row is idempotent. */
  idempotencyKey: string
  /** On the same calls: of what was entered, as it was sent. */
  contentHash: string
  /** On calls whose contract row is versioned: what the caller had seen of the row; null when it does not say. */
  versionSeen: number | null
}

type CallerOf<E extends Endpoint> = E['access'] extends 'public' ? null : Caller
/**
 * Writes the reply itself and may stream for as long as the client listens. A file may be sent while it is read: only an
 * error or a client that stops reading cuts it short.
 */
type Handler<E extends Endpoint, O extends Entrance> = (
  input: Input<E>,
  call: O & Bound<CallerOf<E>>,
) => Promise<z.output<E['reply']> | Answer<z.output<E['reply']>> | FastifyReply | Readable>

/** The last resort: what a handler waits for has shorter limits of its own. */
export const HANDLER_MS_MAX = 30_000

/** The one place where a contract row meets HTTP: access, input, output, refusals. */
export function bind<const E extends Endpoint, O extends Entrance>(
  app: FastifyInstance,
  context: O,
  endpoint: E,
  handle: Handler<E, O>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    onRequest(request, _reply, done) {
      refusePlainHttp(request, context)
      done()
    },
    handler: async (request, reply) => {
      const { access } = endpoint
      const caller = access === 'public' ? null : await identify(request, context, { ...endpoint, access })
      // the tablet asks again and learns the new epoch first
      if (caller && (await isYoungerThanSeen(request, caller, context))) throw new Refused('store_unavailable')
      const input = {
        params: check(endpoint.params, request.params, 'params'),
        query: check(endpoint.query, request.query, 'query'),
        // the bytes of an upload are read by its handler
        body: endpoint.upload ? undefined : check(endpoint.body, request.body ?? undefined, 'body'),
      } as Input<E>
      const contentHash = endpoint.idempotent ? hashOf(input.body as object) : ''
      if (!endpoint.byBadge) takeBadgesOut(input, endpoint)
      if (endpoint.confirmed && caller) await requireConfirmation({ ...context, caller })
      if (endpoint.heavy && caller) takeSlot(caller, reply, context)
      const idempotencyKey = endpoint.idempotent ? readIdempotencyKey(request) : ''
      const versionSeen = endpoint.versioned ? readVersionSeen(request) : null
      const call = { ...context, caller, request, reply, idempotencyKey, contentHash, versionSeen } as O &
        Bound<CallerOf<E>>
      // Fastify's own limit costs several times as much
      const limit = setTimeout(() => {
        request.log.error({ repeats: endpoint.path, path: endpoint.path }, 'a handler took too long')
        reply.send(overloaded())
      }, HANDLER_MS_MAX)
      let answer: Awaited<ReturnType<typeof handle>>
      try {
        answer = await handle(input, call)
      } finally {
        clearTimeout(limit)
      }
      if (endpoint.idempotent) reply.headers(await context.marks.current())
      // a reply is itself waited for, and gives nothing
      if (reply.sent) return reply
      if (endpoint.file) return (reply.hasHeader('content-type') ? reply : reply.type(endpoint.file)).send(answer)
      // replies are checked against their schema in the tests; here plain JSON is the fastest
      reply.header('content-type', 'application/json; charset=utf-8')
      if (!(answer instanceof Answer)) return reply.send(JSON.stringify(answer))
      return reply.code(answer.status).send(JSON.stringify(answer.body))
    },
  })
}

/**
 * Two calls under one id are the same act only if the operator entered the same, in whatever order the keys come. Who sends it, and
 * what a tablet says of it, is no part of that.
 */
function hashOf(body: object): string {
  const { captura: _said, OPERADOR: _sender, ...content } = body as Record<string, unknown>
  return hash('sha256', JSON.stringify(Object.entries(content).sort()), 'hex')
}

type FromQueue = { captura?: Capture } | undefined

/**
 * A badge is nobody's text: who sends one in a field is told so, before anybody is asked for it. What a tablet has called saved
 * is taken without it.
 */
function takeBadgesOut(input: { params: unknown; query: unknown; body: unknown }, { idempotent }: Endpoint): void {
  const { params, query, body } = input
  const { salvoNoDispositivo, respondidoAntes, tentadoAntes } = (body as FromQueue)?.captura ?? {}
  const isSaved = idempotent && (salvoNoDispositivo || respondidoAntes || tentadoAntes !== undefined)
  if (isSaved) input.body = withoutBadges(body)
  const details = [params, query, input.body].flatMap((sent) => fieldsWithBadge(sent))
  if (details.length === 0) return
  throw new Refused('input_invalid', {
    message: 'Isto é um crachá: não se escreve nem se procura.',
    details: details.map((field) => ({ field, message: 'Não é lugar de crachá' })),
  })
}

/** Until all of the answer has left, or its reader. */
function takeSlot(caller: Caller, { raw }: FastifyReply, { heavyReads }: Entrance): void {
  const { max } = limits.heavyReadsOfPerson
  const leave = heavyReads.take([{ holder: personOf(caller), max }])
  // whoever hung up while the caller was identified is told of by no event any more
  if (raw.closed) leave()
  raw.once('finish', leave)
  raw.once('close', leave)
}

/** An authenticated caller may have seen a newer state of this database than it has now. */
async function isYoungerThanSeen(request: FastifyRequest, { userId }: Caller, { marks }: Entrance): Promise<boolean> {
  const { [LAST_RECEIPT_HEADER]: receipt } = request.headers
  return await marks.isYounger({ marks: request.headers, receipt, device: readDevice(request), userId })
}

const unknownField = (field: string): FieldError => ({ field, message: 'Campo desconhecido', isUnknown: true })

/** `schema` undefined means: nothing may be sent there. */
function check(schema: z.ZodMiniType | undefined, sent: unknown, where: 'params' | 'query' | 'body'): unknown {
  if (!schema) {
    const unknown = Object.keys((sent as object | undefined) ?? {})
    const isEmpty = sent === undefined || (typeof sent === 'object' && !Array.isArray(sent))
    if (unknown.length === 0 && isEmpty) return undefined
    throw new Refused('input_invalid', {
      details: (unknown.length > 0 ? unknown : [where]).map(unknownField),
    })
  }
  const parsed = schema.safeParse(sent, { reportInput: true })
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.flatMap(nearest).flatMap((issue): FieldError[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownField([...issue.path, key].join('.')))
      : [
          {
            field: issue.path.join('.') || where,
            message: issueText(issue),
            ...(where === 'body' && isUnknownWord(issue) ? { isUnknown: true as const } : {}),
          },
        ],
  )
  throw new Refused('input_invalid', { details })
}

/** A text that is not among the words of an enumeration, which a newer version may have: a literal knows one value. */
const isUnknownWord = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_value' && issue.values.length > 1 && typeof issue.input === 'string'

/** The issues of the shape that a body comes nearest to, where it may take several. */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  return issue.errors.reduce((best, one) => (one.length < best.length ? one : best))
}

function readIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') throw new Refused('idempotency_key_missing')
  if (!Id.safeParse(key).success) {
    const details = [{ field: 'Idempotency-Key', message: 'Esperado um UUID' }]
    throw new Refused('idempotency_key_missing', { details })
  }
  return key.toLowerCase()
}

/** As an `ETag` is written, or the bare `version` of a reply; `*` means any. */
function readVersionSeen(request: FastifyRequest): number | null {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return null
  const [, digits] = /^"?(\d{1,15})"?$/.exec(header) ?? []
  if (digits !== undefined) return Number(digits)
  throw new Refused('input_invalid', { details: [{ field: 'If-Match', message: 'Esperada a versão do registro' }] })
}

const AGAIN_MS = 5000
const overloaded = () => refusedFor('overloaded', 2000)

/** Refusals for requests that Fastify itself turns away before a handler runs, or because it runs too long. */
const frameworkCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body_unreadable',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body_unreadable',
  FST_ERR_BAD_URL: 'input_invalid',
  FST_STATIC_FORBIDDEN_PATH: 'not_found',
  FST_ERR_HANDLER_TIMEOUT: 'overloaded',
}

const addressRefused = () => new Refused('input_invalid', { details: [{ field: 'url', message: 'Endereço inválido' }] })

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (error instanceof ErpFailure) {
    if (error.kind === 'busy') return refusedFor(failureCodes.busy, AGAIN_MS)
    return new Refused(failureCodes[error.kind], { message: error.kind === 'refused' ? error.message : undefined })
  }
  if (error instanceof PasswordsBusy) return overloaded()
  if (error instanceof DirectoryAway) return refusedFor('directory_unavailable', AGAIN_MS)
  if (isStoreUnreachable(error)) return refusedFor('store_unavailable', AGAIN_MS)
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  const known = frameworkCodes[code]
  if (known === 'input_invalid') return addressRefused()
  if (known === 'overloaded') return overloaded()
  if (known) return new Refused(known)
  return new Refused(statusCode >= 400 && statusCode < 500 ? 'request_unreadable' : 'internal')
}

/** A longer list helps nobody: after twenty corrections the next request shows the rest. */
const DETAILS_MAX = 20

function sendRefusal(reply: FastifyReply, refused: Refused): FastifyReply {
  const { values, message, details, headers } = refused.more
  const body: ErrorReply = {
    message: message ?? refusalText(refused.code, values),
    code: refused.code,
    ...(details ? { details: details.slice(0, DETAILS_MAX) } : {}),
  }
  return reply
    .code(refusals[refused.code].status)
    .headers(headers ?? {})
    .send(body)
}

/** Every spelling of a contract path that the router takes. */
const spellings = endpoints.map(({ path, method }) => ({
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
  method,
}))

/** No route, a route without this method, or an address that the router cannot parse. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?')
  const methods = [...new Set(spellings.flatMap(({ pattern, method }) => (pattern.test(path) ? method : [])))]
  if (methods.length === 0) return sendRefusal(reply, new Refused('not_found'))
  // it is led astray by letters that grow longer when they are made small
  if (methods.some((method) => method === request.method)) return sendRefusal(reply, addressRefused())
  return sendRefusal(reply, new Refused('method_not_allowed', { headers: { allow: methods.join(', ') } }))
}

/** Answers what the router turns away, which has met no hook and no error handler. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendRefusal(reply.headers(securityHeaders(request)), refusalOf(error))
}

/** Answers bytes that are no HTTP at all, or too long to be ours. */
export function answerUnreadable(_error: unknown, socket: Socket): void {
  // answered already, yet more of it comes
  if (!socket.writable) return void socket.destroy()
  // browsers open connections ahead: what is written into one that asked nothing they would take for the answer to their next call
  if (socket.bytesRead === 0) return void socket.destroy()
  const body = JSON.stringify({ message: refusalText('request_unreadable'), code: 'request_unreadable' })
  const headers = {
    ...securityHeaders({ protocol: 'http' }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'))
}

/** Every error leaves in the contract's shape. An internal one is logged with its cause, which no answer shows. */
export function answerErrors(app: FastifyInstance, { accesses }: Pick<Entrance, 'accesses'>): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refused = refusalOf(error)
    if (refused.code === 'internal') request.log.error({ err: error }, 'a handler failed')
    if (refusals[refused.code].status === 403) await accesses.noteDenied(request, refused.more.caller)
    if (refused.code === 'store_unavailable')
      request.log.warn({ err: error, repeats: true }, 'the database is out of reach')
    return sendRefusal(reply, refused)
  })
}
