import * as z from 'zod/mini'
import {
  CONTAINMENT_PAGE,
  Containment,
  ContainmentReason,
  ContainmentRow,
  type ReleaseCheck,
  releaseChecks,
  stepKinds,
} from './containments.ts'
import { endpoint } from './endpoint.ts'
import { REASON_CODE_LENGTH_MAX } from './scrap-reasons.ts'
import { IdKey, Pieces, text } from './values.ts'

const StoredId = z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))

type Checked = { verificado?: ReleaseCheck | undefined; amostra?: number | undefined }

const isSampleNumbered = ({ verificado, amostra }: Checked) => (verificado === 'amostra') === (amostra !== undefined)

/** Each row with the version that was seen: all of them or none. */
export const DecisionForm = z
  .strictObject({
    tipo: z.enum(stepKinds),
    motivo: ContainmentReason,
    linhas: z
      .array(z.strictObject({ id: StoredId, version: StoredId, pecas: Pieces }))
      .check(z.minLength(1), z.maxLength(CONTAINMENT_PAGE)),
    /** Needed of what releases. */
    verificado: z.optional(z.enum(releaseChecks)),
    amostra: z.optional(Pieces),
    verificadoTexto: z.optional(ContainmentReason),
    /** Code of a reason; needed of what scraps. */
    motivoRefugo: z.optional(text(REASON_CODE_LENGTH_MAX)),
    /** Step of its one row that an `estornar` takes back. */
    passo: z.optional(StoredId),
  })
  .check(z.refine(isSampleNumbered, { error: 'Informe quantas peças', path: ['amostra'] }))
export type DecisionForm = z.infer<typeof DecisionForm>

export const containmentDecisions = {
  decide: endpoint({
    method: 'POST',
    path: '/api/contencoes/:id/decisoes',
    summary: 'Libera, retrabalha ou sucateia peças, ou desfaz um passo: todas as linhas ou nenhuma',
    access: 'dispose',
    params: IdKey,
    body: DecisionForm,
    reply: z.strictObject({ contencao: Containment, linhas: z.array(ContainmentRow) }),
    statuses: [201],
    idempotent: true,
    refusals: [
      'idempotency_key_missing',
      'idempotency_key_reused',
      'not_found',
      'changed_meanwhile',
      'containment_closed',
      'containment_balance',
    ],
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/contencoes/:id/encerramento',
    summary: 'Encerra uma contenção em que tudo está decidido; a aberta por engano libera antes o que resta',
    access: 'dispose',
    params: IdKey,
    body: z.strictObject({ engano: z.optional(z.literal(true)), motivo: z.optional(ContainmentReason) }).check(
      z.refine(({ engano, motivo }) => !engano || motivo !== undefined, {
        error: 'Escreva o motivo.',
        path: ['motivo'],
      }),
    ),
    reply: Containment,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile', 'containment_closed', 'containment_undecided'],
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/contencoes/:id/reabertura',
    summary: 'Reabre uma contenção encerrada',
    access: 'dispose',
    params: IdKey,
    body: z.strictObject({ motivo: ContainmentReason }),
    reply: Containment,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
}
