import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TypedPassword, USERNAME_LENGTH_MAX } from './sessions.ts'
import { BranchCode, Id, Instant, ItemBarcode, text } from './values.ts'

/** What a plant makes of work outside its plan: note it, ask why, or wait for quality. */
export const planModes = ['observar', 'avisar', 'bloquear'] as const
export type PlanMode = (typeof planModes)[number]

export const RELEASE_REASON_LENGTH_MAX = 200

export const Release = z.strictObject({ id: Id, por: z.string(), em: Instant })
export type Release = z.infer<typeof Release>

export const releases = {
  give: endpoint({
    method: 'POST',
    path: '/api/liberacoes',
    summary: 'Libera um apontamento que o plano bloqueia: quem pode mudar planos escreve usuário e senha no tablet',
    access: 'record',
    body: z.strictObject({
      usuario: text(USERNAME_LENGTH_MAX),
      senha: TypedPassword,
      filial: BranchCode,
      codigoBarras: z.optional(ItemBarcode),
      posicao: z.optional(text(20)),
      ordem: text(20),
      parte: z.enum(['l1', 'l2', 'juncao']),
      motivo: text(RELEASE_REASON_LENGTH_MAX),
    }),
    reply: Release,
    statuses: [201],
    refusals: ['unknown_plant', 'current_password_wrong', 'not_allowed', 'too_many_attempts'],
  }),
}
