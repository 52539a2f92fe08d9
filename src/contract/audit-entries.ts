import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, optionalText } from './values.ts'

/** The kinds of entry an administrator can filter by, each with its actions. */
export const auditGroups = {
  pendencias: ['corrected', 'marked_delivered', 'discarded', 'resent', 'retained_taken', 'retained_discarded'],
  qualidade: [
    'recorded_below_limit',
    'release_given',
    'plan_created',
    'plan_approved',
    'plan_ended',
    'plans_imported',
    'instrument_changed',
    'limits_set',
    'cause_noted',
    'measurement_invalidated',
    'measurement_taken_back',
    'occurrence_treated',
    'scrap_undone',
    'scrap_reason_changed',
    'containment_opened',
    'containment_window_changed',
    'containment_decided',
    'containment_closed',
    'containment_reopened',
    'containment_followed',
    'containment_printed',
  ],
  manutencao: [
    'limit_changed',
    'maintenance_scheduled',
    'counter_reset',
    'part_mounted',
    'part_replaced',
    'part_removed',
    'task_created',
    'task_changed',
    'task_run',
    'call_resolved',
    'call_cancelled',
  ],
  cadastros: ['pair_created', 'pair_changed', 'pair_deleted'],
  documentos: [
    'document_added',
    'document_revised',
    'document_changed',
    'revision_renamed',
    'revision_withdrawn',
    'revision_restored',
  ],
  usuarios: [
    'user_created',
    'user_changed',
    'password_set',
    'session_ended',
    'badge_issued',
    'badge_revoked',
    'badge_unblocked',
    'pin_set',
    'station_enrolled',
    'station_removed',
    'board_enrolled',
    'board_removed',
  ],
  configuracao: [
    'settings_changed',
    'directory_tested',
    'log_cleared',
    'log_tested',
    'epoch_begun',
    'epoch_doubt_dismissed',
  ],
  exportacoes: ['exported'],
  acessos: ['logged_in', 'login_failed', 'login_throttled', 'logged_out', 'session_over', 'access_refused'],
  exportacoes_tela: ['page_exported'],
} as const

export type AuditGroup = keyof typeof auditGroups
export const AuditGroup = z.enum(Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]])
export type AuditAction = (typeof auditGroups)[AuditGroup][number]
export type AccessAction = (typeof auditGroups)['acessos'][number]
const auditActions: readonly AuditAction[] = Object.values(auditGroups).flat()

const auditSubjects = [
  'recording',
  'counter',
  'call',
  'task',
  'applicator',
  'sealing_station',
  'document',
  'control_plan',
  'instrument',
  'series',
  'measurement',
  'release',
  'finding',
  'scrap',
  'scrap_reason',
  'containment',
  'user',
  'session',
  'station',
  'settings',
  'log',
  'file',
  'address',
] as const
export type AuditSubject = (typeof auditSubjects)[number]

export const AuditEntry = z.strictObject({
  id: z.int(),
  at: Instant,
  userName: z.string(),
  action: z.enum(auditActions),
  subject: z.strictObject({ kind: z.enum(auditSubjects), id: z.string() }),
  reason: z.nullable(z.string()),
  /** JSON of what it was before and is since, as far as that says anything. */
  details: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AUDIT_ENTRIES_MAX = 500

/** The files that pages make themselves, from what they show. */
const pageExports = [
  'historico_alteracoes',
  'relatorio_producao',
  'grafico_producao',
  'grafico_crimpagens',
  'grafico_cep',
  'log_dispositivo',
  'log_servidor',
] as const
export type PageExport = (typeof pageExports)[number]

/** Entries of 'qualidade' are read by whoever has `plans`, the others by administrators alone. */
export const QUALITY_GROUP = 'qualidade' satisfies AuditGroup

/** Both moments belong to the period. `tipo`: without it all but what pages say of themselves. `texto`: anywhere in an entry. */
const filter = {
  inicio: z.optional(Instant),
  fim: z.optional(Instant),
  tipo: z.optional(AuditGroup),
  texto: z.optional(optionalText(100)),
}

export const auditEntries = {
  list: endpoint({
    path: '/api/auditoria',
    summary: `Trilha de auditoria, o mais novo primeiro, até ${AUDIT_ENTRIES_MAX} linhas`,
    access: 'plans',
    heavy: true,
    query: z.strictObject(filter),
    reply: z.array(AuditEntry),
    refusals: ['period_reversed', 'not_allowed'],
  }),
  csv: endpoint({
    path: '/api/auditoria/csv',
    summary: 'Trilha de auditoria, todas as linhas do filtro, como planilha',
    access: 'plans',
    heavy: true,
    query: z.strictObject(filter),
    reply: z.string(),
    file: 'text/csv; charset=utf-8',
    refusals: ['period_reversed', 'not_allowed'],
  }),
  /** Its own word, which nobody can check: so no text of its own, and few lines however often it is said. */
  noteExport: endpoint({
    method: 'POST',
    path: '/api/auditoria/exportacoes',
    summary: 'Registra na trilha de auditoria um arquivo que a própria tela gerou',
    access: 'read',
    body: z.strictObject({ tipo: z.enum(pageExports) }),
    reply: z.strictObject({ tipo: z.enum(pageExports) }),
    statuses: [201],
  }),
}
