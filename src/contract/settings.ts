import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { callTeams, Instant, Role } from './values.ts'

/** The version in footer and dashboard, as the specification fixes it. The program's own is known to its server alone. */
export const SPECIFIED_VERSION = 'v2.0'

/** Where a built page says which one it is: `2.1.0-` and the hash of its content. */
export const PAGE_ID_META = 'pagina'

export const Plant = z.strictObject({ code: z.string(), label: z.string() })
export type Plant = z.infer<typeof Plant>

/** Whose names the indices of capability have. */
export const capabilityNamings = ['aiag-2005', 'aiag-vda-2026'] as const
export type CapabilityNaming = (typeof capabilityNamings)[number]

/** The plant's answer to work outside its plan: note it, ask why, or wait for quality. */
export const planModes = ['observar', 'avisar', 'bloquear'] as const
export type PlanMode = (typeof planModes)[number]

/** Whether a version of a plan holds once it is saved, or once somebody else has approved it. */
export const planApprovals = ['dispensada', 'outra-pessoa'] as const
export type PlanApproval = (typeof planApprovals)[number]

/** Facts of this installation that the screens need. */
export const Settings = z.strictObject({
  siteName: z.string(),
  plants: z.array(Plant),
  timeZone: z.string(),
  /** When they begin, `HH:MM`, in their order. */
  shifts: z.array(z.string()),
  forceUnit: z.string(),
  /** From this share of its limit on a mini applicator is near maintenance. */
  limitWarningPercent: z.int(),
  /** After as many without a touch the session of this device ends; 0: never. */
  idleMinutes: z.int(),
  /** The ERP cannot be asked by id: a lost answer is confirmed by the quantity. */
  confirmsByQuantity: z.boolean(),
  /** Roles that may reset counters and change limits; an administrator always may. */
  limitRoles: z.array(Role),
  capabilityNames: z.enum(capabilityNamings),
  /** The answer to work outside its control plan. */
  planMode: z.enum(planModes),
  /** Left out by a server of the version before, which knows neither approvals nor `digitadoVale`. */
  planApproval: z.optional(z.enum(planApprovals)),
  /** And of work that was measured with a gauge that is not good. Left out by a server of the version before. */
  instrumentMode: z.optional(z.enum(planModes)),
  /**
   * Teams called here, maintenance always. Left out while a server of the version before works here too: it knows no
   * teams.
   */
  callTeams: z.optional(z.array(z.enum(callTeams))),
})
export type Settings = z.infer<typeof Settings>

export const settings = {
  get: endpoint({
    path: '/api/configuracao',
    summary: 'Nome da unidade, filiais e unidade de força desta instalação',
    access: 'board',
    reply: Settings,
    live: ['settings', 'stations'],
  }),
}

/** A recording that waits longer for the ERP than this is a matter for a person. */
export const WAITING_ALARM_MS = 15 * 60_000

export const Status = z.strictObject({
  api: z.literal('online'),
  database: z.enum(['mysql', 'sqlite', 'offline']),
  erp: z.enum(['online', 'offline']),
  /** The ERP is a stand-in to try things with: recordings reach nobody. */
  erpStandIn: z.boolean(),
  /** The ERP may be there and refuse the panel's own user. */
  erpAccess: z.enum(['ok', 'refused']),
  /** Recordings that the ERP has not yet confirmed, plus those that need a person. */
  pending: z.int(),
  /** How many of them only a person can settle. */
  needPerson: z.int(),
  /** The answering program: number and commit. */
  version: z.string(),
  /** The day of that program's commit, `2026-11-26`; may be empty. */
  versionDay: z.string(),
  /**
   * Another one than before: the database is another one, such as a restored backup, and what this tablet had answers
   * for is to be offered again. Null while the database is away.
   */
  epoch: z.nullable(z.string()),
  /** Since when the oldest recording on its way to the ERP has been waiting; null when none is. */
  waitingSince: z.nullable(Instant),
  /** Acts answered before this instant are in two backups that were tried out; null where this server knows of none. */
  coveredUntil: z.nullable(Instant),
  /** False: nobody has named an ERP yet; it is not away. */
  erpConfigured: z.boolean(),
  /** The ERP answers the same to different orders: what waits for it stays, but for one try a minute. */
  sendingPaused: z.optional(z.literal(true)),
})
export type Status = z.infer<typeof Status>

export const status = {
  get: endpoint({
    path: '/api/status',
    summary: 'Indicadores do cabeçalho',
    access: 'public',
    reply: Status,
    live: ['pending-recordings'],
  }),
}
