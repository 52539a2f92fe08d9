import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { writtenName } from './names.ts'
import { Day, Instant, mustSay, optionalLines, optionalText, saying, text } from './values.ts'

/** A limit that is never reached. */
export const UNLIMITED = -1
export const LIMIT_CRIMPS_DEFAULT = 100_000
export const LIMIT_CRIMPS_MAX = 1_000_000_000
export const SERVICE_ORDER_MAX = 999_999_999
export const COMMENTS_LENGTH_MAX = 1000
/** Parts that are mounted or replaced by one call. */
export const PARTS_AT_ONCE_MAX = 20
const ROW_ID_MAX = 1_000_000_000_000
/** Older entries stay in the database and are not listed. */
export const HISTORY_ENTRIES_MAX = 10_000

const LimitOfCrimps = z.int().check(
  z.minimum(UNLIMITED),
  z.maximum(LIMIT_CRIMPS_MAX),
  z.refine((limit) => limit !== 0, 'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado'),
)
const ServiceOrder = z.int().check(z.minimum(1), z.maximum(SERVICE_ORDER_MAX))
const Comments = optionalLines(COMMENTS_LENGTH_MAX)

const forecastStates = ['previsto', 'atingido', 'ilimitado', 'sem-previsao', 'mais-de-um-ano'] as const

/** When a tool will reach its limit. */
export const Forecast = z.strictObject({
  estado: z.enum(forecastStates),
  /** Both null but where it is `previsto`. */
  dia: z.nullable(z.string()),
  emDias: z.nullable(z.int()),
  /** Few days of work speak for it. */
  aproximada: z.boolean(),
})
export type Forecast = z.infer<typeof Forecast>

export const partKinds = ['crimpador-condutor', 'crimpador-isolante', 'bigorna', 'cortador', 'outra'] as const
export type PartKind = (typeof partKinds)[number]
export const PART_CODE_LENGTH_MAX = 60

/** A part that is mounted in a tool and wears by itself. */
export const WearPart = z.strictObject({
  id: z.int(),
  kind: z.enum(partKinds),
  code: z.string(),
  /** Crimps of this very part, on other tools too. */
  numberOfCrimps: z.int(),
  limitOfCrimps: z.int(),
  mountedAt: Instant,
  previsao: Forecast,
})
export type WearPart = z.infer<typeof WearPart>

export const removalReasons = ['gasta', 'quebrada', 'preventiva', 'ajuste'] as const
export type RemovalReason = (typeof removalReasons)[number]

/** A new part: its code, how much it may, and what it has crimped on another tool. */
export const newPartFields = {
  code: writtenName(PART_CODE_LENGTH_MAX, 'Informe o código da peça'),
  limitOfCrimps: LimitOfCrimps,
  usedBefore: z.int().check(z.minimum(0), z.maximum(LIMIT_CRIMPS_MAX)),
}
/** The part that comes in, and why the old one goes. */
export const replacementFields = { ...newPartFields, reason: z.enum(removalReasons) }

const ReplacedPart = z.strictObject({ id: z.int().check(z.minimum(1), z.maximum(ROW_ID_MAX)), ...replacementFields })
/** Left out where none were. */
export const replacedParts = z.optional(z.array(ReplacedPart).check(z.minLength(1), z.maxLength(PARTS_AT_ONCE_MAX)))

/** A mini applicator as a tool that wears: what it has crimped since its last maintenance, and how much it may. */
export const CrimpCounter = z.strictObject({
  miniaplicator: z.string(),
  numberOfCrimps: z.int(),
  /** `UNLIMITED`, or from 1. */
  limitOfCrimps: z.int(),
  associatedTerminals: z.array(z.string()),
  /** The scheduled maintenance; all three are null until there is one. */
  serviceOrder: z.nullable(z.int()),
  maintenanceDate: z.nullable(z.string()),
  comments: z.nullable(z.string()),
  /** Over all cycles; a reset leaves it as it is. */
  lifetimeCrimps: z.int(),
  /** Counts what people change: the crimps are not part of it. */
  version: z.int(),
  /** Since when its newest maintenance record declares it unsafe. Servers of the version before leave these out. */
  unsafeSince: z.optional(z.nullable(Instant)),
  previsao: z.optional(Forecast),
  pecas: z.optional(z.array(WearPart)),
})
export type CrimpCounter = z.infer<typeof CrimpCounter>

export const CrimpCounterList = z.strictObject({
  controlTable: z.array(CrimpCounter),
  /** Units of `controlTable` that need maintenance. */
  maintenancePreSchedule: z.array(CrimpCounter),
  controlTableCount: z.int(),
  maintenancePreScheduleCount: z.int(),
  /** All units, whatever the filter. */
  totalCount: z.int(),
})
export type CrimpCounterList = z.infer<typeof CrimpCounterList>

export const safetyConditions = ['segura', 'segura-com-restricoes', 'insegura'] as const
export type SafetyCondition = (typeof safetyConditions)[number]
export const SERVICE_LENGTH_MAX = 1000
export const PARTS_LENGTH_MAX = 500

/** The record of a maintenance that NR-12 (12.11) asks for; a plant may keep it elsewhere. */
export const MaintenanceRecord = z.strictObject({
  serviceDone: optionalLines(SERVICE_LENGTH_MAX).check(mustSay('Informe o serviço realizado')),
  /** Repaired or replaced; empty when there were none. */
  parts: optionalLines(PARTS_LENGTH_MAX),
  /** The responsible person's verdict on the tool's safety. */
  safetyCondition: z.enum(safetyConditions),
  responsible: saying(NAME_LENGTH_MAX, 'Informe o responsável'),
})
export type MaintenanceRecord = z.infer<typeof MaintenanceRecord>

export const changes = ['limit', 'schedule', 'reset', 'task'] as const

/** A unit as it was before somebody changed it. */
export const CrimpHistoryEntry = z.strictObject({
  id: z.int(),
  miniaplicator: z.string(),
  numberOfCrimps: z.int(),
  limitOfCrimps: z.int(),
  updateDate: Instant,
  serviceOrder: z.nullable(z.int()),
  maintenanceDate: z.nullable(z.string()),
  comments: z.nullable(z.string()),
  change: z.enum(changes),
  changedBy: z.string(),
  maintenanceRecord: z.nullable(MaintenanceRecord),
})
export type CrimpHistoryEntry = z.infer<typeof CrimpHistoryEntry>

const Schedule = z.strictObject({
  miniaplicator: text(NAME_LENGTH_MAX),
  serviceOrder: ServiceOrder,
  maintenanceDate: Day,
  comments: Comments,
  maintenanceRecord: z.optional(MaintenanceRecord),
})

const Key = z.strictObject({ miniaplicator: text(NAME_LENGTH_MAX) })
const Filter = z.strictObject({ filter: z.optional(optionalText(NAME_LENGTH_MAX)) })

/** Fixed paths first: a router must not take them for the name of a unit. */
export const crimpCounters = {
  list: endpoint({
    path: '/api/crimpagens',
    summary: 'Contadores de crimpagens por mini aplicador',
    access: 'read',
    suffices: 'cookie',
    query: Filter,
    reply: CrimpCounterList,
    live: ['crimp-counters', 'wear-parts'],
  }),
  history: endpoint({
    path: '/api/crimpagens/history',
    summary: 'Histórico de alterações, o mais novo primeiro',
    access: 'read',
    suffices: 'cookie',
    reply: z.array(CrimpHistoryEntry),
    live: ['crimp-history'],
  }),
  exportCsv: endpoint({
    path: '/api/crimpagens/export-csv',
    summary: 'Arquivo CSV dos mini aplicadores que aguardam agendamento',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: Filter,
  }),
  exportMaintenanceRecords: endpoint({
    path: '/api/crimpagens/maintenance-records/export-csv',
    summary: 'Arquivo CSV dos registros de manutenção (NR-12)',
    access: 'read',
    heavy: true,
    ...csvAnswer,
  }),
  maintenancePending: endpoint({
    path: '/api/crimpagens/maintenance-pending',
    summary: 'Mini aplicadores que precisam de manutenção',
    access: 'read',
    suffices: 'cookie',
    reply: z.array(CrimpCounter),
  }),
  maintenancePendingCount: endpoint({
    path: '/api/crimpagens/maintenance-pending/count',
    summary: 'Quantos mini aplicadores precisam de manutenção, e quantos há',
    access: 'read',
    suffices: 'cookie',
    reply: z.strictObject({ count: z.int(), totalCount: z.int() }),
    live: ['crimp-counters'],
  }),
  get: endpoint({
    path: '/api/crimpagens/:miniaplicator',
    summary: 'O contador de um mini aplicador',
    access: 'read',
    suffices: 'cookie',
    params: Key,
    reply: CrimpCounter,
    refusals: ['not_found'],
  }),
  setLimit: endpoint({
    method: 'PUT',
    path: '/api/crimpagens/:miniaplicator/limit',
    summary: 'Altera o limite de crimpagens (-1: ilimitado)',
    access: 'limits',
    suffices: 'cookie',
    params: Key,
    body: z.strictObject({ miniaplicator: text(NAME_LENGTH_MAX), limitOfCrimps: LimitOfCrimps }),
    reply: CrimpCounter,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  schedule: endpoint({
    method: 'PUT',
    path: '/api/crimpagens/:miniaplicator/schedule',
    summary: 'Agenda a manutenção de um mini aplicador',
    access: 'tools',
    suffices: 'cookie',
    params: Key,
    body: Schedule,
    reply: CrimpCounter,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile', 'maintenance_in_past'],
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/crimpagens/:miniaplicator/reset',
    summary: 'Zera o contador depois da manutenção e abre um novo ciclo',
    access: 'limits',
    suffices: 'cookie',
    params: Key,
    body: z.union([
      z.strictObject({
        miniaplicator: text(NAME_LENGTH_MAX),
        newLimitOfCrimps: LimitOfCrimps,
        maintenanceRecord: z.optional(MaintenanceRecord),
        replacedParts,
      }),
      z.strictObject({
        miniaplicator: text(NAME_LENGTH_MAX),
        limitOfCrimps: LimitOfCrimps,
        serviceOrder: z.nullable(ServiceOrder),
        maintenanceDate: z.nullable(Day),
        comments: z.nullable(Comments),
        maintenanceRecord: z.optional(MaintenanceRecord),
        replacedParts,
      }),
    ]),
    reply: CrimpCounter,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile', 'part_removed', 'part_mounted'],
  }),
}
