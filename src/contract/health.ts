import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { USERNAME_LENGTH_MAX } from './sessions.ts'
import { Instant, Role, text } from './values.ts'

/** Why the ERP gave no answer: `not_erp` is a proxy, or an ERP of another sort. */
export const erpFaults = ['unreachable', 'timeout', 'broken', 'not_erp'] as const
export type ErpFault = (typeof erpFaults)[number]

/** Why the company's directory was of no use; `src/domain/people/directory-faults.ts` says each in a sentence. */
const directoryFaultNames = [
  'unknown_name',
  'unreachable',
  'timeout',
  'broken',
  'certificate',
  'no_tls',
  'busy',
  'needs_tls',
  'account',
  'paused',
  'base',
  'rights',
  'search',
  'nobody',
] as const
export type DirectoryFault = (typeof directoryFaultNames)[number]

export const diskFolders = ['data', 'documents', 'backups'] as const
export type DiskFolder = (typeof diskFolders)[number]

export const alarmChannels = ['webhook', 'mail'] as const
export type AlarmChannelName = (typeof alarmChannels)[number]

const Server = z.strictObject({
  /** Host and port. */
  server: z.string(),
  version: z.string(),
  /** The day of its commit; null from a server of the version before. */
  day: z.nullable(z.string()),
  /** Which page it hands out; null where none is built, and as `day`. */
  page: z.nullable(z.string()),
  startedAt: Instant,
  erp: z.strictObject({
    /** Null while it answers. */
    awaySince: z.nullable(Instant),
    latencyMs: z.nullable(z.int()),
    fault: z.nullable(z.strictObject({ reason: z.enum(erpFaults), at: Instant })),
    access: z.enum(['ok', 'refused', 'unknown']),
    /** False: nobody has named an ERP yet. */
    isConfigured: z.boolean(),
  }),
  /** Null: all users are local. */
  directory: z.nullable(
    z.strictObject({
      /** Null while it answers, and before it was asked. */
      awaySince: z.nullable(Instant),
      lastOkAt: z.nullable(Instant),
      fault: z.nullable(z.strictObject({ reason: z.enum(directoryFaultNames), at: Instant })),
      /** Access of the service account. */
      access: z.enum(['ok', 'refused', 'unknown']),
    }),
  ),
  disks: z.array(z.strictObject({ folder: z.enum(diskFolders), freeBytes: z.number(), totalBytes: z.number() })),
  certificates: z.array(z.strictObject({ of: z.enum(['erp', 'panel']), endsAt: Instant })),
  clock: z.strictObject({ apartMs: z.int(), isTrusted: z.boolean() }),
})

const Tablet = z.strictObject({
  /** As the device names itself; may be empty. */
  name: z.string(),
  /** 'Chrome · Windows'; empty where it is not known. */
  agent: z.string(),
  /** The last user of the device. */
  fullName: z.string(),
  /** Both as the device said them last; null: it has not yet. */
  version: z.nullable(z.string()),
  waiting: z.nullable(z.int()),
  /** To the minute. */
  lastSeenAt: Instant,
})

const Alarm = z.strictObject({
  kind: z.string(),
  name: z.string(),
  /** Null: cannot be told now. */
  isOn: z.nullable(z.boolean()),
  /** Empty unless it is on. */
  text: z.string(),
  since: z.nullable(Instant),
})

export const SystemHealth = z.strictObject({
  version: z.string(),
  database: z.strictObject({ kind: z.enum(['mysql', 'sqlite']), bytes: z.int() }),
  /** Servers that have reported within the last minutes; the one that answers comes first. */
  servers: z.array(Server),
  queue: z.strictObject({ open: z.int(), oldestAt: z.nullable(Instant), needPerson: z.int(), retained: z.int() }),
  /** The newest of all servers. */
  backup: z.strictObject({ newestAt: z.nullable(Instant), triedOutAt: z.nullable(Instant) }),
  tablets: z.array(Tablet),
  /** Names of stations and boards that a version before has enrolled. */
  stationsWithoutSecret: z.array(z.string()),
  alarms: z.array(Alarm),
  /** Where alarms go; `target` null: this one is off. */
  channels: z.array(z.strictObject({ channel: z.enum(alarmChannels), target: z.nullable(z.string()) })),
})
export type SystemHealth = z.infer<typeof SystemHealth>

/** One call to the ERP, as classes and names of fields: what stood in them is for the command line. */
const CheckedCall = z.strictObject({
  name: z.string(),
  branch: z.nullable(z.string()),
  tookMs: z.nullable(z.int()),
  findings: z.array(z.strictObject({ level: z.enum(['wrong', 'notice']), field: z.string(), sentence: z.string() })),
})
export const ErpCheck = z.strictObject({
  calls: z.array(CheckedCall),
  /** False: it took too long, and the rest was left out. */
  isComplete: z.boolean(),
  /** The server that has checked, and the account that it runs as; left out by one of the version before. */
  by: z.optional(z.strictObject({ server: z.string(), account: z.optional(z.string()) })),
})
export type ErpCheck = z.infer<typeof ErpCheck>

/** The steps of a log-in against the directory, until one fails. */
export const DirectoryTrial = z.strictObject({
  /** One person has the name. */
  isFound: z.boolean(),
  /** Role that the person comes in with; null: the person does not come in. */
  role: z.nullable(Role),
  steps: z.array(
    z.strictObject({
      about: z.enum(['connection', 'account', 'person', 'groups', 'role']),
      isGood: z.boolean(),
      text: z.string(),
    }),
  ),
})
export type DirectoryTrial = z.infer<typeof DirectoryTrial>

export const ORDER_LENGTH_MAX = 20

export const health = {
  get: endpoint({
    path: '/api/sistema',
    summary: 'Saúde da instalação: servidores, banco, fila, backup, ERP, tablets e alarmes',
    access: 'administer',
    reply: SystemHealth,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/sistema/avisos/:canal/teste',
    summary: 'Envia um aviso de teste por um canal (webhook ou mail)',
    access: 'administer',
    params: z.strictObject({ canal: z.enum(alarmChannels) }),
    /** `isSent` false is a finding of the test, and no error of this call. */
    reply: z.strictObject({ isSent: z.boolean(), message: z.string() }),
  }),
  checkErp: endpoint({
    method: 'POST',
    path: '/api/sistema/erp/conferencia',
    summary: 'Confere o que o ERP responde sobre uma ordem; só lê',
    access: 'administer',
    body: z.strictObject({ ordem: text(ORDER_LENGTH_MAX) }),
    reply: ErpCheck,
    refusals: ['erp_check_busy', 'erp_unconfigured'],
  }),
  supportFile: endpoint({
    path: '/api/sistema/suporte',
    summary: 'Um arquivo para quem dá suporte; pessoas, endereços e crachás são números nele',
    access: 'administer',
    reply: z.string(),
    file: 'application/json; charset=utf-8',
    refusals: ['support_file_busy'],
  }),
  tryDirectory: endpoint({
    method: 'POST',
    path: '/api/sistema/diretorio/teste',
    summary: 'Testa o diretório da empresa: a conta de serviço, uma pessoa, os grupos dela e o perfil que segue; só lê',
    access: 'administer',
    body: z.strictObject({ usuario: text(USERNAME_LENGTH_MAX) }),
    reply: DirectoryTrial,
    refusals: ['directory_trial_busy', 'directory_unconfigured', 'too_many_attempts'],
  }),
}
