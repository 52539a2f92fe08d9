import {
  type Answer,
  fault,
  html,
  isEnvelope,
  JSON_TYPE,
  json,
  type ListStyle,
  type Reply,
  serverBusy,
} from './answers.ts'
import { type Call, type Operation, operations, writes as storing, type World } from './calls.ts'
import type { Random } from './random.ts'
import { Refusal } from './requests.ts'

export type Fault = {
  id: FaultId
  /** Strikes this call only; else those that the fault is made for. */
  operation?: Operation
  /** How many calls it strikes: 1 unless told, null until it is taken away. */
  count?: number | null
  /** Share of the calls it strikes, 0 to 1; all unless told. */
  chance?: number
  ms?: number
  /** `dress`: makes nothing happen, only the look of what did: a refusal, or that nothing was found. */
  variant?: string
  message?: string
}

/** One of these per call, by weight; null leaves the call alone. */
export type Draw = readonly (readonly [Fault | null, number])[]

/** What a rule may use beside the ledger and the tokens. */
export type Scene = World & {
  acceptTimeoutMs: number
  sleep: (ms: number) => Promise<void>
  /** Runs it once the simulator's clock is that much later. */
  later: (ms: number, run: () => void) => void
  coldWorker: boolean
}

/** What one kind of fault does, by the moment at which it does it. All parts are optional. */
type Rule = {
  strikes: readonly Operation[]
  /** Strikes only such calls. */
  only?: (call: Call) => boolean
  /** Before a worker takes the call; what it answers was not executed. */
  door?: (scene: Scene, call: Call, fault: Fault) => Promise<Reply | null> | Reply | null
  delayMs?: (scene: Scene, fault: Fault) => number
  /** Somebody else acts while the call is on its way. */
  meanwhile?: (scene: Scene, call: Call) => void
  /** In place of executing the call. */
  instead?: (scene: Scene, call: Call, fault: Fault) => Reply
  style?: (fault: Fault) => Partial<ListStyle>
  otherPlant?: true
  staleMs?: (fault: Fault) => number
  /** After executing: what the caller gets to see. */
  bend?: (answer: Answer, fault: Fault) => Reply
}

const writes = ['apontamentos', 'conferencia', 'juncoes-apontamentos'] as const
const quantities = ['apontamentos', 'juncoes-apontamentos'] as const
const ofOnePlant = ['itens', 'juncoes', 'juncoes-detalhes'] as const
const lists = [...ofOnePlant, 'maquinas'] as const
const business = [...lists, ...writes, 'integracoes'] as const

const threadError = () =>
  html(
    500,
    '<html><body><h1>Internal Server Error</h1><pre>THREAD ERROR ([1234], SYSTEM) called from APONTAMENTOPRODUCAO</pre></body></html>',
  )
const maintenance = () => html(503, '<html><body>Servidor em manutenção</body></html>')
const words = (given: Fault, standard = 'Lote bloqueado') => given.message ?? standard
const rebyte = (answer: Answer, encode: (text: string) => Buffer, contentType = answer.contentType): Answer => ({
  ...answer,
  contentType,
  bytes: encode(answer.bytes.toString('utf8')),
})
/** Every Portuguese letter has the same byte in Latin-1 and CP1252. */
const cp1252 = (text: string) => Buffer.from(text, 'latin1')
const mojibake = (text: string, variant: string | undefined) =>
  Buffer.from(
    variant === 'cp1252'
      ? new TextDecoder('windows-1252').decode(Buffer.from(text))
      : Buffer.from(text).toString('latin1'),
  )

/** Under 200, and nothing was stored; the first is the default. */
const emptySuccesses: Readonly<Record<string, object>> = {
  sucesso: { sucesso: false },
  status: { status: 'erro' },
  ok: { ok: false },
  items: { items: [] },
  online: { status: 'online' },
  denied: { message: 'Não foi possível gravar o apontamento' },
  code: { code: 500, message: 'Tabela em uso', detailedMessage: '' },
}
/** Word for word what the message holds: a status, a blank and a body. The variant is `verbatim`. */
const verbatim = (text: string): Answer => ({
  status: Number(text.slice(0, 3)),
  contentType: /^[[{]/.test(text.slice(4)) ? JSON_TYPE : 'text/html',
  bytes: Buffer.from(text.slice(4)),
})
/** Nobody's. */
const OTHER_ID = '00000000-0000-4000-8000-000000000000'
/** The program's own error after it has stored, or a page of what stands between. */
function afterStoring(variant: string | undefined, text: string): Answer {
  if (variant === 'verbatim') return verbatim(text)
  const status = Number(variant ?? 500)
  return status === 500 ? fault(500, text) : html(status, `<html><body>${status}</body></html>`)
}

/** Without the column that the variant names, or with the message in it; `COLUMN@KEY` in the row only that holds KEY. */
function spoil(answer: Answer, { variant, message }: Fault): Answer {
  const body = JSON.parse(answer.bytes.toString('utf8')) as { items?: Record<string, unknown>[] }
  const [given, key] = variant?.split('@') ?? []
  for (const row of body.items ?? []) {
    const column = given ?? ('Z8_POSICAO' in row ? 'Z8_QTDPECA' : 'Z1_QUANT')
    if (key !== undefined && !Object.values(row).some((value) => String(value).trim() === key)) continue
    if (message === undefined) delete row[column]
    else row[column] = message === 'null' ? null : message
  }
  return json(answer.status, body)
}

const nested = (text: string) => fault(400, JSON.stringify({ code: 'MA0001', message: text }))
const newer = (text: string) =>
  json(400, {
    code: 'APONTAMENTO-001',
    message: text,
    detailedMessage: `${text} (APONTAMENTO-001)`,
    helpUrl: '',
    details: [],
  })
const underSuccess = (text: string) => json(200, { errorCode: 400, errorMessage: text })

const rules = {
  /** slow */
  F01: { strikes: operations, delayMs: (_, { ms = 1000 }) => ms },
  /** cold worker */
  F02: { strikes: operations, delayMs: ({ coldWorker }, { ms = 5000 }) => (coldWorker ? ms : 0) },
  /** queue full */
  F03: {
    strikes: operations,
    door: async ({ sleep, acceptTimeoutMs }, _, { ms = acceptTimeoutMs }) => {
      await sleep(ms)
      return serverBusy()
    },
  },
  /** no licence */
  F04: { strikes: business, door: () => html(503, 'Service Unavailable: no license available') },
  /** hangs, nothing stored */
  F05: { strikes: writes, instead: () => 'silence' },
  /** ghost commit: stores, then never answers, or resets the connection */
  F06: { strikes: writes, bend: (_, { variant }) => (variant === 'reset' ? 'reset' : 'silence') },
  /** stores, then a thread error */
  F07: { strikes: writes, bend: threadError },
  /** answers nothing, stores later */
  F08: {
    strikes: writes,
    instead: ({ ledger, later }, { operation, branch, body }, { ms = 45_000 }) => {
      later(ms, () => {
        try {
          storing[operation]?.store(ledger, branch, body)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      })
      return 'silence'
    },
  },
  /** an error under status 200 */
  F09: { strikes: business, instead: (_, __, given) => underSuccess(words(given)) },
  /** 200 without a body */
  F10: { strikes: business, bend: (answer) => ({ ...answer, status: 200, bytes: Buffer.alloc(0) }) },
  /** the AppServer's error page, not executed */
  F11: { strikes: business, instead: threadError },
  /** cut in the middle */
  F12: { strikes: business, bend: (a) => ({ ...a, bytes: a.bytes.subarray(0, Math.floor(a.bytes.length / 2)) }) },
  /** SetResponse called twice */
  F13: {
    strikes: business,
    bend: (answer) => rebyte(answer, (text) => Buffer.from(`{"message":"Processando"}${text}`)),
  },
  /** JSON under another name */
  F14: { strikes: business, bend: (answer) => ({ ...answer, contentType: 'text/html' }) },
  /** CP1252, and the header says so */
  F15: { strikes: business, bend: (answer) => rebyte(answer, cp1252, 'application/json; charset=cp1252') },
  /** CP1252, and the header says UTF-8 */
  F16: { strikes: business, bend: (answer) => rebyte(answer, cp1252, JSON_TYPE) },
  /** UTF-8 encoded twice; variant `cp1252` reads the first round as the ERP's own code page */
  F17: { strikes: business, bend: (answer, { variant }) => rebyte(answer, (text) => mojibake(text, variant)) },
  /** EncodeUTF8 gave up */
  F18: { strikes: business, bend: (answer) => rebyte(answer, () => Buffer.from('null')) },
  /** errorMessage is JSON in a string */
  F19: { strikes: business, instead: (_, __, given) => nested(words(given)) },
  /** the newer error shape */
  F20: { strikes: business, instead: (_, __, given) => newer(words(given)) },
  /** the order is open in the office */
  F21: {
    strikes: writes,
    delayMs: (_, { ms = 20_000 }) => ms,
    instead: () => fault(500, 'registro bloqueado por outro usuário'),
  },
  /** tokens die before their time */
  F22: {
    strikes: business,
    door: ({ tokens }) => {
      tokens.revokeAccess()
      return null
    },
  },
  /** the refresh token is refused */
  F23: {
    strikes: ['token'],
    only: ({ parameters }) => parameters.get('grant_type') === 'refresh_token',
    door: () => fault(401, 'Refresh token inválido'),
  },
  /** the other plant's rows */
  F24: { strikes: ofOnePlant, otherPlant: true },
  /** other shapes of a list: the variant is one of `Envelope` */
  F25: { strikes: lists, style: ({ variant }) => ({ envelope: isEnvelope(variant) ? variant : 'array' }) },
  /** numbers as text */
  F26: { strikes: lists, style: () => ({ numbers: 'text' }) },
  /** the same page for ever */
  F27: { strikes: lists, style: () => ({ endless: true }) },
  /** what was written is not to be seen yet */
  F28: { strikes: ['itens', 'juncoes'], staleMs: ({ ms = 30_000 }) => ms },
  /** closed between search and recording */
  F29: { strikes: quantities, meanwhile: ({ ledger }, { branch, body }) => ledger.closeOrder(branch, body) },
  /** another user was faster */
  F30: { strikes: quantities, meanwhile: ({ ledger }, { branch, body }) => ledger.reportElsewhere(branch, body) },
  /** maintenance; with the variant `refused` the simulator closes its listener, for `ms` or until faults are set anew */
  F31: {
    strikes: operations,
    door: (_, __, { variant }) => (variant === 'refused' ? null : maintenance()),
  },
  /** an idle connection is gone */
  F32: { strikes: business, only: ({ reusedConnection }) => reusedConnection, door: () => 'reset' },
  /** logically deleted */
  F33: { strikes: writes, meanwhile: ({ ledger }, { branch, body }) => ledger.deleteRow(branch, body) },
  /** a success that confirms nothing, and nothing is stored: the variant is one of `emptySuccesses`, or `verbatim` */
  F34: {
    strikes: writes,
    instead: (_, __, { variant = 'sucesso', message = '' }) =>
      variant === 'verbatim' ? verbatim(message) : json(200, emptySuccesses[variant] ?? {}),
  },
  /** the success of somebody else, and nothing is stored */
  F35: {
    strikes: writes,
    instead: () =>
      json(201, {
        message: 'Apontamento realizado com sucesso!',
        registro: '000000000',
        ID_INTEGRACAO: OTHER_ID,
        status: '1',
      }),
  },
  /** stores, then fails with words; the variant is another status, of whoever stands between, or `verbatim` */
  F36: { strikes: writes, bend: (_, given) => afterStoring(given.variant, words(given, 'Erro ao imprimir etiqueta')) },
  /** stores, then success and fault in one body */
  F37: {
    strikes: writes,
    bend: (answer, given) =>
      rebyte(answer, (text) => Buffer.from(`${text}${fault(500, words(given)).bytes.toString('utf8')}`)),
  },
  /** stores, then a page about licences */
  F38: { strikes: writes, bend: () => html(503, '<html><body>Portal: licença de uso expirada</body></html>') },
  /** stores, and says so in one sentence; with the variant `vague` in none that tells. What it refuses it refuses as ever */
  F39: {
    strikes: writes,
    bend: (answer, { variant }) =>
      answer.status >= 400
        ? answer
        : json(200, { message: variant === 'vague' ? 'Processado' : 'Registro incluído com sucesso.' }),
  },
  /** a quantity is missing, or is no number */
  F40: { strikes: ['itens', 'juncoes'], bend: spoil },
} as const satisfies Record<string, Rule>

export type FaultId = keyof typeof rules
export const faultIds = Object.keys(rules) as FaultId[]

const dressRefusal = (dress: (text: string) => Answer): Rule => ({
  strikes: business,
  bend: (answer) => {
    if (answer.status !== 400) return answer
    return dress((JSON.parse(answer.bytes.toString('utf8')) as { errorMessage: string }).errorMessage)
  },
})
const dressNothing = (bytes: string): Rule => ({
  strikes: lists,
  bend: (answer) => {
    if (answer.status === 404) return { ...answer, status: 200, bytes: Buffer.from(bytes) }
    const found = JSON.parse(answer.bytes.toString('utf8')) as unknown
    const rows = Array.isArray(found) ? found : Object.values(found as object).find(Array.isArray)
    return answer.status === 200 && rows?.length === 0 ? { ...answer, bytes: Buffer.from(bytes) } : answer
  },
})
/** The variant `dress` of those that have one. */
const dresses: Partial<Record<FaultId, Rule>> = {
  F09: dressRefusal(underSuccess),
  F10: dressNothing(''),
  // of two answers to a write nobody knows which counts
  F13: { ...rules.F13, strikes: [...lists, 'integracoes'] },
  F18: dressNothing('null'),
  F19: dressRefusal(nested),
  F20: dressRefusal(newer),
}

const ruleOf = ({ id, variant }: Fault): Rule => (variant === 'dress' ? dresses[id] : undefined) ?? rules[id]

export type Struck = { rule: Rule; fault: Fault }

/** The faults that are switched on, how often each may still strike, and what goes wrong by itself. */
export class Faults {
  #active: { fault: Fault; left: number }[] = []
  #draws: readonly Draw[]
  readonly #ownDraws: readonly Draw[]
  readonly #random: Random

  constructor(draws: readonly Draw[], random: Random) {
    this.#ownDraws = draws
    this.#draws = draws
    this.#random = random
  }

  /** What was set and can still strike. */
  get active(): Fault[] {
    return this.#active
      .filter(({ left }) => left > 0)
      .map(({ fault, left }) => ({ ...fault, count: Number.isFinite(left) ? left : null }))
  }

  /** Replaces what was set before; what goes wrong by itself stays. Throws where one of them does not exist. */
  set(faults: readonly Fault[]): void {
    this.#active = faults.map((fault) => {
      if (!Object.hasOwn(rules, fault.id)) throw new Error(`No fault ${fault.id}`)
      if (fault.operation && !operations.includes(fault.operation)) throw new Error(`No operation ${fault.operation}`)
      const count = fault.count === undefined ? 1 : fault.count
      return { fault, left: count ?? Number.POSITIVE_INFINITY }
    })
  }

  /** Nothing goes wrong any more. */
  calm(): void {
    this.#active = []
    this.#draws = []
  }

  reset(): void {
    this.#active = []
    this.#draws = this.#ownDraws
  }

  /** All that strike this call; each that was set loses one of its strikes. */
  strike(call: Call): Struck[] {
    const struck: Struck[] = []
    for (const entry of this.#active) {
      const { fault } = entry
      if (entry.left <= 0 || !isMeant(fault, call)) continue
      if (fault.chance !== undefined && this.#random.next() >= fault.chance) continue
      entry.left -= 1
      struck.push({ rule: ruleOf(fault), fault })
    }
    for (const draw of this.#draws) {
      const fault = this.#random.weighted(draw)
      if (fault && isMeant(fault, call)) struck.push({ rule: ruleOf(fault), fault })
    }
    return struck
  }
}

function isMeant(fault: Fault, call: Call): boolean {
  const rule = ruleOf(fault)
  const meant = fault.operation ? fault.operation === call.operation : rule.strikes.includes(call.operation)
  return meant && rule.only?.(call) !== false
}
