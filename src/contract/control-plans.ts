import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { sayingName, writtenName } from './names.ts'
import { MACHINE_LENGTH_MAX } from './recordings.ts'
import { BranchCode, Instant, text } from './values.ts'

/** Thousandths of a mm, a mm² or the plant's unit of force: never compared as decimals. */
export const MILLI_MAX = 999_999_999
export const READINGS_MAX = 10
export const EVERY_PIECES_MAX = 1_000_000
export const INSTRUMENT_LENGTH_MAX = 60
export const REACTION_LENGTH_MAX = 500

/** Whole thousandths. */
const milli = z.int().check(z.minimum(0), z.maximum(MILLI_MAX))
const positiveMilli = z.int().check(z.minimum(1), z.maximum(MILLI_MAX))
const readings = z.int().check(z.minimum(1), z.maximum(READINGS_MAX))

/** Inside is from nominal less `menos` to nominal plus `mais`, both included. */
export const Tolerance = z
  .strictObject({ nominal: positiveMilli, menos: milli, mais: milli })
  .check(z.refine(({ nominal, menos }) => menos < nominal, 'A tolerância é maior que o nominal'))
export type Tolerance = z.infer<typeof Tolerance>

/** The limits of a plan and where it applies. Without `filial`, `miniaplicador` or `maquina` it applies to all of them. */
const content = {
  terminal: writtenName(NAME_LENGTH_MAX),
  bitola: positiveMilli,
  miniaplicador: z.optional(writtenName(NAME_LENGTH_MAX)),
  /** As the ERP names it. */
  maquina: z.optional(writtenName(MACHINE_LENGTH_MAX)),
  filial: z.optional(BranchCode),
  altura: z.optional(Tolerance),
  forcaMin: z.optional(positiveMilli),
  largura: z.optional(Tolerance),
  alturaIsolante: z.optional(Tolerance),
  leiturasAltura: readings,
  leiturasForca: readings,
  /** A sample is due after so many pieces. */
  aCadaPecas: z.optional(z.int().check(z.minimum(1), z.maximum(EVERY_PIECES_MAX))),
  ultimaPeca: z.boolean(),
  instrumento: z.optional(sayingName(INSTRUMENT_LENGTH_MAX)),
  /** Instruction for a reading outside. */
  reacao: z.optional(sayingName(REACTION_LENGTH_MAX)),
  /** Whether a value typed into a recording is a sample. Left out: as in the version before, where there is none it is. */
  digitadoVale: z.optional(z.boolean()),
}

export const PlanContent = z.strictObject(content)
export type PlanContent = z.infer<typeof PlanContent>

/**
 * A version of a plan. Only its end is ever written again, where the next one begins or where somebody ended it, and its approval. One
 * that waits for that ends where it begins, so that it holds for nobody who knows nothing of approvals.
 */
export const ControlPlan = z.strictObject({
  ...content,
  id: z.int(),
  version: z.int(),
  validoDe: Instant,
  /** Null: until further notice. */
  validoAte: z.nullable(Instant),
  /** Left out, as the names below, where only what is in force is asked for, and by a server of the version before. */
  aguardaAprovacao: z.optional(z.boolean()),
  /** The authors and instants of its creation, approval and end; empty where that has not happened or is not known. */
  criadoPor: z.optional(z.string()),
  criadoEm: z.optional(z.nullable(Instant)),
  aprovadoPor: z.optional(z.string()),
  aprovadoEm: z.optional(z.nullable(Instant)),
  encerradoPor: z.optional(z.string()),
  encerradoEm: z.optional(z.nullable(Instant)),
})
export type ControlPlan = z.infer<typeof ControlPlan>

/** The same for the list and for its file. */
export const planFilter = { filial: z.optional(BranchCode), terminal: z.optional(text(NAME_LENGTH_MAX)) }

export const controlPlans = {
  list: endpoint({
    path: '/api/planos-de-controle',
    summary:
      'Planos de controle com todas as versões; vigente=sim: só o que vale, ainda vai valer ou aguarda aprovação',
    access: 'read',
    query: z.strictObject({ ...planFilter, vigente: z.optional(z.enum(['sim'])) }),
    reply: z.array(ControlPlan),
    live: ['control-plans'],
  }),
}
