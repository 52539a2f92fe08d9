import { type Answer, fault, json, type ListStyle, list, one, rowsOnWire } from './answers.ts'
import {
  circuitColumns,
  cutColumns,
  junctionColumns,
  type MaterialRow,
  machineColumns,
  materialColumns,
  pullTestColumns,
} from './dictionary.ts'
import type { Ledger, Recorded } from './ledger.ts'
import { type RecordRequest, Refusal, textOf } from './requests.ts'
import type { SampleJunction } from './sample-junctions.ts'
import type { Tokens } from './tokens.ts'

const CLASS = '/rest/p1/ApontamentoProducao'

export const operations = [
  'token',
  'itens',
  'apontamentos',
  'conferencia',
  'maquinas',
  'juncoes',
  'juncoes-detalhes',
  'juncoes-apontamentos',
  'integracoes',
  'status',
] as const
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

/** What a list looks like on this call: the profile's style, and what a fault shows in place of the right rows. */
type Listing = {
  style: ListStyle
  /** Rows of a plant that nobody asked for. */
  otherPlant: boolean
  /** What is younger is not to be seen yet. */
  staleMs: number
}

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

function searchItems({ ledger }: World, { branch, parameters }: Call, listing: Listing): Answer {
  const term = (parameters.get('termo') ?? '').trim()
  const type = parameters.get('tipo') ?? (term.length === 22 ? 'CODBAR' : 'OP')
  const other = ledger.orderOfOtherPlant(branch)
  const rows = listing.otherPlant
    ? ledger.search(other.branch, 'OP', other.number)
    : ledger.search(branch, type === 'CODBAR' ? 'CODBAR' : 'OP', term)
  const seen = rows.map((row) => ledger.rowBefore(row, listing.staleMs))
  return list(seen, cutColumns, parameters, listing.style)
}

/** The order that a call about junctions asks for, or the one that a fault shows instead. */
const requestedOrder = ({ ledger }: World, { branch, parameters }: Call, { otherPlant }: Listing) =>
  otherPlant ? ledger.orderOfOtherPlant(branch) : { branch, number: (parameters.get('numeroop') ?? '').trim() }

function searchJunctions(world: World, call: Call, listing: Listing): Answer {
  const { ledger } = world
  const { branch, number } = requestedOrder(world, call, listing)
  const rows = ledger.junctions(branch, number).map(({ row }) => ledger.rowBefore(row, listing.staleMs))
  return list(rows, junctionColumns, call.parameters, listing.style)
}

const materialOf = ({ row, joined }: SampleJunction): MaterialRow => ({
  Z9_FILIAL: row.Z8_FILIAL,
  Z9_POSICAO: row.Z8_POSICAO,
  Z9_GRUPOMP: row.Z8_GRUPOMP,
  Z9_QTDAPO: joined,
  Z9_QTDPECA: row.Z8_QTDPECA,
})

/** Without a position: all of the order, and the test of the first. */
function describeJunction(world: World, call: Call, listing: Listing): Answer {
  const { ledger } = world
  const { branch, number } = requestedOrder(world, call, listing)
  const position = (call.parameters.get('posicao') ?? '').trim()
  const found = ledger
    .junctions(branch, number)
    .filter(({ row }) => listing.otherPlant || position === '' || row.Z8_POSICAO === position)
  const [first] = found
  if (!first) return fault(404, 'Junção não encontrada')
  const positions = found.map(({ row }) => row.Z8_POSICAO)
  const { style } = listing
  const [test] = rowsOnWire([first.test], pullTestColumns, style)
  return one(
    {
      registros: rowsOnWire(found.map(materialOf), materialColumns, style),
      circuitos: rowsOnWire(ledger.circuits(branch, number, positions), circuitColumns, style),
      // The document shows one object; a list of one is as likely.
      teste: style.envelope === 'array' ? [test] : test,
    },
    style,
  )
}

/** A call that changes something. */
type Write = {
  /** The row that is locked meanwhile. */
  lock: (call: Call) => string
  store: (ledger: Ledger, branch: string, body: RecordRequest) => Recorded
  status: number
  answer: (recorded: Recorded, body: RecordRequest) => object
}

export const writes: Readonly<Partial<Record<Operation, Write>>> = {
  apontamentos: {
    lock: ({ body }) => textOf(body.COD_BARRA),
    store: (ledger, branch, body) => ledger.record(branch, body),
    status: 201,
    answer: ({ message, erpRecord }, body) => ({
      message,
      registro: erpRecord,
      ID_INTEGRACAO: textOf(body.ID_INTEGRACAO),
      status: '1',
    }),
  },
  conferencia: {
    lock: ({ body }) => textOf(body.COD_BARRA),
    store: (ledger, branch, body) => ledger.confirmReceipt(branch, body),
    status: 200,
    answer: ({ message }, body) => ({ message, Z1_CODBAR: textOf(body.COD_BARRA), Z1_CONFERE: 'S' }),
  },
  'juncoes-apontamentos': {
    lock: ({ branch, body }) => `${branch}|${textOf(body.NUMERO_OP)}|${textOf(body.POSICAO)}`,
    store: (ledger, branch, body) => ledger.recordJunction(branch, body),
    status: 201,
    answer: ({ message, erpRecord }) => ({ message, registro: erpRecord }),
  },
}

function store({ ledger }: World, { operation, branch, body }: Call): Answer {
  const write = writes[operation]
  if (!write) throw new Error(`${operation} changes nothing`)
  try {
    const recorded = write.store(ledger, branch, body)
    const answer = write.answer(recorded, body)
    return recorded.repeated ? json(200, { ...answer, repetido: true }) : json(write.status, answer)
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
    run: store,
  },
  conferencia: {
    methods: ['POST'],
    path: new RegExp(`^${CLASS}/conferencia$`),
    serviceMs: [350, 900],
    run: store,
  },
  maquinas: {
    methods: ['GET'],
    path: new RegExp(`^${CLASS}/maquinas$`),
    serviceMs: [80, 150],
    run: ({ ledger }, { branch, parameters }, { style }) =>
      list(ledger.machines(branch, parameters.get('tipo') ?? ''), machineColumns, parameters, style),
  },
  juncoes: {
    methods: ['GET', 'POST'],
    path: new RegExp(`^${CLASS}/juncoes$`),
    serviceMs: [180, 450],
    run: searchJunctions,
  },
  'juncoes-detalhes': {
    methods: ['GET', 'POST'],
    path: new RegExp(`^${CLASS}/juncoes/detalhes$`),
    serviceMs: [180, 450],
    run: describeJunction,
  },
  'juncoes-apontamentos': {
    methods: ['POST'],
    path: new RegExp(`^${CLASS}/juncoes/apontamentos$`),
    serviceMs: [350, 900],
    run: store,
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
