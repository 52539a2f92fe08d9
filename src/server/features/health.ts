import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type DirectoryTrial, type ErpCheck, health, type SystemHealth } from '../../contract/health.ts'
import {
  alarmKinds,
  alarms,
  isAnyOn,
  judgeAlarm,
  type PlantFacts,
  type ServerFacts,
  textOf,
} from '../../domain/plant/alarms.ts'
import { MINUTE_MS, toInstant } from '../../domain/plant/plant-time.ts'
import { bind } from '../http/bind.ts'
import { accountOf } from '../http/login.ts'
import { Refused, refusedFor } from '../http/refused.ts'
import type { Call, CheckedCall, Context } from '../panel.ts'
import { listAlarms } from '../store/alarms.ts'
import { findDatabaseBytes, listTablets } from '../store/health.ts'
import { countOpenDeliveries } from '../store/outbox.ts'
import { countPending } from '../store/recordings.ts'
import { countRetained } from '../store/retained-deliveries.ts'
import { listStations } from '../store/stations.ts'
import { type AlarmMessage, channelTargets, failureText, openChannels } from '../upkeep/alarm-channels.ts'
import { readPlantFacts } from '../upkeep/alarms.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { ownProgram } from '../upkeep/identity.ts'

/** A browser unused for this long is left out. */
const TABLETS_SEEN_MS = 7 * 24 * 3_600_000
/** Shorter than a call may take. */
const CHECK_MS_MAX = 25_000

const instantOf = (at: number | null) => (at === null ? null : toInstant(at))

const serverOf = ({
  startedAt,
  erp,
  directory,
  certificates,
  version,
  day,
  page,
  disks,
  clock,
  server,
}: ServerFacts) => ({
  ...{ server, version, disks, clock },
  day: day ?? null,
  page: page ?? null,
  startedAt: toInstant(startedAt),
  erp: {
    ...erp,
    awaySince: instantOf(erp.awaySince),
    isConfigured: erp.isConfigured ?? true,
    fault: erp.fault && { ...erp.fault, at: toInstant(erp.fault.at) },
  },
  directory: directory
    ? {
        ...directory,
        awaySince: instantOf(directory.awaySince),
        lastOkAt: instantOf(directory.lastOkAt),
        fault: directory.fault && { ...directory.fault, at: toInstant(directory.fault.at) },
      }
    : null,
  certificates: certificates.map(({ of, endsAt }) => ({ of, endsAt: toInstant(endsAt) })),
})

const newest = (instants: (number | null)[]): string | null => {
  const at = Math.max(0, ...instants.map((one) => one ?? 0))
  return at === 0 ? null : toInstant(at)
}

async function readAlarms({ db }: Pick<Context, 'db'>, facts: PlantFacts): Promise<SystemHealth['alarms']> {
  const said = await listAlarms(db.read)
  return alarmKinds.map((kind) => {
    const judged = judgeAlarm(kind, facts)
    const isOn = isAnyOn(judged)
    const logged = said.find((one) => one.kind === kind && one.channel === 'log')
    // of a server that has stopped, say: it has begun, and nobody knows whether it has ended
    const isOpen = logged?.subjects.some(
      ({ subject, begunAt }) => begunAt !== null && !judged.some((one) => one.subject === subject),
    )
    return {
      kind,
      name: alarms[kind].name,
      isOn: isOn === false && isOpen ? null : isOn,
      text: textOf(judged),
      since: isOn ? instantOf(logged?.sum.begunAt ?? null) : null,
    }
  })
}

async function readHealth(call: Context): Promise<SystemHealth> {
  const { db, config, now } = call
  const facts = await readPlantFacts(call, await call.serverWatch.read())
  const { servers } = facts
  const open = Object.values(await countOpenDeliveries(db.read)).reduce((sum, count) => sum + count, 0)
  const { needPerson } = await countPending(db.read)
  const tablets = await listTablets(db.read, now() - TABLETS_SEEN_MS)
  const targets = channelTargets(config)
  return {
    version: ownProgram().version,
    database: { kind: db.kind, bytes: await findDatabaseBytes(db) },
    servers: servers.map(serverOf),
    queue: {
      open,
      oldestAt: instantOf(facts.oldestWaitingAt),
      needPerson,
      retained: await countRetained(db.read),
    },
    backup: {
      newestAt: newest(servers.map(({ backup }) => backup.newestAt)),
      triedOutAt: newest(servers.map(({ backup }) => backup.triedOutAt)),
    },
    tablets: tablets.map(({ lastSeenAt, ...tablet }) => ({ ...tablet, lastSeenAt: toInstant(lastSeenAt) })),
    stationsWithoutSecret: (await listStations(db.read)).flatMap(({ name, secretHash }) => (secretHash ? [] : [name])),
    alarms: await readAlarms(call, facts),
    channels: (['webhook', 'mail'] as const).map((channel) => ({ channel, target: targets[channel] })),
  }
}

const testMessage = ({ config, now }: Pick<Context, 'config' | 'now'>): AlarmMessage => ({
  painel: config.siteName,
  alarme: 'teste',
  assuntos: [],
  nome: 'Aviso de teste',
  situacao: 'teste',
  texto: 'Os alarmes do painel chegam até aqui.',
  desde: toInstant(now()),
  em: toInstant(now()),
  endereco: config.publicUrl,
})

/** Names and sentences only: what stood in the fields is for whoever sits at the server (decision 051). */
const shownOf = ({ name, branch, tookMs, findings }: CheckedCall): ErpCheck['calls'][number] => ({
  name,
  branch,
  tookMs,
  findings: findings.map(({ level, field, sentence }) => ({ level, field, sentence })),
})

/** One check at a time: each is many calls to an ERP that recordings wait for. */
function openErpCheck({ checkErp, erp, serverWatch }: Pick<Context, 'checkErp' | 'erp' | 'serverWatch'>) {
  let isChecking = false
  return async (order: string): Promise<ErpCheck> => {
    if (!erp.health().isConfigured) throw new Refused('erp_unconfigured')
    if (isChecking) throw new Refused('erp_check_busy')
    isChecking = true
    const { by } = serverWatch
    const calls = checkErp(order)[Symbol.asyncIterator]()
    const late = new AbortController()
    const over = setTimeout(CHECK_MS_MAX, null, { signal: late.signal }).catch(() => null)
    const seen: ErpCheck['calls'] = []
    try {
      for (;;) {
        const next = await Promise.race([calls.next(), over])
        if (next === null) return { calls: seen, isComplete: false, by }
        if (next.done) return { calls: seen, isComplete: true, by }
        seen.push(shownOf(next.value))
      }
    } finally {
      late.abort()
      // the call under way ends first
      const ended = () => {
        isChecking = false
      }
      void Promise.resolve(calls.return?.()).then(ended, ended)
    }
  }
}

const TRIALS_A_MINUTE_MAX = 6

/** One trial at a time and few a minute: who may ask for anybody must not read out a directory by it. */
function openDirectoryTrial({ elapsedMs }: Pick<Context, 'elapsedMs'>) {
  let isTrying = false
  let begunAtMs: number[] = []

  const takeTurn = () => {
    if (isTrying) throw new Refused('directory_trial_busy')
    begunAtMs = begunAtMs.filter((at) => elapsedMs() - at < MINUTE_MS)
    const [oldest = 0] = begunAtMs
    if (begunAtMs.length >= TRIALS_A_MINUTE_MAX) {
      throw refusedFor('too_many_attempts', oldest + MINUTE_MS - elapsedMs())
    }
    begunAtMs.push(elapsedMs())
  }

  return async (typed: string, call: Call): Promise<DirectoryTrial> => {
    const { directory, db } = call
    if (directory === null) throw new Refused('directory_unconfigured')
    takeTurn()
    isTrying = true
    try {
      const username = await accountOf(typed, call)
      const trial = await directory.tryOut(username)
      // a password may have been typed into the name box
      const who = trial.isFound ? { name: username } : { details: { typedLength: typed.length } }
      const why = trial.steps.find(({ isGood }) => !isGood)?.text
      const is = why === undefined ? { role: trial.role } : { because: why }
      await db.transaction((tx) =>
        recordAuditEvent(tx, call, { action: 'directory_tested', kind: 'settings', id: 'LDAP', ...who, is }),
      )
      return trial
    } finally {
      isTrying = false
    }
  }
}

export function healthRoutes(app: FastifyInstance, context: Context): void {
  const channels = openChannels(context.config)
  const check = openErpCheck(context)
  const tryDirectory = openDirectoryTrial(context)

  bind(app, context, health.get, (_, call) => readHealth(call))

  bind(app, context, health.test, async ({ params: { canal } }, call) => {
    const channel = channels.find((one) => one.channel === canal)
    if (!channel) return { isSent: false, message: 'Este aviso não está configurado no servidor.' }
    try {
      await channel.send(testMessage(call))
      return { isSent: true, message: 'Aviso de teste enviado.' }
    } catch (error) {
      return { isSent: false, message: `O aviso de teste não foi enviado. ${failureText(error)}` }
    }
  })

  bind(app, context, health.checkErp, ({ body: { ordem } }) => check(ordem))

  bind(app, context, health.tryDirectory, ({ body: { usuario } }, call) => tryDirectory(usuario, call))
}
