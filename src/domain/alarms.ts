import type { DiskFolder, ErpFault } from '../contract/health.ts'
import { WAITING_ALARM_MS } from '../contract/settings.ts'

/** What one server knows of itself and of what it stands on. Instants are epoch milliseconds. */
export type ServerFacts = {
  /** Host and port: two servers of a plant differ in it. */
  server: string
  /** Of the program: number and commit. */
  version: string
  /** Of its commit. Left out by a server of the version before. */
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
  disks: { folder: DiskFolder; freeBytes: number; totalBytes: number }[]
  /** Those that cannot be written, with a sentence for an administrator. Left out by a server of the version before. */
  folders?: { folder: DiskFolder; text: string }[]
  backup: { newestAt: number | null; triedOutAt: number | null }
  certificates: { of: 'erp' | 'panel'; endsAt: number }[]
  clock: { apartMs: number; isTrusted: boolean }
}

/** What is known of the plant at one moment. A server that reports no more is not in it. */
export type PlantFacts = {
  now: number
  oldestWaitingAt: number | null
  oldestRetainedAt: number | null
  /** Recordings of the last day that a plan would have blocked, where nobody could ask for a release. */
  blocksPassed: number
  /** A demonstration needs none. */
  needsBackup: boolean
  servers: readonly ServerFacts[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const ERP_AWAY_MS = 5 * MINUTE_MS
const RETAINED_MS = HOUR_MS
const BACKUP_AGE_MS = 26 * HOUR_MS
const DISK_FREE_SHARE = 0.1
const CERTIFICATE_MS = 30 * DAY_MS
const CLOCK_APART_MS = 30_000

const countText = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

const ageText = (ms: number): string => {
  if (ms < 2 * HOUR_MS) return countText(Math.max(0, Math.floor(ms / MINUTE_MS)), 'minuto', 'minutos')
  if (ms < 2 * DAY_MS) return countText(Math.floor(ms / HOUR_MS), 'hora', 'horas')
  return countText(Math.floor(ms / DAY_MS), 'dia', 'dias')
}

const folderTexts: Record<DiskFolder, string> = { data: 'dados', documents: 'documentos', backups: 'backups' }

/** On, with what a person reads of it; off; or not to be told apart now, and so as it was before. */
export type Judgement = { isOn: true; text: string } | { isOn: false } | { isOn: null }

const off: Judgement = { isOn: false }
const on = (text: string): Judgement => ({ isOn: true, text })

/** Of several servers, one that is in trouble is enough to wake somebody. */
function anyServer(
  { servers }: PlantFacts,
  judge: (server: ServerFacts) => string | null,
  canTell: (server: ServerFacts) => boolean = () => true,
): Judgement {
  const texts = servers.flatMap((server) => {
    const text = judge(server)
    if (text === null) return []
    return [servers.length > 1 ? `${server.server}: ${text}` : text]
  })
  if (texts.length > 0) return on(texts.join(' '))
  return servers.length > 0 && servers.every(canTell) ? off : { isOn: null }
}

const longerThan = (at: number | null, now: number, limitMs: number, text: (age: string) => string): Judgement =>
  at !== null && now - at > limitMs ? on(text(ageText(now - at))) : off

function judgeBackup({ now, needsBackup, servers }: PlantFacts): Judgement {
  if (!needsBackup) return off
  if (servers.length === 0) return { isOn: null }
  // one server of several may be the one that makes them
  const newestAt = Math.max(...servers.map(({ backup }) => backup.newestAt ?? 0))
  const [closed] = servers.flatMap(({ folders = [] }) => folders.filter(({ folder }) => folder === 'backups'))
  const why = (otherwise: string) => closed?.text ?? otherwise
  if (newestAt === 0) return on(`Ainda não há backup. ${why('Rode npm run backup e ligue o backup diário.')}`)
  return longerThan(
    newestAt,
    now,
    BACKUP_AGE_MS,
    (age) => `O último backup tem ${age}. ${why('Veja o que falhou no diário.')}`,
  )
}

const judgeFolders = ({ folders = [] }: ServerFacts): string | null =>
  folders.length === 0 ? null : folders.map(({ text }) => text).join(' ')

const isFull = ({ freeBytes, totalBytes }: ServerFacts['disks'][number]) => freeBytes < totalBytes * DISK_FREE_SHARE

const judgeDisk = ({ disks }: ServerFacts): string | null => {
  const full = disks.filter(isFull)
  if (full.length === 0) return null
  const parts = full.map(({ folder, freeBytes, totalBytes }) => {
    return `${folderTexts[folder]} (${Math.floor((freeBytes / totalBytes) * 100)}% livres)`
  })
  return `Pouco espaço no disco da pasta de ${parts.join(' e de ')}. Libere espaço.`
}

const judgeCertificates = ({ certificates }: ServerFacts, now: number): string | null => {
  const [ending] = certificates.filter(({ endsAt }) => endsAt - now < CERTIFICATE_MS)
  if (ending === undefined) return null
  const whose = ending.of === 'erp' ? 'do ERP' : 'do painel'
  const when = ending.endsAt <= now ? 'venceu' : `vence em ${ageText(ending.endsAt - now)}`
  return `O certificado ${whose} ${when}. Renove-o.`
}

const judgeClock = ({ clock: { apartMs, isTrusted } }: ServerFacts): string | null => {
  if (apartMs > CLOCK_APART_MS) {
    return `O relógio do servidor e o do banco diferem em ${Math.round(apartMs / 1000)} segundos. Acerte-os por NTP.`
  }
  return isTrusted ? null : 'O relógio está muito à frente da última hora conhecida. Confira-o; nada é apagado por ele.'
}

/** Whom the panel wakes: what each is called, and when it is on. */
export const alarms = {
  erp_away: {
    name: 'ERP fora do ar',
    judge: (facts) =>
      anyServer(
        facts,
        ({ erp: { awaySince } }) =>
          awaySince !== null && facts.now - awaySince > ERP_AWAY_MS
            ? `O ERP não responde há ${ageText(facts.now - awaySince)}. O que é apontado fica guardado e segue depois.`
            : null,
        // after a start nobody knows since when it has been away
        ({ erp }) => erp.awaySince === null,
      ),
  },
  erp_refused: {
    name: 'ERP recusa o painel',
    judge: (facts) =>
      anyServer(
        facts,
        ({ erp }) =>
          erp.access === 'refused'
            ? 'O ERP recusa o usuário do painel. Veja-o em Instalação, ou ERP_USER e ERP_PASSWORD.'
            : null,
        ({ erp }) => erp.access === 'ok' || erp.isConfigured === false,
      ),
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
  backup_old: { name: 'Backup velho', judge: judgeBackup },
  disk_low: { name: 'Disco quase cheio', judge: (facts) => anyServer(facts, judgeDisk) },
  folder_closed: { name: 'Pasta sem acesso', judge: (facts) => anyServer(facts, judgeFolders) },
  certificate_ends: {
    name: 'Certificado vence',
    judge: (facts) => anyServer(facts, (server) => judgeCertificates(server, facts.now)),
  },
  clock: { name: 'Relógio errado', judge: (facts) => anyServer(facts, judgeClock) },
} as const satisfies Record<string, { name: string; judge: (facts: PlantFacts) => Judgement }>

export type AlarmKind = keyof typeof alarms
export const alarmKinds = Object.keys(alarms) as AlarmKind[]

/** What one channel has said of one kind so far. */
export type AlarmState = {
  /** Null: it is off. */
  begunAt: number | null
  /** Whether its present beginning was said. */
  isSaid: boolean
  /** When a beginning was last said. */
  saidAt: number | null
}

export const silent: AlarmState = { begunAt: null, isSaid: false, saidAt: null }

/**
 * Says each beginning once and its end once. A kind that begins again within the hour waits until the hour is over, and is
 * never said when it has ended by then.
 */
export function nextAlarm(
  before: AlarmState,
  isOn: boolean | null,
  now: number,
): { after: AlarmState; message: 'begun' | 'ended' | null } {
  if (isOn === null) return { after: before, message: null }
  if (!isOn) {
    const { begunAt, isSaid } = before
    if (begunAt === null) return { after: before, message: null }
    return { after: { ...before, begunAt: null, isSaid: false }, message: isSaid ? 'ended' : null }
  }
  const after = { ...before, begunAt: before.begunAt ?? now }
  const isTooSoon = before.saidAt !== null && now - before.saidAt < HOUR_MS
  if (before.isSaid || isTooSoon) return { after, message: null }
  return { after: { ...after, isSaid: true, saidAt: now }, message: 'begun' }
}
