import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { dadosDe, erpReadRefusals } from './items.ts'
import { answerFields, Capture, Lot, MACHINE_LENGTH_MAX } from './recordings.ts'
import { BranchCode, Day, optionalText, Pieces, text } from './values.ts'

export const JUNCTION_ORDER_LENGTH_MAX = 20
/** The form's own bound; the real one is the piece count of the position. */
export const JUNCTION_PIECES_MAX = 1000
/** Material groups that begin so are welded by ultrasound: no terminal, no height, no lot, no tightness. */
const ULTRASONIC_PREFIX = 'M500'
export const isUltrasonic = (materialGroup: string): boolean => materialGroup.trim().startsWith(ULTRASONIC_PREFIX)
/** The ERP is told this for every other group. */
export const TERMINAL_GROUP = 'TERMINAIS'

/** A row of the ERP, its fields under the names that the specification puts on the wire, already cleaned. */
const erpFields = {
  /** May hold blanks and '/'. */
  Z8_POSICAO: z.string(),
  Z8_TERMINA: z.string(),
  Z8_GRUPOMP: z.string(),
  Z8_ESTANQU: z.string(),
  Z8_CABOESP: z.string(),
  /** May exceed 100. */
  Z8_PJUNCAO: z.number(),
  Z8_QTDPECA: z.number(),
  Z8_CLIENTE: z.string(),
  Z8_PRODUTO: z.string(),
  Z8_REVCLI: z.string(),
  Z8_REVLTM: z.string(),
  /** Empty where the ERP has no such column. */
  Z8_DESCPRO: z.string(),
}
/** Columns that are not named here are passed on as they come. */
export const ErpJunction = z.looseObject(erpFields)
export type ErpJunction = z.infer<typeof ErpJunction>

export const Junction = z.looseObject({
  ...erpFields,
  /** Pieces accepted here that the ERP has not confirmed yet. */
  aguardandoErp: z.number(),
  /** As the ERP writes it, however it was asked for; left out by a server of the version before. */
  ordem: z.optional(z.string()),
})
export type Junction = z.infer<typeof Junction>

/** A wire that ends at the position. */
export const Circuit = z.looseObject({
  /** `POSITION|E` (left) or `POSITION|D` (right) where the end is a junction. */
  Z1_DE: z.string(),
  Z1_PARA: z.string(),
  Z1_ITEMEST: z.string(),
  Z1_COR: z.string(),
  Z1_BITOLA: z.string(),
  Z1_GRAVA: z.string(),
  Z1_CODBAR: z.string(),
  Z1_CODCABO: z.string(),
})
export type Circuit = z.infer<typeof Circuit>

export const JunctionDetails = z.object({
  /** Material-group rows of the position. */
  registros: z.array(z.looseObject({ Z9_GRUPOMP: z.string() })),
  circuitos: z.array(Circuit),
  /** Limits of the pull test; null where the ERP has none. */
  teste: z.nullable(z.looseObject({ ZTB_FORCA: z.nullable(z.number()), ZTB_BITOLA: z.string() })),
})
export type JunctionDetails = z.infer<typeof JunctionDetails>

export const JunctionRecording = z
  .strictObject({
    FILIAL: BranchCode,
    NUMERO_OP: text(JUNCTION_ORDER_LENGTH_MAX),
    TIPO_REGISTRO: z.enum(['JUNCAO']),
    POSICAO: text(20),
    /** Planned. */
    QTD_PECAS: Pieces,
    /** Joined now. */
    QTD_APONTADA: Pieces,
    DATA: Day,
    /** Taken from the session; what is sent here is only accepted so that the payload can be the specified one. */
    OPERADOR: z.optional(optionalText(NAME_LENGTH_MAX)),
    FORCA: z.number().check(z.minimum(0), z.maximum(100_000)),
    MAQUINA: text(MACHINE_LENGTH_MAX),
    GRUPO_MP: text(60),
    /** mm */
    ALTURA: z.optional(z.number().check(z.minimum(0), z.maximum(1000))),
    LOTE_TERMINAL: z.optional(Lot),
    TERMINAL: z.optional(text(NAME_LENGTH_MAX)),
    ESTANQUEIDADE: z.optional(z.enum(['Sim', 'Não'])),
    captura: z.optional(Capture),
  })
  .check((ctx) => {
    const required = ['ALTURA', 'LOTE_TERMINAL', 'ESTANQUEIDADE'] as const
    const ultrasonic = isUltrasonic(ctx.value.GRUPO_MP)
    for (const field of ultrasonic ? ([...required, 'TERMINAL'] as const) : required) {
      const isGiven = ctx.value[field] !== undefined
      if (isGiven !== ultrasonic) continue
      const message = ultrasonic ? 'Não se informa em junção por ultrassom' : 'Campo obrigatório'
      ctx.issues.push({ code: 'custom', input: ctx.value[field], path: [field], message })
    }
  })
export type JunctionRecording = z.infer<typeof JunctionRecording>

export const JunctionAnswer = z.strictObject({
  ...answerFields,
  /** The junction as it stands now; null when there is no copy of it. */
  item: z.nullable(Junction),
})

export const JUNCTION_RECORDED_MESSAGE = 'Apontamento de junção registrado com sucesso!'

const orderQuery = { filial: BranchCode, numeroOp: text(JUNCTION_ORDER_LENGTH_MAX) }

export const junctionRefusals = [
  ...erpReadRefusals,
  'junction_not_found',
  'idempotency_key_missing',
  'idempotency_key_reused',
  'pending_settled',
  'section_complete',
  'quantity_exceeds_junction',
  'lot_is_code',
  'badge_removed',
  'group_mismatch',
  'plan_not_met',
] as const

export const junctions = {
  copies: endpoint({
    path: '/api/juncao/copias',
    summary:
      'O que a última leitura do ERP deixou aqui das junções da ordem, sem perguntar a ele; vazio se não deixou nada',
    access: 'read',
    query: z.strictObject(orderQuery),
    reply: z.strictObject({ items: z.array(Junction), dadosDe }),
    refusals: ['unknown_plant'],
    live: ['junctions'],
  }),
  list: endpoint({
    path: '/api/juncao/obter-juncoes',
    summary: 'Junções de uma ordem de produção',
    access: 'read',
    query: z.strictObject(orderQuery),
    reply: z.strictObject({ items: z.array(Junction), dadosDe }),
    refusals: erpReadRefusals,
    live: ['junctions'],
  }),
  details: endpoint({
    path: '/api/juncao/obter-detalhes',
    summary: 'Uma junção com seus circuitos, grupos de matéria-prima e teste; sem posição, os circuitos de todas',
    access: 'read',
    query: z.strictObject({ ...orderQuery, posicao: z.optional(optionalText(20)) }),
    reply: z.strictObject({
      data: JunctionDetails,
      /** Null when no position was asked for. */
      juncao: z.nullable(Junction),
      dadosDe,
    }),
    refusals: ['junction_not_found', ...erpReadRefusals],
    live: ['junctions'],
  }),
  record: endpoint({
    method: 'POST',
    path: '/api/juncao/registrar-apontamento',
    summary: 'Apontar peças de uma junção',
    access: 'record',
    suffices: 'grant',
    body: JunctionRecording,
    reply: JunctionAnswer,
    statuses: [201, 202],
    idempotent: true,
    refusals: junctionRefusals,
  }),
}
