import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type AlarmState, nextAlarm, silent } from '../../src/domain/plant/alarm-states.ts'
import {
  type AlarmKind,
  isAnyOn,
  judgeAlarm,
  type PlantFacts,
  type ServerFacts,
} from '../../src/domain/plant/alarms.ts'
import { type AlarmChannel, openChannels } from '../../src/server/upkeep/alarm-channels.ts'
import { openAlarmWatch, openLogChannel, readPlantFacts } from '../../src/server/upkeep/alarms.ts'
import type { openTestPanel, TestPanel } from './harness.ts'
import { setUp } from './waiting.ts'

type Received = {
  situacao: string
  alarme: string
  assuntos: string[]
  texto: string
  text: string
  painel: string
  endereco: string | null
}

/** Whoever takes what the panel posts. */
export async function startReceiver(answer: { status: number } = { status: 200 }) {
  const messages: Received[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    void text(request).then((body) => {
      if (answer.status === 200) messages.push(JSON.parse(body))
      response.writeHead(answer.status, answer.status === 302 ? { location: '/other' } : {}).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => new Promise((resolve) => server.close(resolve))
  onTestFinished(() => void close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/segredo-do-caminho`
  return { url, messages, requests, answer, close }
}

/** One server's look at the alarms, as its chores take it each minute. */
export const watchOf = ({ context }: Pick<TestPanel, 'context'>, watch = context.serverWatch) =>
  openAlarmWatch(context, watch, [openLogChannel(context), ...openChannels(context.config)])

export async function withAlarms(options: Parameters<typeof openTestPanel>[0] = {}) {
  const receiver = await startReceiver()
  const env = { ALARM_WEBHOOK_URL: receiver.url, SITE_NAME: 'Chicotes Sul', ...options.env }
  const panel = await setUp({ ...options, env })
  const look = watchOf(panel)
  const said = () => receiver.messages.map(({ alarme, situacao }) => `${alarme} ${situacao}`)
  const logged = () => panel.errors.splice(0).map((line) => JSON.parse(line).alarm)
  return { ...panel, receiver, look, said, logged }
}

/**
 * A look at one kind as a server of the version before takes it: it knows `alarm_states` alone, a row a kind and channel, and
 * reports neither its account nor when a certificate began.
 */
export async function lookAsBefore(
  { context }: Pick<TestPanel, 'context'>,
  { kind, channel, facts }: { kind: AlarmKind; channel: AlarmChannel; facts: ServerFacts },
): Promise<void> {
  const { db, now } = context
  const { account: _, ...rest } = facts
  const own = { ...rest, certificates: rest.certificates.map(({ of, endsAt }) => ({ of, endsAt })) }
  await db.transaction(async (tx) => {
    await tx.deleteFrom('server_reports').where('server', '=', own.server).execute()
    const row = { server: own.server, reported_at: own.readAt, facts_json: JSON.stringify(own) }
    await tx.insertInto('server_reports').values(row).execute()
  })
  const seen: PlantFacts = await readPlantFacts(context, own)
  const servers = seen.servers.map(({ certificates, ...server }) => ({
    ...server,
    certificates: certificates.map(({ of, endsAt }) => ({ of, endsAt })),
  }))
  const isOn = isAnyOn(judgeAlarm(kind, { ...seen, servers }))
  const key = { kind, channel: channel.channel }
  const row = await db.read
    .selectFrom('alarm_states')
    .selectAll()
    .where((e) => e.and(key))
    .executeTakeFirst()
  const before: AlarmState = row ? { begunAt: row.begun_at, isSaid: row.is_said === 1, saidAt: row.said_at } : silent
  const { after, message } = nextAlarm(before, isOn, now())
  if (message === null && after.begunAt === before.begunAt) return
  const situacao = message === 'begun' ? 'comecou' : 'terminou'
  const said = {
    painel: '',
    alarme: kind,
    assuntos: ['(kind)'],
    nome: '',
    texto: '',
    desde: '',
    em: '',
    endereco: null,
  }
  if (message !== null) await channel.send({ ...said, situacao })
  const changed = { begun_at: after.begunAt, is_said: after.isSaid ? 1 : 0, said_at: after.saidAt, lease_until: 0 }
  await db.transaction(async (tx) => {
    await tx
      .deleteFrom('alarm_states')
      .where((e) => e.and(key))
      .execute()
    await tx
      .insertInto('alarm_states')
      .values({ ...key, ...changed, lease_owner: null })
      .execute()
  })
}
