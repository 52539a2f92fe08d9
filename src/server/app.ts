import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { applicatorRoutes } from './features/applicators.ts'
import { auditEntryRoutes } from './features/audit-entries.ts'
import { badgeRoutes } from './features/badges.ts'
import { chartRoutes } from './features/charts.ts'
import { containmentDecisionRoutes } from './features/containment-decisions.ts'
import { containmentFileRoutes } from './features/containment-files.ts'
import { containmentRoutes } from './features/containments.ts'
import { controlPlanRoutes, planImportRoutes } from './features/control-plans.ts'
import { crimpCounterRoutes } from './features/crimp-counters.ts'
import { docsRoutes } from './features/docs.ts'
import { documentChangeRoutes, documentRoutes, uploadRoutes } from './features/documents.ts'
import { endHistoryRoutes } from './features/end-histories.ts'
import { epochRoutes } from './features/epochs.ts'
import { equipmentRoutes } from './features/equipment.ts'
import { firstAccessRoutes } from './features/first-access.ts'
import { healthRoutes } from './features/health.ts'
import { installationSettingsRoutes } from './features/installation-settings.ts'
import { instrumentRoutes } from './features/instruments.ts'
import { itemRoutes } from './features/items.ts'
import { junctionRoutes } from './features/junctions.ts'
import { liveChangeRoutes } from './features/live-changes.ts'
import { logEntryRoutes } from './features/log-entries.ts'
import { machineRoutes } from './features/machines.ts'
import { maintenanceCallRoutes } from './features/maintenance-calls.ts'
import { maintenanceTaskRoutes } from './features/maintenance-tasks.ts'
import { measurementRoutes } from './features/measurements.ts'
import { outsideActRoutes } from './features/outside-acts.ts'
import { pendingRecordingRoutes } from './features/pending-recordings.ts'
import { planFindingRoutes } from './features/plan-findings.ts'
import { productionReportRoutes } from './features/production-reports.ts'
import { receiptRoutes } from './features/receipts.ts'
import { recordingRoutes } from './features/recordings.ts'
import { releaseRoutes } from './features/releases.ts'
import { retainedDeliveryRoutes } from './features/retained-deliveries.ts'
import { scrapReasonRoutes } from './features/scrap-reasons.ts'
import { scrapReportRoutes } from './features/scrap-reports.ts'
import { scrapRoutes } from './features/scraps.ts'
import { sealingStationRoutes } from './features/sealing-stations.ts'
import { sessionRoutes } from './features/sessions.ts'
import { settingsRoutes } from './features/settings.ts'
import { spcRoutes } from './features/spc.ts'
import { stationRoutes } from './features/stations.ts'
import { supportFileRoutes } from './features/support-files.ts'
import { traceRoutes } from './features/traces.ts'
import { userRoutes } from './features/users.ts'
import { wearPartRoutes } from './features/wear-parts.ts'
import { answerErrors, answerUnreadable, answerUnroutable, HANDLER_MS_MAX } from './http/bind.ts'
import { warnOfStrangers } from './http/origin.ts'
import { Refused } from './http/refused.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { serveWeb } from './http/static-files.ts'
import { type Context, openContext } from './panel.ts'
import { ownProgram } from './upkeep/identity.ts'
import { serveMetrics } from './upkeep/metrics.ts'

const BODY_BYTES_MAX = 64 * 1024

export type Panel = { app: FastifyInstance; context: Context }

/** A server that is ready to listen. */
export async function openPanel(given: Parameters<typeof openContext>[0]): Promise<Panel> {
  const [context, steps] = await openContext(given)
  const app = await buildApp(context)
  // Not before: a start that fails says one sentence and nothing else.
  app.addHook('onListen', async () => {
    if (steps.length > 0) context.log.info({ steps }, 'the schema was brought up to date')
  })
  return { app, context }
}

/** Routes called with a session, a grant or nothing; those that set cookies or take files stand in `buildApp`. */
const features = [
  settingsRoutes,
  healthRoutes,
  epochRoutes,
  supportFileRoutes,
  installationSettingsRoutes,
  itemRoutes,
  machineRoutes,
  equipmentRoutes,
  applicatorRoutes,
  sealingStationRoutes,
  crimpCounterRoutes,
  maintenanceCallRoutes,
  wearPartRoutes,
  maintenanceTaskRoutes,
  liveChangeRoutes,
  logEntryRoutes,
  junctionRoutes,
  recordingRoutes,
  receiptRoutes,
  pendingRecordingRoutes,
  retainedDeliveryRoutes,
  chartRoutes,
  traceRoutes,
  endHistoryRoutes,
  productionReportRoutes,
  documentRoutes,
  userRoutes,
  auditEntryRoutes,
  documentChangeRoutes,
  controlPlanRoutes,
  instrumentRoutes,
  spcRoutes,
  measurementRoutes,
  releaseRoutes,
  planFindingRoutes,
  outsideActRoutes,
  scrapRoutes,
  containmentRoutes,
  scrapReasonRoutes,
  scrapReportRoutes,
  containmentDecisionRoutes,
  containmentFileRoutes,
]

/** In place of Fastify's compilers of schemas, 2 MB that would be loaded and never used: endpoints are checked by `bind`. */
function refuseSchema(): never {
  throw new Error('a schema belongs into the contract')
}

/** The whole HTTP side, ready to listen or to be asked in a test. */
async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: context.log,
    // a logger for each request costs more than its router, and nothing is logged of a request that needs its number
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    // a call that arrives while the server stops is still answered; the next one reaches another server
    return503OnClosing: false,
    requestTimeout: 30_000,
    // a request sent byte by byte loses its connection
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    connectionTimeout: 60_000,
    trustProxy: context.config.trustedProxies.length > 0 ? context.config.trustedProxies : false,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    // the specification writes /api/miniaplicadores and /api/MiniAplicadores for one and the same call
    // how long a parameter may be is its schema's to say, in words; Node itself bounds the head of a request at 16 KiB
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 16_384 },
  })
  sendSecurityHeaders(app)
  warnOfStrangers(app)
  readJsonOnly(app)
  answerErrors(app, context)
  if (['debug', 'trace'].includes(context.config.logLevel)) logAnswers(app)
  probeRoutes(app, context)
  serveMetrics(app, context)
  // only here are cookies set; the hook that does it would run after every other call as well
  await app.register(async (entrance) => {
    await entrance.register(cookie, { hook: false })
    sessionRoutes(entrance, context)
    badgeRoutes(entrance, context)
    stationRoutes(entrance, context)
    firstAccessRoutes(entrance, context)
  })
  for (const routesOf of features) routesOf(app, context)
  // only here is anything but JSON taken
  await app.register(async (uploads) => {
    uploadRoutes(uploads, context)
    planImportRoutes(uploads, context)
  })
  docsRoutes(app, context)
  await serveWeb(app)
  return app
}

function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request
    app.log.debug({ method, path: url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })
}

/** Forms of other sites can send text, never JSON. An empty body is one that was left out. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(body)))
    } catch {
      done(new Refused('body_unreadable'), undefined)
    }
  })
}

/** For the machine that watches this one: alive at all, and able to work. */
function probeRoutes(app: FastifyInstance, { db }: Context): void {
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', { handlerTimeout: HANDLER_MS_MAX }, async (_, reply) => {
    const ready = await db.ping()
    return reply.code(ready ? 200 : 503).send({ ready, database: ready ? 'online' : 'offline', ...ownProgram() })
  })
}
