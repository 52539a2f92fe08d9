import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { findings } from './measurements.ts'
import { TypedPassword, USERNAME_LENGTH_MAX } from './sessions.ts'
import { planModes } from './settings.ts'
import { BranchCode, Id, Instant, ItemBarcode, text } from './values.ts'

export const RELEASE_REASON_LENGTH_MAX = 200

export const Release = z.strictObject({ id: Id, por: z.string(), em: Instant })
export type Release = z.infer<typeof Release>

/** A place of work, as a release is good for one. */
const place = {
  filial: BranchCode,
  /** Of an item, else there is a `posicao`. */
  codigoBarras: z.optional(ItemBarcode),
  posicao: z.optional(text(20)),
  ordem: text(20),
  parte: z.enum(['l1', 'l2', 'juncao']),
}

export const ReleaseForm = z
  .strictObject({
    usuario: text(USERNAME_LENGTH_MAX),
    senha: TypedPassword,
    ...place,
    motivo: text(RELEASE_REASON_LENGTH_MAX).check(z.regex(/\S/u, 'Campo obrigatório')),
  })
  .check((ctx) => {
    const { parte, codigoBarras, posicao } = ctx.value
    const field = parte === 'juncao' ? 'posicao' : 'codigoBarras'
    const isComplete = parte === 'juncao' ? posicao !== undefined : codigoBarras !== undefined
    if (isComplete) return
    ctx.issues.push({ code: 'custom', input: undefined, path: [field], message: 'Campo obrigatório' })
  })
export type ReleaseForm = z.infer<typeof ReleaseForm>

export const releases = {
  give: endpoint({
    method: 'POST',
    path: '/api/liberacoes',
    summary: 'Libera um apontamento que o plano bloqueia: quem pode mudar planos escreve usuário e senha no tablet',
    access: 'record',
    body: ReleaseForm,
    reply: Release,
    statuses: [201],
    refusals: [
      'unknown_plant',
      'release_login_wrong',
      'not_allowed',
      'too_many_attempts',
      'overloaded',
      'directory_unavailable',
    ],
  }),
}

export const PLAN_FINDINGS_LISTED_MAX = 500
export const PLAN_FINDINGS_DAYS = 30

/** What was noted of a recording outside its plan. Texts are empty where there is nothing to say. */
export const PlanFinding = z.strictObject({
  id: z.int(),
  em: Instant,
  achado: z.enum(findings),
  /** What the plant made of it then. */
  modo: z.enum(planModes),
  /** As it was said at 'Registrar'. */
  motivo: z.string(),
  liberadoPor: z.string(),
  apontamento: Id,
  filial: z.string(),
  ordem: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  parte: z.enum(['cabo', 'l1', 'l2', 'juncao', 'recebimento']),
  terminal: z.string(),
  pecas: z.int(),
  maquina: z.string(),
  operador: z.string(),
})
export type PlanFinding = z.infer<typeof PlanFinding>

export const planFindings = {
  list: endpoint({
    path: '/api/planos-de-controle/ocorrencias',
    summary: `O que se apontou fora do plano nos últimos ${PLAN_FINDINGS_DAYS} dias, o mais novo antes, e quantas vezes`,
    access: 'read',
    query: z.strictObject({ achado: z.optional(z.enum(findings)) }),
    reply: z.strictObject({ ocorrencias: z.array(PlanFinding), total: z.int() }),
    live: ['pending-recordings'],
  }),
}
