import { randomUUID } from 'node:crypto'
import {
  type Change,
  changesOf,
  isSameState,
  type KindState,
  silent,
  stateAfter,
} from '../../domain/plant/alarm-states.ts'
import {
  type AlarmKind,
  alarmKinds,
  alarms,
  type Judged,
  judgeAlarm,
  type PlantFacts,
  type ServerFacts,
  subjectText,
  textOf,
} from '../../domain/plant/alarms.ts'
import { DAY_MS, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import type { Outside } from '../outside.ts'
import { leaseAlarm, listAlarms, listReports, saveAlarm, saveReport } from '../store/alarms.ts'
import type { Reader } from '../store/db/db.ts'
import { findDoubtedAt } from '../store/epoch-witnesses.ts'
import { findEpochBegin } from '../store/epochs.ts'
import { listInstruments } from '../store/instruments.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { findUpgradedId } from '../store/outside-acts.ts'
import { countUnanswered } from '../store/outside-followed.ts'
import { countFindings } from '../store/recording-findings.ts'
import { findOldestRetainedAt } from '../store/retained-deliveries.ts'
import { findStandIn } from '../store/settings.ts'
import { type AlarmChannel, type AlarmMessage, failureText } from './alarm-channels.ts'
import type { ServerWatch } from './server-facts.ts'

/** Longer than any channel takes for a beginning and an end. */
const LEASE_MS = 60_000
/** A server that has not reported for as long has stopped. */
const SILENT_MS_MAX = 3 * 60_000

type Needs = Pick<Outside, 'config' | 'db' | 'now' | 'log'>

/** Samples outside from before the upgrade are not counted: they are too old to wake anybody. */
const countNewUnanswered = async (db: Reader, { plants }: Needs['config'], now: number): Promise<number> => {
  const span = { branches: plants.map(({ code }) => code), from: now - DAY_MS, before: now + DAY_MS }
  return await countUnanswered(db, { ...span, afterId: await findUpgradedId(db) }, now)
}

/** The facts of all servers together, this one's own as they are now. */
export async function readPlantFacts({ config, db, now }: Needs, own: ServerFacts): Promise<PlantFacts> {
  const reports = await listReports(db.read, now() - SILENT_MS_MAX)
  return {
    now: now(),
    oldestWaitingAt: await findOldestOpenAt(db.read),
    oldestRetainedAt: await findOldestRetainedAt(db.read),
    blocksPassed: await countFindings(db.read, now() - DAY_MS, 'bloqueio-sem-rede'),
    calibrations: (await listInstruments(db.read)).map(({ codigo: code, calibradoAte = null, ativo }) => ({
      code,
      untilDay: ativo ? calibradoAte : null,
    })),
    today: plantDay(now(), config.timeZone),
    outsideUnanswered: await countNewUnanswered(db.read, config, now()),
    doubtedAt: await findDoubtedAt(db.read),
    epochBegun: await findEpochBegin(db.read),
    hadErp: (await findStandIn(db.read)) !== null,
    needsBackup: config.mode === 'plant',
    servers: [own, ...reports.filter(({ server }) => server !== own.server)],
  }
}

type Said = { kind: AlarmKind; changes: readonly Change[]; judged: readonly Judged[]; facts: PlantFacts }

const listOf = (changes: readonly Change[], { servers }: PlantFacts): string =>
  changes
    .map(({ before }) => subjectText(before.subject, servers))
    .filter(Boolean)
    .join('; ')

function endText({ kind, changes, judged, facts }: Said): string {
  const isNamed = (subject: string) => subject === '' || judged.some((one) => one.subject === subject)
  const ended = changes.filter(({ message }) => message === 'ended')
  const well = ended.filter(({ before }) => isNamed(before.subject))
  const lost = ended.filter(({ before }) => !isNamed(before.subject))
  const going = listOf(
    changes.filter(({ after }) => after.begunAt !== null),
    facts,
  )
  const name = (some: readonly Change[]) => {
    const names = listOf(some, facts)
    return `${alarms[kind].name}${names && ` (${names})`}.`
  }
  const texts = [
    well.length > 0 && `Voltou ao normal: ${name(well)}`,
    lost.length > 0 && `Encerrado sem notícia há 24 horas: ${name(lost)}`,
    going && `Continua: ${going}.`,
  ]
  return texts.filter(Boolean).join(' ')
}

/** One message for all subjects that begin, or end, at one look: a full disk under three folders is one message. */
function messageOf({ config }: Needs, message: 'begun' | 'ended', said: Said): AlarmMessage {
  const { kind, judged, facts } = said
  const { name } = alarms[kind]
  const changes = said.changes.filter((change) => change.message === message)
  const subjects = changes.map(({ before }) => before.subject)
  const begun = judged.filter(({ subject }) => subjects.includes(subject))
  return {
    painel: config.siteName,
    alarme: kind,
    assuntos: subjects.filter((subject) => subject !== ''),
    nome: name,
    situacao: message === 'begun' ? 'comecou' : 'terminou',
    texto: message === 'begun' ? textOf(begun) : endText(said),
    desde: toInstant(Math.min(...changes.map(({ before }) => before.begunAt ?? facts.now))),
    em: toInstant(facts.now),
    endereco: config.publicUrl,
  }
}

const lookOf = ({ now, servers }: PlantFacts) => ({
  now,
  isOlderThere: servers.some(({ account }) => account === undefined),
})

/** The log is where alarms go always. */
export const openLogChannel = ({ log }: Pick<Outside, 'log'>): AlarmChannel => ({
  channel: 'log',
  async send({ alarme, assuntos, nome, texto, situacao }) {
    const fields = { alarm: alarme, subjects: assuntos, name: nome, text: texto }
    if (situacao === 'comecou') log.error(fields, 'an alarm has begun')
    else log.info(fields, 'an alarm has ended')
  },
})

/**
 * Judges each kind of alarm, subject by subject, and says through each channel what has begun and what has ended. What was said is stored, so
 * neither a restart nor another server says it again; a message is sent before it is noted as said, so a server that is
 * killed in between repeats it rather than losing it.
 */
export function openAlarmWatch(
  outside: Needs,
  watch: Pick<ServerWatch, 'read'>,
  channels: readonly AlarmChannel[],
): () => Promise<void> {
  const { db, now, log } = outside
  const owner = randomUUID()

  async function say(kind: AlarmKind, channel: AlarmChannel, facts: PlantFacts, judged: readonly Judged[]) {
    const key = { kind, channel: channel.channel }
    const at = now()
    const before = await db.transaction((tx) => leaseAlarm(tx, key, { owner, now: at, leaseUntil: at + LEASE_MS }))
    if (before === null) return
    const changes = changesOf(before, judged, lookOf(facts))
    const refused = new Set<Change['message']>()
    for (const message of ['begun', 'ended'] as const) {
      if (!changes.some((change) => change.message === message)) continue
      try {
        await channel.send(messageOf(outside, message, { kind, changes, judged, facts }))
      } catch (error) {
        refused.add(message)
        const reason = failureText(error)
        log.warn({ ...key, reason, repeats: `${kind} ${channel.channel} ${reason}` }, 'an alarm could not be sent')
      }
    }
    const after = changes.length === 0 ? before : stateAfter(changes, facts.now, refused)
    await db.transaction((tx) => saveAlarm(tx, key, owner, after))
  }

  return async () => {
    const own = await watch.read()
    await db.transaction((tx) => saveReport(tx, own))
    const facts = await readPlantFacts(outside, own)
    const said = await listAlarms(db.read)
    for (const kind of alarmKinds) {
      const judged = judgeAlarm(kind, facts)
      for (const channel of channels) {
        const found = said.find((one) => one.kind === kind && one.channel === channel.channel)
        const before: KindState = found ?? { sum: silent, subjects: [] }
        const changes = changesOf(before, judged, lookOf(facts))
        const isNews =
          changes.some(({ message }) => message !== null) ||
          (changes.length > 0 && !isSameState(before, stateAfter(changes, facts.now, new Set())))
        if (isNews) await say(kind, channel, facts, judged)
      }
    }
  }
}
