import { BARCODE_LENGTH } from '../../contract/values.ts'
import type { Answer } from './answer.ts'
import { createBreaker } from './breaker.ts'
import { type Calls, type Credentials, createCalls, type ErpLog, NotExecuted } from './calls.ts'
import { asciiJson } from './charset.ts'
import { basicCredentials, type Logins, openLogins, queryOf, tokenCredentials } from './credentials.ts'
import { ErpFailure, type ErpGateway, type Sending, type SharedSlots, type WriteOutcome } from './gateway.ts'
import { type HttpClient, openHttp } from './http.ts'
import {
  confirmReceipt,
  listMachines,
  type Path,
  recordCutCrimp,
  recordJunction,
  searchItems,
  searchJunctions,
  type WriteOperation,
} from './operations.ts'
import { outcomeOfAnswer, outcomeOfError } from './outcomes.ts'
import { integrationRecord, junctionDetails, list } from './reads.ts'
import type { ErpSettings } from './settings.ts'
import { createSlots } from './slots.ts'

export type ProtheusOptions = {
  /** Up to `/rest`. */
  url: string
  user: string
  password: string
  /** Company group; with the branch it makes the tenant. */
  company: string
  maxConcurrent: number
  /** Where other servers call the same ERP. */
  sharedSlots?: SharedSlots | undefined
  lookup: 'id' | 'none'
  /** The sort of ERP that the database was used with; null: none yet. Another sort gets no writes. */
  isStandIn?: boolean | null
  settings: ErpSettings
  now: () => number
  log: ErpLog
  timeouts?: Partial<typeof defaultTimeouts>
  /** A client whose calls are listened to; by default the gateway makes its own. */
  http?: HttpClient
}

const defaultTimeouts = { connectMs: 3000, readMs: 20_000, writeMs: 60_000, queueMs: 30_000 }
const PROBE_EVERY_MS = 15_000

function credentialsFor(options: ProtheusOptions, calls: Calls, logins: Logins, timeoutMs: number): Credentials {
  const { settings, user, password, now, log } = options
  if (settings.auth === 'basic') return basicCredentials(user, password, logins)
  return tokenCredentials({
    url: options.url + settings.paths.token,
    parametersIn: settings.tokenParameters,
    exchange: calls.exchange,
    user,
    password,
    timeoutMs,
    now,
    log,
    logins,
  })
}

/** Probes the address without credentials: a 401 is an answer as well. */
function createProbe(
  options: ProtheusOptions,
  calls: Calls,
  { health, timeoutMs }: { health: ErpGateway['health']; timeoutMs: number },
): ErpGateway['probe'] {
  let probedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (Math.abs(options.now() - probedAt) < PROBE_EVERY_MS) return health()
    probedAt = options.now()
    const url = options.url + options.settings.paths.probe
    await calls.ask({ method: 'GET', url, headers: { Accept: 'application/json' }, timeoutMs }).catch(() => {})
    return health()
  }
}

/** Settings common to all calls: tenant, credentials, limits. */
function createRequests(
  options: ProtheusOptions,
  calls: Calls,
  { logins, timeouts }: { logins: Logins; timeouts: typeof defaultTimeouts },
) {
  const { url, company, settings } = options
  const credentials = credentialsFor(options, calls, logins, timeouts.readMs)
  const headersFor = (branch: string) => ({
    tenantId: `${company},${branch}`,
    Accept: 'application/json',
    'Accept-Language': 'pt-BR',
  })
  const get = (branch: string, pathAndQuery: string, reader?: string): Promise<Answer> =>
    calls.call(
      { method: 'GET', url: url + pathAndQuery, headers: headersFor(branch), limitMs: timeouts.readMs, reader },
      credentials,
    )
  return {
    get,
    page:
      ({ branch, reader }: { branch: string; reader?: string | undefined }, path: Path) =>
      (parameters: Record<string, string>) =>
        get(branch, `${settings.paths[path]}?${queryOf(parameters)}`, reader),
    post: (branch: string, path: Path, { integrationId, mayLeave }: Sending, body: string): Promise<Answer> => {
      const headers = {
        ...headersFor(branch),
        'Content-Type': 'application/json; charset=utf-8',
        'Idempotency-Key': integrationId,
      }
      return calls.call(
        { method: 'POST', url: url + settings.paths[path], headers, body, limitMs: timeouts.writeMs, mayLeave },
        credentials,
      )
    },
  }
}

/** The Protheus REST adapter. */
export function openProtheus(options: ProtheusOptions): ErpGateway {
  const { settings, log, now } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const http = options.http ?? openHttp({ baseUrl: options.url, connectMs: timeouts.connectMs })
  const slots = createSlots({
    count: options.maxConcurrent,
    waitMsMax: timeouts.queueMs,
    onTooLong: () => new NotExecuted('busy'),
    shared: options.sharedSlots,
  })
  const logins = openLogins(now)
  const calls = createCalls({
    http,
    slots,
    breaker: createBreaker(now),
    isStandIn: options.isStandIn ?? null,
    now,
    log,
  })
  const { get, page, post } = createRequests(options, calls, { logins, timeouts })
  const health = () => ({ ...calls.health(), access: logins.access(), isAccessKnown: logins.isKnown() })

  async function write<Payload>(
    op: WriteOperation<Payload>,
    { branch, payload, ...sending }: Sending & { branch: string; payload: Payload },
  ): Promise<WriteOutcome> {
    const { integrationId } = sending
    try {
      const body = asciiJson({ ...op.body(payload, settings), ID_INTEGRACAO: integrationId })
      const answer = await post(branch, op.path, sending, body)
      return outcomeOfAnswer(answer, { ...op, confirming: settings.confirms[op.path], integrationId })
    } catch (error) {
      if (!(error instanceof ErpFailure)) log.error({ err: error, operation: op.name, integrationId }, 'adapter failed')
      return outcomeOfError(error)
    }
  }

  const means = (...args: Parameters<typeof page>) => ({ get: page(...args), log })

  return {
    // A receipt check searches by order only.
    searchItems: async (query) =>
      query.mode === 'CONFERENCIA_CORTE' && query.term.length === BARCODE_LENGTH
        ? { rows: [], unusable: [] }
        : list(searchItems, query, means(query, searchItems.path)),
    listMachines: async (query) => (await list(listMachines, query, means(query, listMachines.path))).rows,
    searchJunctions: (query) => list(searchJunctions, query, means(query, searchJunctions.path)),
    async junctionDetails({ branch, order, position, reader }) {
      const ask = page({ branch, reader }, 'junctionDetails')
      return junctionDetails(await ask({ filial: branch, numeroOp: order, posicao: position }), { branch, log })
    },
    recordCutCrimp: (request) => write(recordCutCrimp, request),
    recordJunction: (request) => write(recordJunction, request),
    confirmReceipt: (request) => {
      const { branch, barcode, operator, at } = request
      return write(confirmReceipt, { ...request, branch, payload: { branch, barcode, operator, at } })
    },
    async findByIntegrationId({ branch, integrationId }) {
      if (options.lookup === 'none') return 'unsupported'
      const path = settings.paths.integrations.replace('{id}', encodeURIComponent(integrationId))
      return integrationRecord(await get(branch, path), integrationId)
    },
    health,
    probe: createProbe(options, calls, { health, timeoutMs: timeouts.readMs }),
    writeTimeoutMs: timeouts.queueMs + timeouts.writeMs,
    close: async () => http.close(),
  }
}
