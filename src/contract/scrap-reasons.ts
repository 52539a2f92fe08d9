import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { printedAnswer } from './files.ts'
import { sayingName } from './names.ts'
import { RowKey } from './values.ts'

/** Where scrap arises, in the order of a wire. */
export const scrapStages = ['corte', 'crimpagem', 'juncao'] as const
export type ScrapStage = (typeof scrapStages)[number]

export const reasonStages = [...scrapStages, 'todas'] as const

/** `processo`: pieces of a set-up or a test, of which a process needs some. */
export const reasonKinds = ['defeito', 'processo'] as const

export const REASON_CODE_LENGTH_MAX = 40
export const REASON_TEXT_LENGTH_MAX = 60
const POSITION_MAX = 10_000

const Text = sayingName(REASON_TEXT_LENGTH_MAX)

export const ScrapReasonForm = z.strictObject({
  texto: Text,
  etapa: z.enum(reasonStages),
  tipo: z.enum(reasonKinds),
})
export type ScrapReasonForm = z.infer<typeof ScrapReasonForm>

/** Stage, kind and code never change: reports of past days would. */
export const ScrapReasonChange = z.strictObject({
  texto: Text,
  posicao: z.int().check(z.minimum(1), z.maximum(POSITION_MAX)),
  ativo: z.boolean(),
})
export type ScrapReasonChange = z.infer<typeof ScrapReasonChange>

export const ScrapReason = z.strictObject({
  id: z.int(),
  /** Printed as `REF-<code>`. */
  codigo: z.string(),
  ...ScrapReasonForm.shape,
  posicao: z.int(),
  ativo: z.boolean(),
  /** Pieces of the last 30 days, by plant. */
  uso: z.record(z.string(), z.int()),
  version: z.int(),
})
export type ScrapReason = z.infer<typeof ScrapReason>

export const scrapReasons = {
  list: endpoint({
    path: '/api/motivos-de-refugo',
    summary: 'Motivos de refugo na sua ordem, também os desativados, com as peças de 30 dias por filial',
    access: 'read',
    reply: z.array(ScrapReason),
    live: ['scrap-reasons'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/motivos-de-refugo',
    summary: 'Adiciona um motivo de refugo; o código sai do texto e nunca muda',
    access: 'plans',
    body: ScrapReasonForm,
    reply: ScrapReason,
    statuses: [201],
    refusals: ['reason_exists'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/motivos-de-refugo/:id',
    summary: 'Muda texto, ordem ou situação de um motivo de refugo; nada se apaga',
    access: 'plans',
    params: RowKey,
    body: ScrapReasonChange,
    reply: ScrapReason,
    versioned: true,
    refusals: ['not_found', 'reason_exists', 'reason_fixed', 'changed_meanwhile'],
  }),
  sheet: endpoint({
    path: '/api/motivos-de-refugo/folha',
    summary: 'Folha A4 com o código de barras de cada motivo em uso, uma etapa por página',
    access: 'plans',
    ...printedAnswer,
  }),
}
