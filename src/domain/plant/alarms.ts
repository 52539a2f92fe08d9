import type { DirectoryFault, DiskFolder, ErpFault } from '../../contract/health.ts'
import { WAITING_ALARM_MS } from '../../contract/settings.ts'
import { directoryFaults } from '../people/directory-faults.ts'
import { isCalibrationDue } from '../quality/instruments.ts'
import { commandText, machinesText } from './commands.ts'
import { type EpochCause, epochCauseTexts } from './epochs.ts'
import { dayText } from './plant-time.ts'

export type CertificateLife = { beginsAt?: number; endsAt: number }

/** One server's view of the company's directory. */
export type DirectoryFacts = {
  /** Null while it answers, and before it was asked. */
  awaySince: number | null
  lastOkAt: number | null
  fault: { reason: DirectoryFault; at: number } | null
  /** Access of the service account; `unknown`: it was not tried since the start. */
  access: 'ok' | 'refused' | 'unknown'
}

/** One server's report on itself and on what it depends on. Instants are epoch milliseconds. */
export type ServerFacts = {
  /** Host and port: two servers of a plant differ in it. */
  server: string
  /** The operating system's account that it runs as. Left out by a server of the version before, which knows no subjects. */
  account?: string
  /** The program: number and commit. */
  version: string
  /** Day of its commit. Left out by a server of the version before. */
  day?: string
  /** Which page it hands out; null without one. Left out as `day` is. */
  page?: string | null
  startedAt: number
  /** When this was read. */
  readAt: number
  erp: {
    /** Null while it answers. */
    awaySince: number | null
    latencyMs: number | null
    /** Why it last gave no answer, by the class of the failure. */
    fault: { reason: ErpFault; at: number } | null
    /** `unknown`: no login was tried since the start. */
    access: 'ok' | 'refused' | 'unknown'
    /** False: nobody has named an ERP yet. Left out by a server of the version before. */
    isConfigured?: boolean
  }
  /** Null: there is none. Left out by a server of the version before. */
  directory?: DirectoryFacts | null
  disks: { folder: DiskFolder; freeBytes: number; totalBytes: number }[]
  /** Folders that cannot be written, with a sentence for an administrator. Left out by a server of the version before. */
  folders?: { folder: DiskFolder; text: string }[]
  backup: { newestAt: number | null; triedOutAt: number | null }
  /** `beginsAt` is left out by a server of the version before. */
  certificates: ({ of: 'erp' | 'panel' } & CertificateLife)[]
  clock: { apartMs: number; isTrusted: boolean }
  /** This server tells teams that are called apart. Left out by a server of the version before. */
  knowsCallTeams?: boolean
}

/** The facts of the plant at one moment. A server that has stopped reporting is not among them. */
export type PlantFacts = {
  now: number
  oldestWaitingAt: number | null
  oldestRetainedAt: number | null
  /** Recordings of the last day that a plan would have blocked, where nobody could ask for a release. */
  blocksPassed: number
  /** Last day of each gauge's calibration; null: nobody knows it, or the gauge is used no more. */
  calibrations: readonly { code: string; untilDay: string | null }[]
  /** Today at the plant. */
  today: string
  /** Samples of the last day outside their plan of which nobody has done anything for too long. */
  outsideUnanswered: number
  /** Since when a device says that the database lacks something; null: none does. */
  doubtedAt: number | null
  /** When the present epoch began after another, and why. */
  epochBegun: { at: number; why: EpochCause } | null
  /** The database has worked with an ERP. */
  hadErp: boolean
  /** A demonstration needs none. */
  needsBackup: boolean
  servers: readonly ServerFacts[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const DIRECTORY_AWAY_MS = 5 * MINUTE_MS
const ERP_AWAY_MS = 5 * MINUTE_MS
const RETAINED_MS = HOUR_MS
const BACKUP_AGE_MS = 26 * HOUR_MS
const DISK_FREE_SHARE = 0.1
const CERTIFICATE_MS_MAX = 30 * DAY_MS
const CLOCK_APART_MS = 30_000

const countText = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

const ageText = (ms: number): string => {
  if (ms < 2 * HOUR_MS) return countText(Math.max(0, Math.floor(ms / MINUTE_MS)), 'minuto', 'minutos')
  if (ms < 2 * DAY_MS) return countText(Math.floor(ms / HOUR_MS), 'hora', 'horas')
  return countText(Math.floor(ms / DAY_MS), 'dia', 'dias')
}

const folderTexts: Record<DiskFolder, string> = { data: 'dados', documents: 'documentos', backups: 'backups' }

/** On, with what a person reads of it and is to do; off; or not to be told apart now, and so as it was before. */
type Judgement = { isOn: true; text: string; advice?: string } | { isOn: false } | { isOn: null }
/**
 * The judgement of one subject, which begins and ends by itself: a server, or a part of it as `painel1:3000 erp`. Empty
 * where a kind is about the whole plant.
 */
export type Judged = Judgement & { subject: string }

const off: Judgement = { isOn: false }
const unknown: Judgement = { isOn: null }
const on = (text: string, advice = ''): Judgement => ({ isOn: true, text, advice })

/** Each part of each server by itself; '' is the server. A text with a command names its machine, be it the only one. */
const ofParts = (
  { servers }: PlantFacts,
  judge: (server: ServerFacts) => readonly (readonly [part: string, judgement: Judgement])[],
  isAlwaysNamed = false,
): Judged[] =>
  servers.flatMap((server) =>
    judge(server).map(([part, judgement]) => {
      const subject = part === '' ? server.server : `${server.server} ${part}`
      const isNamed = isAlwaysNamed || servers.length > 1
      if (judgement.isOn !== true || !isNamed) return { subject, ...judgement }
      return { subject, ...judgement, text: `${server.server}: ${judgement.text}` }
    }),
  )

const ofServers = (facts: PlantFacts, judge: (server: ServerFacts) => Judgement): Judged[] =>
  ofParts(facts, (server) => [['', judge(server)]])

/** The sentences of several subjects, a line each, for one may end with a command; then each piece of advice once. */
export function textOf(judged: readonly Judged[]): string {
  const begun = judged.flatMap((one) => (one.isOn === true ? [one] : []))
  const advice = new Set(begun.flatMap((one) => one.advice || []))
  return [...begun.map(({ text }) => text), ...advice].join('\n')
}

/** One in trouble is enough to wake somebody; none is where there is no such thing, as certificates without https. */
export function isAnyOn(judged: readonly Judged[]): boolean | null {
  if (judged.some(({ isOn }) => isOn === true)) return true
  return judged.every(({ isOn }) => isOn === false) ? false : null
}

const partTexts: Record<string, string> = {
  ...folderTexts,
  ...({ erp: 'do ERP', panel: 'do painel' } satisfies Record<ServerFacts['certificates'][number]['of'], string>),
}

/** Empty where a kind is about the whole plant, or about its only server. */
export function subjectText(subject: string, servers: readonly Pick<ServerFacts, 'server'>[]): string {
  const [server = '', part = ''] = subject.split(' ')
  const isOnly = servers.length === 1 && servers[0]?.server === server
  return [isOnly ? '' : server, partTexts[part] ?? part].filter(Boolean).join(', ')
}

const longerThan = (at: number | null, now: number, limitMs: number, text: (age: string) => string): Judgement =>
  at !== null && now - at > limitMs ? on(text(ageText(now - at))) : off

function judgeBackup({ now, needsBackup, servers }: PlantFacts): Judgement {
  if (!needsBackup) return off
  if (servers.length === 0) return unknown
  // one server of several may be the one that makes them
  const newestAt = Math.max(...servers.map(({ backup }) => backup.newestAt ?? 0))
  const [closed] = servers.flatMap((server) =>
    (server.folders ?? []).flatMap(({ folder, text }) => (folder === 'backups' ? [{ server, text }] : [])),
  )
  const why = (otherwise: string) => (closed ? `Em ${machinesText([closed.server])}: ${closed.text}` : otherwise)
  if (newestAt === 0) {
    const first = `Ligue o backup diário, e faça o primeiro: ${commandText('backup', servers)}.`
    return on(`Ainda não há backup. ${why(first)}`)
  }
  const look = `Veja no diário de ${machinesText(servers)} o que falhou.`
  return longerThan(newestAt, now, BACKUP_AGE_MS, (age) => `O último backup tem ${age}. ${why(look)}`)
}

/** DATA_DIR is not among them: without it nothing runs. */
const judgeFolders = ({ folders = [] }: ServerFacts) =>
  (['documents', 'backups'] as const).map((folder) => {
    const closed = folders.find((one) => one.folder === folder)
    return [folder, closed ? on(closed.text) : off] as const
  })

const judgeDisks = ({ disks }: ServerFacts) =>
  disks.map(({ folder, freeBytes, totalBytes }) => {
    if (freeBytes >= totalBytes * DISK_FREE_SHARE) return [folder, off] as const
    const freeText = `${Math.floor((freeBytes / totalBytes) * 100)}% livres`
    const text = `Pouco espaço no disco da pasta de ${folderTexts[folder]} (${freeText}).`
    return [folder, on(text, 'Libere espaço.')] as const
  })

/** As Node has the dates of one; null where it names no end. */
export function certificateLife({ valid_from, valid_to }: { valid_from: string; valid_to: string }) {
  const [beginsAt, endsAt] = [Date.parse(valid_from), Date.parse(valid_to)]
  if (Number.isNaN(endsAt)) return null
  const life: CertificateLife = Number.isNaN(beginsAt) ? { endsAt } : { beginsAt, endsAt }
  return life
}

/**
 * How long before its end a certificate is an alarm: a sixth of its life, at most 30 days. What renews itself does so when a
 * third is left, so it is none until that has failed.
 */
export function certificateAlarmMs({ beginsAt, endsAt }: CertificateLife): number {
  const isKnown = beginsAt !== undefined && beginsAt < endsAt
  return isKnown ? Math.min((endsAt - beginsAt) / 6, CERTIFICATE_MS_MAX) : CERTIFICATE_MS_MAX
}

const judgeCertificates = ({ certificates }: ServerFacts, now: number) =>
  certificates.map(({ of, ...life }) => {
    const leftMs = life.endsAt - now
    if (leftMs >= certificateAlarmMs(life)) return [of, off] as const
    const when = leftMs <= 0 ? 'venceu' : `vence em ${ageText(leftMs)}`
    const advice = 'Renove-o; se ele se renova sozinho, veja por que parou.'
    return [of, on(`O certificado ${partTexts[of]} ${when}.`, advice)] as const
  })

function judgeClock({ clock: { apartMs, isTrusted } }: ServerFacts): Judgement {
  if (apartMs > CLOCK_APART_MS) {
    const apartText = `${Math.round(apartMs / 1000)} segundos`
    return on(`O relógio do servidor e o do banco diferem em ${apartText}.`, 'Acerte-os por NTP.')
  }
  if (isTrusted) return off
  return on('O relógio está muito à frente da última hora conhecida.', 'Confira-o; nada é apagado por ele.')
}

/** After a start nobody knows since when it has been away. */
function judgeReach({ erp: { awaySince } }: ServerFacts, now: number): Judgement {
  if (awaySince === null) return off
  if (now - awaySince <= ERP_AWAY_MS) return unknown
  return on(`O ERP não responde há ${ageText(now - awaySince)}.`, 'O que é apontado fica guardado e segue depois.')
}

function judgeAccess({ erp: { access, isConfigured } }: ServerFacts): Judgement {
  if (access === 'refused')
    return on('O ERP recusa o usuário do painel.', 'Veja-o em Instalação, ou ERP_USER e ERP_PASSWORD.')
  return access === 'ok' || isConfigured === false ? off : unknown
}

/** A new plant has named none yet, and a server of the version before does not say. */
function judgeMissing({ erp: { isConfigured } }: ServerFacts, hadErp: boolean): Judgement {
  if (!hadErp || isConfigured !== false) return off
  return on(
    'Falta o endereço, o usuário ou a senha do ERP, e este banco já trabalhou com um: nada é enviado.',
    'O que é apontado fica guardado. Complete o ERP em Instalação, ou ERP_URL, ERP_USER e ERP_PASSWORD.',
  )
}

function judgeDirectoryReach({ directory }: ServerFacts, now: number): Judgement {
  if (!directory) return off
  const { awaySince, lastOkAt, fault } = directory
  if (awaySince === null) return lastOkAt === null ? unknown : off
  if (now - awaySince <= DIRECTORY_AWAY_MS) return unknown
  const text = `O diretório da empresa não responde há ${ageText(now - awaySince)}: só usuários locais entram.`
  return on(text, fault === null ? '' : directoryFaults[fault.reason].sentence)
}

function judgeDirectoryAccess({ directory }: ServerFacts): Judgement {
  if (directory?.access === 'refused') return on(directoryFaults.account.sentence)
  return directory?.access === 'unknown' ? unknown : off
}

/** A subject for each instrument. Blanks of its code become fixed ones: `subjectText` splits a subject at the first blank. */
const judgeCalibrations = ({ calibrations, today }: PlantFacts): Judged[] =>
  calibrations.map(({ code, untilDay }) => {
    const subject = code.replace(/\s+/gu, '\u00a0')
    if (untilDay === null || !isCalibrationDue(untilDay, today)) return { subject, ...off }
    const when = untilDay < today ? `venceu em ${dayText(untilDay)}` : `vence em ${dayText(untilDay)}`
    const advice = 'Mande calibrar; depois mude o dia em Planos de Controle, Instrumentos.'
    return { subject, ...on(`A calibração do instrumento ${code} ${when}.`, advice) }
  })

/** Whom the panel wakes: what each is called, and when it is on: the plant, or each of its servers or their parts. */
export const alarms = {
  erp_away: {
    name: 'ERP fora do ar',
    judge: (facts) => ofServers(facts, (server) => judgeReach(server, facts.now)),
  },
  erp_refused: { name: 'ERP recusa o painel', judge: (facts) => ofServers(facts, judgeAccess) },
  erp_missing: {
    name: 'ERP não configurado',
    judge: (facts) => ofServers(facts, (server) => judgeMissing(server, facts.hadErp)),
  },
  directory_away: {
    name: 'Diretório fora do ar',
    judge: (facts) => ofServers(facts, (server) => judgeDirectoryReach(server, facts.now)),
  },
  directory_refused: {
    name: 'Diretório recusa o painel',
    judge: (facts) => ofServers(facts, judgeDirectoryAccess),
  },
  oldest_waiting: {
    name: 'Apontamento espera o ERP',
    judge: ({ oldestWaitingAt, now }) =>
      longerThan(
        oldestWaitingAt,
        now,
        WAITING_ALARM_MS,
        (age) => `Um apontamento espera o ERP há ${age}. Nada se perde; veja Pendências.`,
      ),
  },
  retained: {
    name: 'Apontamentos retidos',
    judge: ({ oldestRetainedAt, now }) =>
      longerThan(
        oldestRetainedAt,
        now,
        RETAINED_MS,
        (age) => `Um apontamento retido espera um administrador há ${age}. Decida em Pendências.`,
      ),
  },
  plan_blocks_passed: {
    name: 'Bloqueios sem rede',
    judge: ({ blocksPassed }) =>
      blocksPassed > 0
        ? on(
            `${countText(blocksPassed, 'apontamento passou', 'apontamentos passaram')} sem rede pelo bloqueio do plano de controle nas últimas 24 horas. Veja Ocorrências em Planos de Controle.`,
          )
        : off,
  },
  calibration_due: { name: 'Calibração vence', judge: judgeCalibrations },
  sample_outside: {
    name: 'Medição fora sem resposta',
    judge: ({ outsideUnanswered }) =>
      outsideUnanswered > 0
        ? on(
            `${countText(outsideUnanswered, 'medição', 'medições')} fora do plano sem resposta há mais de 15 minutos. Veja Ocorrências em Planos de Controle.`,
          )
        : off,
  },
  database_doubted: {
    name: 'Algo falta no banco',
    judge: ({ doubtedAt, now }) =>
      doubtedAt === null
        ? off
        : on(
            `Um dispositivo mostrou há ${ageText(now - doubtedAt)} trabalho que este banco não tem. Cada envio é antes conferido no ERP. Veja Sistema.`,
          ),
  },
  epoch_begun: {
    name: 'Banco voltou no tempo',
    judge: ({ epochBegun, now }) =>
      epochBegun === null || now - epochBegun.at > DAY_MS
        ? off
        : on(
            `Uma nova época começou há ${ageText(now - epochBegun.at)}: ${epochCauseTexts[epochBegun.why]}. Os tablets oferecem de novo o que tinham.`,
          ),
  },
  backup_old: { name: 'Backup velho', judge: judgeBackup },
  disk_low: { name: 'Disco quase cheio', judge: (facts) => ofParts(facts, judgeDisks) },
  folder_closed: { name: 'Pasta sem acesso', judge: (facts) => ofParts(facts, judgeFolders, true) },
  certificate_ends: {
    name: 'Certificado vence',
    judge: (facts) => ofParts(facts, (server) => judgeCertificates(server, facts.now)),
  },
  clock: { name: 'Relógio errado', judge: (facts) => ofServers(facts, judgeClock) },
} as const satisfies Record<string, { name: string; judge: (facts: PlantFacts) => Judgement | Judged[] }>

export type AlarmKind = keyof typeof alarms
export const alarmKinds = Object.keys(alarms) as AlarmKind[]

/** Subject by subject. */
export function judgeAlarm(kind: AlarmKind, facts: PlantFacts): Judged[] {
  const judged = alarms[kind].judge(facts)
  return Array.isArray(judged) ? judged : [{ subject: '', ...judged }]
}
