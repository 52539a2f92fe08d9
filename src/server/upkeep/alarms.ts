import { randomUUID } from 'node:crypto'
import {
  type AlarmKind,
  type AlarmState,
  alarmKinds,
  alarms,
  type Judgement,
  nextAlarm,
  type PlantFacts,
  type ServerFacts,
  silent,
} from '../../domain/alarms.ts'
import { toInstant } from '../../domain/plant-time.ts'
import type { Outside } from '../outside.ts'
import { leaseAlarm, listAlarms, listReports, saveAlarm, saveReport } from '../store/alarms.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { countFindings } from '../store/recording-findings.ts'
import { findOldestRetainedAt } from '../store/retained-deliveries.ts'
import { type AlarmChannel, type AlarmMessage, failureText } from './alarm-channels.ts'
import type { ServerWatch } from './server-facts.ts'

/** Longer than any channel takes. */
const LEASE_MS = 60_000
const DAY_MS = 24 * 3_600_000
/** A server that has not reported for as long has stopped. */
const SILENT_MS_MAX = 3 * 60_000

type Needs = Pick<Outside, 'config' | 'db' | 'now' | 'log'>

/** What all servers know together, with what this one knows just now in the first place. */
export async function readPlantFacts({ config, db, now }: Needs, own: ServerFacts): Promise<PlantFacts> {
  const reports = await listReports(db.read, now() - SILENT_MS_MAX)
  return {
    now: now(),
    oldestWaitingAt: await findOldestOpenAt(db.read),
    oldestRetainedAt: await findOldestRetainedAt(db.read),
    blocksPassed: await countFindings(db.read, now() - DAY_MS, 'bloqueio-sem-rede'),
    needsBackup: config.mode === 'plant',
    servers: [own, ...reports.filter(({ server }) => server !== own.server)],
  }
}

type Said = { kind: AlarmKind; isOn: boolean; text: string; since: number; now: number }

function messageOf({ config }: Needs, { kind, isOn, text, since, now }: Said): AlarmMessage {
  const { name } = alarms[kind]
  return {
    painel: config.siteName,
    alarme: kind,
    nome: name,
    situacao: isOn ? 'comecou' : 'terminou',
    texto: isOn ? text : `Voltou ao normal: ${name}.`,
    desde: toInstant(since),
    em: toInstant(now),
    endereco: config.publicUrl,
  }
}

/** The log is where alarms go always. */
export const openLogChannel = ({ log }: Pick<Outside, 'log'>): AlarmChannel => ({
  channel: 'log',
  async send({ alarme, nome, texto, situacao }) {
    const fields = { alarm: alarme, name: nome, text: texto }
    if (situacao === 'comecou') log.error(fields, 'an alarm has begun')
    else log.info(fields, 'an alarm has ended')
  },
})

/**
 * Judges each kind of alarm and says through each channel what has begun and what has ended. What was said is stored, so
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

  async function say(kind: AlarmKind, channel: AlarmChannel, judgement: Judgement): Promise<void> {
    const key = { kind, channel: channel.channel }
    const at = now()
    const before = await db.transaction((tx) => leaseAlarm(tx, key, { owner, now: at, leaseUntil: at + LEASE_MS }))
    if (before === null) return
    const { after, message } = nextAlarm(before, judgement.isOn, at)
    let stored: AlarmState = after
    if (message !== null) {
      const since = before.begunAt ?? at
      const isOn = message === 'begun'
      const text = judgement.isOn ? judgement.text : ''
      try {
        await channel.send(messageOf(outside, { kind, isOn, text, since, now: at }))
      } catch (error) {
        // said again in a minute
        stored = isOn ? { ...before, begunAt: since } : before
        const reason = failureText(error)
        log.warn({ ...key, reason, repeats: `${kind} ${channel.channel} ${reason}` }, 'an alarm could not be sent')
      }
    }
    await db.transaction((tx) => saveAlarm(tx, key, owner, stored))
  }

  return async () => {
    const own = await watch.read()
    await db.transaction((tx) => saveReport(tx, own))
    const facts = await readPlantFacts(outside, own)
    const said = await listAlarms(db.read)
    for (const kind of alarmKinds) {
      const judgement = alarms[kind].judge(facts)
      for (const channel of channels) {
        const before = said.find((one) => one.kind === kind && one.channel === channel.channel)?.state ?? silent
        const { after, message } = nextAlarm(before, judgement.isOn, now())
        const isNews = message !== null || after.begunAt !== before.begunAt
        if (isNews) await say(kind, channel, judgement)
      }
    }
  }
}
