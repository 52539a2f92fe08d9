import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { CutItem, erpReadRefusals, type Part, parts } from './items.ts'
import { BranchCode, Id, Instant, ItemBarcode, optionalText, Pieces, text } from './values.ts'

/** All that is recorded: a part of an item, pieces of a junction, the receipt of an item. */
export type RecordedPart = Part | 'juncao' | 'recebimento'

export const LOT_LENGTH_MAX = 60
export const MACHINE_LENGTH_MAX = 120

const Force = z.int().check(z.minimum(1), z.maximum(100_000))
const HeightMm = z.number().check(z.minimum(0.01), z.maximum(1000))
export const Lot = text(LOT_LENGTH_MAX).check(z.regex(/^[^;]*$/, "Use '/' no lugar de ';'"))

const side = <N extends '1' | '2'>(n: N) =>
  ({
    [`TERM_LD${n}`]: z.optional(text(NAME_LENGTH_MAX)),
    [`FORCA_LD${n}`]: z.optional(Force),
    [`ALTURA_LD${n}`]: z.optional(HeightMm),
    [`LOTE_TERM_LD${n}`]: z.optional(Lot),
    [`MA_LD${n}`]: z.optional(text(NAME_LENGTH_MAX)),
    [`SELO_LD${n}`]: z.optional(text(NAME_LENGTH_MAX)),
    [`SELADORA_LD${n}`]: z.optional(text(NAME_LENGTH_MAX)),
  }) as {
    [K in
      | `TERM_LD${N}`
      | `MA_LD${N}`
      | `SELO_LD${N}`
      | `SELADORA_LD${N}`
      | `LOTE_TERM_LD${N}`]: z.ZodMiniOptional<z.ZodMiniString>
  } & { [K in `FORCA_LD${N}` | `ALTURA_LD${N}`]: z.ZodMiniOptional<z.ZodMiniNumber> }

/** Why work is recorded with a force below the order's minimum. */
export const limitReasons = ['amostra', 'liberado', 'instrumento', 'outro'] as const
export type LimitReasonCode = (typeof limitReasons)[number]
export const LIMIT_REASON_LENGTH_MAX = 200
const LimitReason = z.strictObject({ motivo: z.enum(limitReasons), texto: optionalText(LIMIT_REASON_LENGTH_MAX) })
export type LimitReason = z.infer<typeof LimitReason>

/** An empty battery sets a clock back to 1970 at most. */
const CLOCK_SHIFT_MS_MAX = 100 * 366 * 86_400_000

/** The tablet's facts beside the ERP's payload; kept here, never sent to the ERP. */
export const Capture = z.strictObject({
  /** False: the value is the order's default that nobody measured. */
  medidoForca: z.optional(z.boolean()),
  medidoAltura: z.optional(z.boolean()),
  consultaSeladoraFalhou: z.optional(z.boolean()),
  motivoForaDoLimite: z.optional(LimitReason),
  /** The samples taken for it. */
  medicoes: z.optional(z.array(Id).check(z.maxLength(20))),
  /** The plan that the page judged by: it knows plans, so the rules of the plant's mode may refuse it. */
  plano: z.optional(z.int()),
  /** Two wires in one terminal: no plan speaks of that. */
  doisFios: z.optional(z.boolean()),
  motivoForaDoPlano: z.optional(LimitReason),
  /** The release under which somebody with the permission let it through. */
  liberacao: z.optional(Id),
  /** The refused recording of the same work in whose place its form registers this one. */
  substitui: z.optional(Id),
  /** The machine is the last one of this device, which nobody has chosen anew. */
  maquinaLembrada: z.optional(z.boolean()),
  /** When the operator pressed 'Registrar', by the tablet's clock corrected by the server's. */
  registradoEm: z.optional(Instant),
  dispositivo: z.optional(optionalText(80)),
  /** Milliseconds to add to `registradoEm`: the tablet did not know the server's clock when it was pressed. */
  desvioMs: z.optional(z.int().check(z.minimum(-CLOCK_SHIFT_MS_MAX), z.maximum(CLOCK_SHIFT_MS_MAX))),
  /** The operator was told 'salvo' before the server heard of it: every delivery from the tablet's queue. */
  salvoNoDispositivo: z.optional(z.boolean()),
  /** An earlier epoch of the server had answered this id for good: the ERP may have it already. */
  respondidoAntes: z.optional(z.boolean()),
  /** Sent before under this epoch, without an answer: a database of another epoch asks the ERP first. */
  tentadoAntes: z.optional(z.strictObject({ epoca: text(64) })),
})
export type Capture = z.infer<typeof Capture>

const requiredOf: Record<Part, readonly string[]> = {
  cabo: ['COD_CABO', 'LOTE_CABO', 'COMPRIMENTO_CABO'],
  l1: ['TERM_LD1', 'FORCA_LD1', 'ALTURA_LD1', 'LOTE_TERM_LD1', 'MA_LD1'],
  l2: ['TERM_LD2', 'FORCA_LD2', 'ALTURA_LD2', 'LOTE_TERM_LD2', 'MA_LD2'],
}
const partOfKey = (key: string): Part | null =>
  /_CABO$/.test(key) ? 'cabo' : /_LD1$/.test(key) ? 'l1' : /_LD2$/.test(key) ? 'l2' : null

/** Which section a payload records: the one whose fields it carries. Null when it carries none. */
export const partOf = (payload: object): Part | null => {
  const named = Object.entries(payload).flatMap(([key, value]) => (value === undefined ? [] : (partOfKey(key) ?? [])))
  return parts.find((part) => named.includes(part)) ?? null
}

/**
 * One physical act: pieces of one item cut, or one end crimped. The keys are the ERP's own, as the specification
 * puts them on the wire. Exactly one section's keys are present.
 */
export const CutCrimpRecording = z
  .strictObject({
    EMPRESA: BranchCode,
    /** Taken from the session; what is sent here is only accepted so that the payload can be the specified one. */
    OPERADOR: z.optional(optionalText(NAME_LENGTH_MAX)),
    ORDEM_PROD: text(20),
    QTD_ORDEM_PROD: Pieces,
    QTD_REALIZADA: Pieces,
    COD_BARRA: ItemBarcode,
    MAQUINA: text(MACHINE_LENGTH_MAX),
    COD_CABO: z.optional(text(60)),
    LOTE_CABO: z.optional(Lot),
    /** mm */
    COMPRIMENTO_CABO: z.optional(z.number().check(z.minimum(0), z.maximum(1_000_000))),
    ...side('1'),
    ...side('2'),
    captura: z.optional(Capture),
  })
  .check((ctx) => {
    const payload = ctx.value as Record<string, unknown>
    const part = partOf(payload)
    const complain = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', input: payload[field], path: [field], message })
    if (!part) return void complain('COD_CABO', 'Campo obrigatório')
    for (const field of requiredOf[part]) if (payload[field] === undefined) complain(field, 'Campo obrigatório')
    for (const field of Object.keys(payload)) {
      const other = partOfKey(field)
      if (payload[field] !== undefined && other && other !== part) complain(field, 'Registre uma etapa de cada vez')
    }
  })
export type CutCrimpRecording = z.infer<typeof CutCrimpRecording>

export const recordingStatuses = ['enviado', 'pendente'] as const

/** The fields of every recording's answer. */
export const answerFields = {
  message: z.string(),
  /** 'enviado': the ERP has it. 'pendente': saved here, on its way or waiting for a person. */
  status: z.enum(recordingStatuses),
  /** Its author's session was ended: stored, and no part of anything until that person brings it again, or an admin decides. */
  retido: z.optional(z.literal(true)),
  /** To be kept by a browser, and shown to a database that went back, with the very same content. */
  recibo: z.optional(z.string()),
}

export const RecordingAnswer = z.strictObject({
  ...answerFields,
  /** The item as it stands now; null when it could not be reread. */
  item: z.nullable(CutItem),
})
export type RecordingAnswer = z.infer<typeof RecordingAnswer>

export const RECORDED_MESSAGE = 'Apontamento realizado com sucesso!'
/** Said of a recording whose answer was lost where the ERP cannot be asked by id. */
export const CONFIRMED_BY_QUANTITY_MESSAGE = 'Confirmado pela quantidade registrada no ERP.'
export const WAITING_MESSAGE = 'Apontamento salvo. Será enviado ao ERP assim que ele responder.'
export const PARKED_MESSAGE = 'Apontamento recebido. Precisa de correção: veja Pendências.'
export const UNCERTAIN_MESSAGE = 'Apontamento recebido. O ERP não confirmou: veja Pendências.'
export const SUPERSEDED_MESSAGE = 'Apontamento recebido e depois corrigido em Pendências.'
export const DISCARDED_MESSAGE = 'Apontamento recebido e depois descartado em Pendências.'

export const cutCrimpRefusals = [
  // an item that was never searched here is read first
  ...erpReadRefusals,
  'item_not_found',
  'idempotency_key_missing',
  'idempotency_key_reused',
  'pending_settled',
  'order_moved',
  'section_complete',
  'quantity_exceeds_balance',
  'terminal_missing_on_side',
  'lot_is_code',
  'badge_removed',
  'plan_not_met',
] as const

export const recordings = {
  createCutCrimp: endpoint({
    method: 'POST',
    path: '/api/apontamentos/corte-crimpagem',
    summary: 'Apontar corte (cabo) ou crimpagem (lado 1, lado 2) de um item',
    access: 'record',
    suffices: 'grant',
    body: CutCrimpRecording,
    reply: RecordingAnswer,
    statuses: [201, 202],
    idempotent: true,
    refusals: cutCrimpRefusals,
  }),
}
