import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { LIMIT_CRIMPS_MAX, MaintenanceRecord } from './crimp-counters.ts'
import { endpoint } from './endpoint.ts'
import { sayingName } from './names.ts'
import { Day, optionalLines, optionalText, RowKey, text } from './values.ts'

export const TASK_NAME_LENGTH_MAX = 80
export const EVERY_DAYS_MAX = 3650
export const RUN_NOTE_LENGTH_MAX = 500
/** The plan lists no more rows than this, the soonest due. */
export const PLAN_ROWS_MAX = 500

/** A task done to a tool again and again: every so many crimps, every so many days, or whichever comes first. */
export const MaintenanceTask = z.strictObject({
  id: z.int(),
  /** Null: all of them. */
  miniaplicator: z.nullable(z.string()),
  name: z.string(),
  /** One of both at least is no null. */
  everyCrimps: z.nullable(z.int()),
  everyDays: z.nullable(z.int()),
  active: z.boolean(),
  version: z.int(),
})
export type MaintenanceTask = z.infer<typeof MaintenanceTask>

const TaskForm = z
  .strictObject({
    miniaplicator: z.optional(text(NAME_LENGTH_MAX)),
    name: sayingName(TASK_NAME_LENGTH_MAX, 'Informe a tarefa'),
    everyCrimps: z.optional(z.int().check(z.minimum(1), z.maximum(LIMIT_CRIMPS_MAX))),
    everyDays: z.optional(z.int().check(z.minimum(1), z.maximum(EVERY_DAYS_MAX))),
    active: z.boolean(),
  })
  .check(
    z.refine(({ everyCrimps, everyDays }) => everyCrimps !== undefined || everyDays !== undefined, {
      error: 'Informe a cada quantas crimpagens, a cada quantos dias, ou os dois',
      path: ['everyCrimps'],
    }),
  )
export type TaskForm = z.infer<typeof TaskForm>

/** A part that wears or a task, with when it comes due on a tool. */
export const PlanRow = z.strictObject({
  miniaplicator: z.string(),
  kind: z.enum(['part', 'task']),
  /** The part's id, or the task's. */
  id: z.int(),
  name: z.string(),
  /** Cut off: 100 means due. */
  usedPercent: z.int(),
  /** The unit it comes due by first. */
  by: z.enum(['crimpagens', 'dias']),
  crimpsLeft: z.nullable(z.int()),
  daysLeft: z.nullable(z.int()),
  /** The first day on which it is due; null where none is known. */
  dueDay: z.nullable(z.string()),
  isDue: z.boolean(),
  /** The day a task was last done. */
  doneDay: z.nullable(z.string()),
})
export type PlanRow = z.infer<typeof PlanRow>

export const TaskRun = z.strictObject({
  miniaplicator: text(NAME_LENGTH_MAX),
  day: Day,
  note: optionalLines(RUN_NOTE_LENGTH_MAX),
  maintenanceRecord: z.optional(MaintenanceRecord),
})
export type TaskRun = z.infer<typeof TaskRun>

export const maintenanceTasks = {
  plan: endpoint({
    path: '/api/ferramentas/plano',
    summary: `O que vence das ferramentas, peças e tarefas, o primeiro antes, até ${PLAN_ROWS_MAX} linhas`,
    access: 'read',
    query: z.strictObject({ filter: z.optional(optionalText(NAME_LENGTH_MAX)) }),
    reply: z.strictObject({ rows: z.array(PlanRow), totalCount: z.int() }),
    live: ['crimp-counters', 'wear-parts'],
  }),
  list: endpoint({
    path: '/api/tarefas-de-manutencao',
    summary: 'Tarefas de manutenção das ferramentas',
    access: 'read',
    reply: z.array(MaintenanceTask),
    live: ['wear-parts'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tarefas-de-manutencao',
    summary: 'Cria uma tarefa de manutenção, de um mini aplicador ou de todos',
    access: 'maintain',
    body: TaskForm,
    reply: MaintenanceTask,
    statuses: [201],
    refusals: ['not_found'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/tarefas-de-manutencao/:id',
    summary: 'Altera uma tarefa de manutenção',
    access: 'maintain',
    params: RowKey,
    body: TaskForm,
    reply: MaintenanceTask,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/tarefas-de-manutencao/:id/execucoes',
    summary: 'Registra que uma tarefa foi feita num mini aplicador, hoje ou antes',
    access: 'maintain',
    params: RowKey,
    body: TaskRun,
    reply: z.strictObject({ id: z.int() }),
    statuses: [201],
    refusals: ['not_found', 'done_in_future'],
  }),
}
