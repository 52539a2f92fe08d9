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
import { type Call, type Operation, operations, type World } from './calls.ts'
import type { CutRow } from './dictionary.ts'
import { Refusal, textOf } from './ledger.ts'
import type { Random } from './random.ts'

export type Fault = {
  id: FaultId
  /** Strikes this call only; else those that the fault is made for. */
  operation?: Operation
  /** How many calls it strikes: 1 unless told, null until it is taken away. */
  count?: number | null
  /** Share of the calls it strikes, 0 to 1; all unless told. */
  chance?: number
  ms?: number
  variant?: string
  message?: string
}

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
  swapRows?: (scene: Scene, call: Call, fault: Fault, rows: CutRow[]) => CutRow[]
  /** After executing: what the caller gets to see. */
  bend?: (answer: Answer, fault: Fault) => Reply
}

const writes = ['apontamentos'] as const
const lists = ['itens', 'maquinas'] as const
const business = ['itens', 'apontamentos', 'maquinas', 'integracoes'] as const

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
    instead: ({ ledger, later }, { branch, body }, { ms = 45_000 }) => {
      later(ms, () => {
        try {
          ledger.record(branch, body)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      })
      return 'silence'
    },
  },
  /** an error under status 200 */
  F09: { strikes: business, instead: (_, __, given) => json(200, { errorCode: 400, errorMessage: words(given) }) },
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
  F19: {
    strikes: business,
    instead: (_, __, given) => fault(400, JSON.stringify({ code: 'MA0001', message: words(given) })),
  },
  /** the newer error shape */
  F20: {
    strikes: business,
    instead: (_, __, given) =>
      json(400, {
        code: 'APONTAMENTO-001',
        message: words(given),
        detailedMessage: `${words(given)} (APONTAMENTO-001)`,
        helpUrl: '',
        details: [],
      }),
  },
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
  F24: { strikes: ['itens'], swapRows: ({ ledger }, { branch }) => ledger.rowsOfOtherPlant(branch) },
  /** other shapes of a list: the variant is one of `Envelope` */
  F25: { strikes: lists, style: ({ variant }) => ({ envelope: isEnvelope(variant) ? variant : 'array' }) },
  /** numbers as text */
  F26: { strikes: lists, style: () => ({ numbers: 'text' }) },
  /** the same page for ever */
  F27: { strikes: lists, style: () => ({ endless: true }) },
  /** what was written is not to be seen yet */
  F28: {
    strikes: ['itens'],
    swapRows: ({ ledger }, _, { ms = 30_000 }, rows) => rows.map((row) => ledger.rowBefore(row, ms)),
  },
  /** closed between search and recording */
  F29: { strikes: writes, meanwhile: ({ ledger }, { body }) => ledger.closeOrder(textOf(body.COD_BARRA)) },
  /** another user was faster */
  F30: { strikes: writes, meanwhile: ({ ledger }, { body }) => ledger.reportElsewhere(body) },
  /** maintenance; with the variant `refused` the simulator closes its listener, for `ms` or until faults are set anew */
  F31: {
    strikes: operations,
    door: (_, __, { variant }) => (variant === 'refused' ? null : maintenance()),
  },
  /** an idle connection is gone */
  F32: { strikes: business, only: ({ reusedConnection }) => reusedConnection, door: () => 'reset' },
  /** logically deleted */
  F33: { strikes: writes, meanwhile: ({ ledger }, { body }) => ledger.deleteRow(textOf(body.COD_BARRA)) },
} as const satisfies Record<string, Rule>

export type FaultId = keyof typeof rules

export type Struck = { rule: Rule; fault: Fault }

/** The faults that are switched on, and how often each may still strike. */
export class Faults {
  #active: { fault: Fault; rule: Rule; left: number }[] = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Throws where one of them does not exist. */
  set(faults: readonly Fault[]): void {
    this.#active = faults.map((fault) => {
      if (!Object.hasOwn(rules, fault.id)) throw new Error(`No fault ${fault.id}`)
      if (fault.operation && !operations.includes(fault.operation)) throw new Error(`No operation ${fault.operation}`)
      const count = fault.count === undefined ? 1 : fault.count
      return { fault, rule: rules[fault.id], left: count ?? Number.POSITIVE_INFINITY }
    })
  }

  /** All that strike this call; each loses one of its strikes. */
  strike(call: Call): Struck[] {
    return this.#active.filter((entry) => {
      const { fault, rule } = entry
      const meant = fault.operation ? fault.operation === call.operation : rule.strikes.includes(call.operation)
      if (entry.left <= 0 || !meant || rule.only?.(call) === false) return false
      if (fault.chance !== undefined && this.#random.next() >= fault.chance) return false
      entry.left -= 1
      return true
    })
  }
}
