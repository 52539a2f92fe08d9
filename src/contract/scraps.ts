import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { PlaceQuery, placeFields, requirePlace } from './places.ts'
import { answerFields, Capture, LOT_LENGTH_MAX, MACHINE_LENGTH_MAX } from './recordings.ts'
import { REASON_CODE_LENGTH_MAX } from './scrap-reasons.ts'
import { Id, IdKey, Instant, optionalText, Pieces, saying, text } from './values.ts'

/** Where pieces are thrown away: a part of an item, or a junction. */
export const scrapParts = ['cabo', 'l1', 'l2', 'juncao'] as const
export type ScrapPart = (typeof scrapParts)[number]

/** Saved at a press, or decided by a containment about pieces that are among the good ones. */
const scrapOrigins = ['operador', 'contencao'] as const
export type ScrapOrigin = (typeof scrapOrigins)[number]

export const SCRAP_NOTE_LENGTH_MAX = 120
export const UNDO_REASON_LENGTH_MAX = 200
export const SCRAPS_LISTED_MAX = 200

/** Pieces thrown away, or repaired. Its id is the `Idempotency-Key`. Machine and tool are named as far as they are chosen. */
export const ScrapForm = z
  .strictObject({
    ...placeFields,
    parte: z.enum(scrapParts),
    maquina: z.optional(text(MACHINE_LENGTH_MAX)),
    miniaplicador: z.optional(text(NAME_LENGTH_MAX)),
    lote: z.optional(optionalText(LOT_LENGTH_MAX)),
    /** Code of a reason. Which ones there are, the plant says. */
    motivo: text(REASON_CODE_LENGTH_MAX),
    texto: z.optional(optionalText(SCRAP_NOTE_LENGTH_MAX)),
    pecas: Pieces,
    /** They were repaired, and are among the good ones. */
    retrabalho: z.optional(z.boolean()),
    captura: z.optional(Capture),
  })
  .check(requirePlace)
export type ScrapForm = z.infer<typeof ScrapForm>

/** Texts are empty where there is nothing to say. */
export const Scrap = z.strictObject({
  id: Id,
  filial: z.string(),
  parte: z.enum(scrapParts),
  ordem: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  terminal: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  lote: z.string(),
  motivo: z.string(),
  /** As the plant words the reason. */
  motivoTexto: z.string(),
  nota: z.string(),
  retrabalho: z.boolean(),
  pecas: z.int(),
  origem: z.enum(scrapOrigins),
  /** False: it came under a grant that is not to be trusted, and is not counted. */
  autorConfirmado: z.boolean(),
  operador: z.string(),
  /** The caller saved it. */
  proprio: z.boolean(),
  registradoEm: Instant,
  /** Null unless somebody took it back. */
  desfeito: z.nullable(z.strictObject({ em: Instant, por: z.string(), motivo: z.string() })),
})
export type Scrap = z.infer<typeof Scrap>

/** Shaped as a recording's answer: it is one more kind of a tablet's queue. */
export const ScrapAnswer = z.strictObject({ ...answerFields, item: z.null(), refugo: Scrap })
export type ScrapAnswer = z.infer<typeof ScrapAnswer>

export const scraps = {
  list: endpoint({
    path: '/api/refugos',
    summary: `Refugo e retrabalho de um item, ou de uma posição de junção, os ${SCRAPS_LISTED_MAX} mais novos, também os desfeitos`,
    access: 'read',
    query: PlaceQuery,
    reply: z.array(Scrap),
    live: ['scraps', 'scrap-reasons'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/refugos',
    summary: 'Guarda refugo ou retrabalho com o motivo; não muda o que resta da ordem, e o ERP não é avisado',
    access: 'record',
    suffices: 'grant',
    body: ScrapForm,
    reply: ScrapAnswer,
    statuses: [201],
    idempotent: true,
    refusals: ['unknown_plant', 'idempotency_key_missing', 'idempotency_key_reused', 'lot_is_code'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/refugos/:id/estorno',
    summary: 'Desfaz um refugo: o autor no mesmo turno sem motivo; depois o líder, com motivo',
    access: 'record',
    params: IdKey,
    body: z.strictObject({
      motivo: z.optional(saying(UNDO_REASON_LENGTH_MAX)),
      /** When its author took it back on a tablet that could not say so. */
      desfeitoEm: z.optional(Instant),
    }),
    reply: Scrap,
    refusals: ['not_found', 'not_allowed', 'scrap_of_containment'],
  }),
}
