import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { BranchCode, Instant, ItemBarcode, text } from './values.ts'

/** The parts of an item that are recorded: the cut of the wire and the crimp (with its seal) of either end. */
export const parts = ['cabo', 'l1', 'l2'] as const
export type Part = (typeof parts)[number]

/** A row of the ERP, its fields under the names that the specification puts on the wire, already cleaned. */
const erpFields = {
  Z1_FILIAL: z.string(),
  Z1_CLIENTE: z.string(),
  /** Text of 14; letters are allowed since July 2026. */
  Z1_CNPJCLI: z.string(),
  Z1_PRODUTO: z.string(),
  Z1_REVCLI: z.string(),
  Z1_REVLTM: z.string(),
  Z1_DESCPRO: z.string(),
  Z1_OP: z.string(),
  Z1_QUANT: z.number(),
  Z1_ITEMEST: z.string(),
  Z1_COR: z.string(),
  /** mm² as text, with comma or dot. */
  Z1_BITOLA: z.string(),
  Z1_GRAVA: z.string(),
  Z1_CODBAR: z.string(),
  Z1_CODCABO: z.string(),
  Z1_DESCABO: z.string(),
  /** mm */
  Z1_COMPR: z.number(),
  /** Percent as the ERP says it; 0 for a side without terminal. */
  Z1_PCORTE: z.number(),
  Z1_PCRIML1: z.number(),
  Z1_PCRIML2: z.number(),
  /** Pieces that the ERP has registered. */
  Z1_QTREGCO: z.number(),
  Z1_QTREGL1: z.number(),
  Z1_QTREGL2: z.number(),
  /** '0' or empty: no terminal, no seal. */
  Z1_TERML1: z.string(),
  Z1_TERML2: z.string(),
  Z1_SELOL1: z.string(),
  Z1_SELOL2: z.string(),
  /** Minimum pull force; null when the ERP gives none. */
  Z1_RMINL1: z.nullable(z.number()),
  Z1_RMINL2: z.nullable(z.number()),
  /** Crimp height in mm. */
  Z1_DECAL1: z.nullable(z.number()),
  Z1_DECAL2: z.nullable(z.number()),
  /** 'S' received; 'N' or empty not. */
  Z1_CONFERE: z.string(),
  /** Where the ends go: `POSITION|E` or `POSITION|D` at a junction. Not every ERP says it. */
  Z1_DE: z.optional(z.string()),
  Z1_PARA: z.optional(z.string()),
}

export const ErpItem = z.object(erpFields)
export type ErpItem = z.infer<typeof ErpItem>

export const CutItem = z.object({
  ...erpFields,
  /** Pieces accepted here that the ERP has not confirmed yet: shown marked 'aguardando ERP'. */
  aguardandoErp: z.strictObject({ cabo: z.number(), l1: z.number(), l2: z.number() }),
  /** Its receipt was confirmed here, and the ERP has not heard of it yet. */
  recebimentoAguardandoErp: z.optional(z.boolean()),
  /** Ends that were recorded with a sample outside its plan. Left out by a server of the version before, and in what is not listed. */
  foraDoPlano: z.optional(z.array(z.enum(parts))),
})
export type CutItem = z.infer<typeof CutItem>

const searchModes = ['APONTAMENTO', 'CONFERENCIA_CORTE'] as const
export type SearchMode = (typeof searchModes)[number]

export const SEARCH_TERM_LENGTH_MAX = 50

/** Refusals of any call that has to read from the ERP. */
export const erpReadRefusals = [
  'unknown_plant',
  'erp_refused',
  'erp_unavailable',
  'erp_busy',
  'erp_timeout',
  'erp_auth',
  'erp_bad_answer',
  'erp_unreadable',
  'erp_unconfigured',
  'too_many_searches',
] as const

/** When the ERP is down the last copy answers; this says when it was read, else null. */
export const dadosDe = z.nullable(Instant)

export const items = {
  copies: endpoint({
    path: '/api/apontamentos/copias',
    summary: 'O que a última leitura do ERP deixou aqui do mesmo termo, sem perguntar a ele; vazio se não deixou nada',
    access: 'read',
    query: z.strictObject({ filial: BranchCode, termo: text(SEARCH_TERM_LENGTH_MAX) }),
    reply: z.strictObject({ items: z.array(CutItem), dadosDe }),
    refusals: ['unknown_plant'],
    live: ['items'],
  }),
  search: endpoint({
    path: '/api/apontamentos/itens',
    summary: 'Itens de uma ordem de produção, ou de um código de barras (22 caracteres)',
    access: 'read',
    query: z.strictObject({ filial: BranchCode, termo: text(SEARCH_TERM_LENGTH_MAX), modo: z.enum(searchModes) }),
    reply: z.strictObject({ items: z.array(CutItem), dadosDe }),
    refusals: erpReadRefusals,
    live: ['items'],
  }),
  get: endpoint({
    path: '/api/apontamentos/itens/:codigoBarras',
    summary: 'Um item, relido do ERP',
    access: 'read',
    params: z.strictObject({ codigoBarras: ItemBarcode }),
    query: z.strictObject({ filial: BranchCode }),
    reply: z.strictObject({ item: CutItem, dadosDe }),
    refusals: ['item_not_found', ...erpReadRefusals],
    live: ['items'],
  }),
}
