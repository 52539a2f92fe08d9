import { type Answer, fault, json, type ListStyle, list } from './answers.ts'
import { type CutRow, cutColumns, machineColumns } from './dictionary.ts'
import { type Ledger, type RecordRequest, Refusal, textOf } from './ledger.ts'
import type { Tokens } from './tokens.ts'

const CLASS = '/rest/p1/ApontamentoProducao'

export const operations = ['token', 'itens', 'apontamentos', 'maquinas', 'integracoes', 'status'] as const
export type Operation = (typeof operations)[number]

export type Call = {
  operation: Operation
  /** Query, form or upper-cased JSON body alike, keys in lower case. */
  parameters: URLSearchParams
  /** As sent, for the writes. */
  body: RecordRequest
  /** What the tenant header selects. */
  branch: string
  authorization: string
  /** An earlier request came over the same connection. */
  reusedConnection: boolean
}

export type World = { ledger: Ledger; tokens: Tokens; lookup: boolean }

/** What a list looks like on this call: the profile's style, and rows that a fault put in place of the right ones. */
export type Listing = { style: ListStyle; swapRows: (rows: CutRow[]) => CutRow[] }

type Row = {
  methods: readonly string[]
  path: RegExp
  open?: true
  /** Base service time on a warm worker. */
  serviceMs: readonly [number, number]
  run: (world: World, call: Call, listing: Listing) => Answer
}

const plantClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

function searchItems({ ledger }: World, { branch, parameters }: Call, { style, swapRows }: Listing): Answer {
  const term = (parameters.get('termo') ?? '').trim()
  const type = parameters.get('tipo') ?? (term.length === 22 ? 'CODBAR' : 'OP')
  const rows = ledger.search(branch, type === 'CODBAR' ? 'CODBAR' : 'OP', term)
  return list(swapRows(rows), cutColumns, parameters, style)
}

function recordCutCrimp({ ledger }: World, { branch, body }: Call): Answer {
  try {
    const { erpRecord, message, repeated } = ledger.record(branch, body)
    const answer = { message, registro: erpRecord, ID_INTEGRACAO: textOf(body.ID_INTEGRACAO), status: '1' }
    return repeated ? json(200, { ...answer, repetido: true }) : json(201, answer)
  } catch (error) {
    if (error instanceof Refusal) return fault(error.status, error.message)
    throw error
  }
}

function findIntegration({ ledger, lookup }: World, { parameters }: Call): Answer {
  const id = parameters.get('id') ?? ''
  const found = lookup ? ledger.integrations.get(id) : undefined
  if (!found) return fault(404, lookup ? 'Registro não encontrado' : 'Not Found')
  const [day = '', time = ''] = plantClock.format(found.at).split(' ')
  return json(200, {
    ID_INTEGRACAO: id,
    STATUS: found.status,
    MENSAGEM: found.message,
    DATA: day.replaceAll('-', ''),
    HORA: time,
  })
}

function grantToken({ tokens }: World, { parameters }: Call): Answer {
  const grant = tokens.grant(parameters)
  return grant ? json(201, grant) : fault(401, 'Usuário ou senha inválidos')
}

export const calls: Readonly<Record<Operation, Row>> = {
  token: {
    methods: ['POST'],
    path: /^\/rest\/api\/oauth2\/v1\/token$/,
    open: true,
    serviceMs: [80, 150],
    run: grantToken,
  },
  itens: {
    methods: ['GET', 'POST'],
    path: new RegExp(`^${CLASS}/itens$`),
    serviceMs: [180, 450],
    run: searchItems,
  },
  apontamentos: {
    methods: ['POST'],
    path: new RegExp(`^${CLASS}/apontamentos$`),
    serviceMs: [350, 900],
    run: recordCutCrimp,
  },
  maquinas: {
    methods: ['GET'],
    path: new RegExp(`^${CLASS}/maquinas$`),
    serviceMs: [80, 150],
    run: ({ ledger }, { branch, parameters }, { style }) =>
      list(ledger.machines(branch, parameters.get('tipo') ?? ''), machineColumns, parameters, style),
  },
  integracoes: {
    methods: ['GET'],
    path: new RegExp(`^${CLASS}/integracoes/(?<id>[^/]+)$`),
    serviceMs: [80, 150],
    run: findIntegration,
  },
  status: {
    methods: ['GET'],
    path: new RegExp(`^${CLASS}/status$`),
    open: true,
    serviceMs: [5, 20],
    run: () => json(200, { status: 'online' }),
  },
}

const addAll = (parameters: URLSearchParams, pairs: Iterable<readonly [string, unknown]>) => {
  for (const [key, value] of pairs) parameters.set(key.toLowerCase(), textOf(value))
}

type HttpRequest = {
  method: string
  url: URL
  header: (name: string) => string
  bodyText: string
  reusedConnection: boolean
}

/** Company 01 is the only one there is; without a tenant the first plant answers, as a real one does. */
const branchOf = (tenant: string): string => {
  if (!tenant) return '010101'
  const comma = tenant.indexOf(',')
  return tenant.slice(0, comma) === '01' ? tenant.slice(comma + 1) : ''
}

/** Null: no such address. Throws SyntaxError where a JSON body is none. */
export function readCall(request: HttpRequest): Call | null {
  const { url, method, header, bodyText } = request
  const operation = operations.find(
    (name) => calls[name].methods.includes(method) && calls[name].path.test(url.pathname),
  )
  if (!operation) return null
  const parameters = new URLSearchParams()
  addAll(parameters, url.searchParams)
  let body: RecordRequest = {}
  if (header('content-type').startsWith('application/x-www-form-urlencoded')) {
    addAll(parameters, new URLSearchParams(bodyText))
  } else if (bodyText) {
    const parsed: unknown = JSON.parse(bodyText)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SyntaxError('not an object')
    body = parsed as RecordRequest
    addAll(parameters, Object.entries(body))
  }
  const id = calls[operation].path.exec(url.pathname)?.groups?.id
  if (id) parameters.set('id', decodeURIComponent(id))
  return {
    operation,
    parameters,
    body,
    branch: branchOf(header('tenantid')),
    authorization: header('authorization'),
    reusedConnection: request.reusedConnection,
  }
}
