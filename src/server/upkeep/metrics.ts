import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { refusals } from '../../contract/errors.ts'
import { liveChanges } from '../../contract/live-changes.ts'
import { sessions } from '../../contract/sessions.ts'
import type { DirectoryFacts } from '../../domain/plant/alarms.ts'
import type { ErpGateway } from '../erp/gateway.ts'
import { sendNotFound } from '../http/bind.ts'
import { refusePlainHttp } from '../http/session.ts'
import type { Outside } from '../outside.ts'
import { countOpenDeliveries, findOldestOpenAt } from '../store/outbox.ts'
import { countPendingByState, pendingStates } from '../store/recordings.ts'
import { countRetained } from '../store/retained-deliveries.ts'
import { findStandIn } from '../store/settings.ts'
import { ownProgram } from './identity.ts'
import type { ServerWatch } from './server-facts.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const ERP_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80]
const OPEN_STATES = ['new', 'sending', 'unknown'] as const

export type Metrics = {
  registry: Registry
  /** The same gateway; what each call takes is noted. */
  timed(erp: ErpGateway): ErpGateway
  /** `path` is the route's template, never what was asked for. */
  noteAnswer(answer: { method: string; path: string; status: number; seconds: number }): void
  /** A gauge of the present; without a value it is left out. */
  setGauge(name: string, help: string, values: Noted[]): void
}

type Noted = [labels: Record<string, string>, value: number]

const gaugesOf =
  (registry: Registry, Gauge: typeof import('prom-client').Gauge): Metrics['setGauge'] =>
  (name, help, values) => {
    registry.removeSingleMetric(name)
    const [first] = values
    // a gauge without a value would say 0
    if (!first) return
    const gauge = new Gauge({ name, help, labelNames: Object.keys(first[0]), registers: [registry] })
    for (const [labels, value] of values) gauge.set(labels, value)
  }

export async function openMetrics(): Promise<Metrics> {
  // not loaded where nobody may read them
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'painel_http_request_duration_seconds',
    help: 'Answered calls, by route and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const logins = new Counter({
    name: 'painel_login_failures_total',
    help: 'Passwords that were turned away: at login, and the current one where somebody changes his own.',
    labelNames: ['reason'],
    registers,
  })
  // from the first scrape on, so that the first failure is seen as a rise
  for (const reason of ['password', 'throttled']) logins.inc({ reason }, 0)
  const erpCalls = new Histogram({
    name: 'painel_erp_call_duration_seconds',
    help: 'Calls to the ERP with the wait for their turn, by kind and outcome.',
    labelNames: ['call', 'outcome'],
    buckets: ERP_SECONDS,
    registers,
  })
  const time = <A extends unknown[], R>(call: string, work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const end = erpCalls.startTimer({ call })
      try {
        const result = await work(...args)
        const outcome = (result as { outcome?: unknown } | null)?.outcome
        end({ outcome: typeof outcome === 'string' ? outcome : 'answered' })
        return result
      } catch (error) {
        end({ outcome: String((error as { kind?: unknown }).kind ?? 'failed') })
        throw error
      }
    }
  }
  return {
    registry,
    timed: (erp) => ({
      ...erp,
      searchItems: time('searchItems', erp.searchItems),
      listMachines: time('listMachines', erp.listMachines),
      searchJunctions: time('searchJunctions', erp.searchJunctions),
      junctionDetails: time('junctionDetails', erp.junctionDetails),
      recordCutCrimp: time('recordCutCrimp', erp.recordCutCrimp),
      recordJunction: time('recordJunction', erp.recordJunction),
      confirmReceipt: time('confirmReceipt', erp.confirmReceipt),
      findByIntegrationId: time('findByIntegrationId', erp.findByIntegrationId),
    }),
    noteAnswer({ method, path, status, seconds }) {
      requests.observe({ method, route: path, status: `${Math.floor(status / 100)}xx` }, seconds)
      const isLogin = path === sessions.login.path
      if (!isLogin && path !== sessions.changePassword.path) return
      if (status === (isLogin ? refusals.credentials_invalid : refusals.current_password_wrong).status) {
        logins.inc({ reason: 'password' })
      }
      if (status === 429) logins.inc({ reason: 'throttled' })
    },
    setGauge: gaugesOf(registry, Gauge),
  }
}

/** Null while the database does not answer. */
async function readWaiting({ db }: Outside) {
  try {
    return {
      oldestAt: await findOldestOpenAt(db.read),
      deliveries: await countOpenDeliveries(db.read),
      recordings: await countPendingByState(db.read),
      retained: await countRetained(db.read),
      hadErp: (await findStandIn(db.read)) !== null,
    }
  } catch {
    return null
  }
}

/** Gauges read at each scrape. A gauge that the database cannot give is left out, and the failure is a metric of its own. */
async function notePresentState(
  { setGauge: note }: Metrics,
  context: Outside & { serverWatch: ServerWatch },
): Promise<void> {
  const { erp, now } = context
  const waiting = await readWaiting(context)
  const { backup, disks, certificates, clock, directory } = await context.serverWatch.read()
  const { online, latencyMs, isSpared, access, isConfigured } = erp.health()
  const states = (counts: Partial<Record<string, number>> | undefined, names: readonly string[]): Noted[] =>
    counts === undefined ? [] : names.map((state) => [{ state }, counts[state] ?? 0])
  const ageMs = waiting?.oldestAt == null ? 0 : Math.max(0, now() - waiting.oldestAt)
  note('painel_version', 'Always 1.', [[{ version: ownProgram().version }, 1]])
  note('painel_database_up', 'Whether the database answers.', [[{}, waiting === null ? 0 : 1]])
  const age: Noted[] = waiting === null ? [] : [[{}, ageMs / 1000]]
  note('painel_clock_apart_seconds', "This server's clock and the database's.", [[{}, clock.apartMs / 1000]])
  note('painel_outbox_oldest_age_seconds', 'Of what waits for the ERP; 0 when nothing.', age)
  note('painel_outbox_deliveries', 'Not settled with the ERP.', states(waiting?.deliveries, OPEN_STATES))
  note('painel_recordings_pending', 'Without the ERP so far.', states(waiting?.recordings, pendingStates))
  const retained: Noted[] = waiting === null ? [] : [[{}, waiting.retained]]
  note('painel_retained_deliveries', 'Stored, waiting for an admin to take or discard them.', retained)
  const reached: Noted[] = isConfigured ? [[{}, online ? 1 : 0]] : []
  note('painel_erp_online', 'Whether the ERP answered last; nothing before one is named.', reached)
  const missing: Noted[] = waiting === null ? [] : [[{}, waiting.hadErp && !isConfigured ? 1 : 0]]
  note('painel_erp_missing', 'Whether the database has worked with an ERP and none is named now.', missing)
  note('painel_erp_access', "Whether the ERP takes the panel's own user.", [[{}, access === 'ok' ? 1 : 0]])
  note('painel_erp_breaker_open', 'Whether calls to the ERP are held back.', [[{}, isSpared ? 1 : 0]])
  note('painel_erp_latency_seconds', "Of the ERP's last answer.", latencyMs === null ? [] : [[{}, latencyMs / 1000]])
  const ofDirectory = (isGood: (facts: DirectoryFacts) => boolean): Noted[] =>
    directory ? [[{}, isGood(directory) ? 1 : 0]] : []
  const answers = ofDirectory(({ awaySince }) => awaySince === null)
  note('painel_directory_up', "Whether the company's directory answered last; nothing without one.", answers)
  const isIn = ofDirectory(({ access }) => access !== 'refused')
  note('painel_directory_access', 'Whether the directory takes the service account; nothing without one.', isIn)
  note('painel_backup_newest_timestamp_seconds', 'Of the newest backup; 0 without any.', [
    [{}, (backup.newestAt ?? 0) / 1000],
  ])
  const ofDisks = (bytes: 'freeBytes' | 'totalBytes') =>
    disks.map((disk): Noted => [{ folder: disk.folder }, disk[bytes]])
  note('painel_disk_free_bytes', 'Where each folder lies.', ofDisks('freeBytes'))
  note('painel_disk_total_bytes', 'Where each folder lies.', ofDisks('totalBytes'))
  const begins = certificates.flatMap(({ of, beginsAt }): Noted[] => {
    return beginsAt === undefined ? [] : [[{ of }, beginsAt / 1000]]
  })
  note('painel_certificate_begins_timestamp_seconds', 'From when it holds, where it says so.', begins)
  const ends = certificates.map(({ of, endsAt }): Noted => [{ of }, endsAt / 1000])
  note('painel_certificate_ends_timestamp_seconds', 'When the certificate of the ERP or of the panel ends.', ends)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** By a token alone: behind a proxy on the same machine everybody comes from its address. */
const mayRead = ({ headers }: FastifyRequest, { config }: Outside): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${config.metricsToken}`))

/** Where no token is set nothing is measured, and a stranger is told that there is nothing. */
export function serveMetrics(
  app: FastifyInstance,
  { metrics, ...context }: Outside & { metrics: Metrics | null; serverWatch: ServerWatch },
): void {
  if (metrics === null) return
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { url: path = 'none' } = request.routeOptions
    // a stream lasts as long as somebody listens
    if (path !== liveChanges.stream.path) {
      const { statusCode: status, elapsedTime } = reply
      metrics.noteAnswer({ method: request.method, path, status, seconds: elapsedTime / 1000 })
    }
    done()
  })
  app.get('/metrics', async (request, reply) => {
    refusePlainHttp(request, context)
    if (!mayRead(request, context)) return sendNotFound(request, reply)
    await notePresentState(metrics, context)
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
