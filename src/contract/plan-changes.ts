import * as z from 'zod/mini'
import { ControlPlan, PlanContent, planFilter } from './control-plans.ts'
import { endpoint } from './endpoint.ts'
import { Day, RowKey } from './values.ts'

export const PLAN_LINES_MAX = 5000
export const PLAN_FILE_BYTES_MAX = 1024 * 1024
export const NOTHING_REQUIRED = 'Informe ao menos a altura ou a força mínima'

export const PlanForm = z
  .strictObject({
    ...PlanContent.shape,
    /** A day of the plant, today or later; without it the plan is in force at once. */
    valeAPartirDe: z.optional(Day),
  })
  .check((ctx) => {
    const { altura, forcaMin } = ctx.value
    if (altura !== undefined || forcaMin !== undefined) return
    ctx.issues.push({ code: 'custom', input: altura, path: ['altura'], message: NOTHING_REQUIRED })
  })

export type PlanForm = z.infer<typeof PlanForm>

/** The outcome of an import, or of its trial. */
export const PlanImport = z.strictObject({
  linhas: z.int(),
  novas: z.int(),
  alteradas: z.int(),
  iguais: z.int(),
  comErro: z.int(),
  /** Terminals of lines without an error that no plan, pair or order knows. Left out by a server of the version before. */
  terminaisDesconhecidos: z.optional(z.int()),
  /** The first of them; `campo` is empty where the whole line or file is wrong. */
  erros: z.array(z.strictObject({ linha: z.int(), campo: z.string(), mensagem: z.string() })),
})
export type PlanImport = z.infer<typeof PlanImport>

export const PLAN_FAULTS_LISTED_MAX = 200

/** Calls for people who make plans; operators need none of them. */
export const planChanges = {
  csv: endpoint({
    path: '/api/planos-de-controle/csv',
    summary: 'Os planos em vigor, como a importação os lê',
    access: 'read',
    heavy: true,
    query: z.strictObject(planFilter),
    reply: z.string(),
    file: 'text/csv; charset=utf-8',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle',
    summary: 'Um plano novo ou, com If-Match, a versão seguinte do plano do mesmo lugar',
    access: 'plans',
    body: PlanForm,
    reply: ControlPlan,
    statuses: [201],
    versioned: true,
    refusals: ['unknown_plant', 'plan_overlaps', 'plan_in_past', 'changed_meanwhile'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle/:id/aprovacao',
    summary: 'Aprova uma versão que outra pessoa criou: vale na hora, ou a partir do seu dia',
    access: 'plans',
    params: RowKey,
    reply: ControlPlan,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile', 'plan_own_approval', 'plan_overlaps'],
  }),
  end: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle/:id/encerramento',
    summary:
      'Encerra agora a última versão de um plano; uma que ainda não começou, ou aguarda aprovação, não chega a valer',
    access: 'plans',
    params: RowKey,
    reply: ControlPlan,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
}

export const planImports = {
  importAll: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle/importacao',
    summary:
      'Planos de um CSV, que é o corpo (até 1 MiB e 5.000 linhas): todas as linhas ou nenhuma; simular=sim só confere',
    access: 'plans',
    upload: true,
    query: z.strictObject({ simular: z.optional(z.enum(['sim'])) }),
    reply: PlanImport,
    refusals: [
      'upload_header_missing',
      'upload_unexpected',
      'unsupported_media_type',
      'upload_empty',
      'upload_too_large',
      'upload_broken',
      'plans_refused',
      'changed_meanwhile',
    ],
  }),
}
