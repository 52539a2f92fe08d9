import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Context } from './context.ts'
import { answerErrors, answerUnreadable, answerUnroutable, HANDLER_MS_MAX } from './http.ts'
import { serveMetrics } from './metrics.ts'
import { warnOfStrangers } from './origin.ts'
import { Refused } from './refused.ts'
import { applicatorRoutes } from './routes/applicators.ts'
import { auditEntryRoutes } from './routes/audit-entries.ts'
import { chartRoutes } from './routes/charts.ts'
import { crimpCounterRoutes } from './routes/crimp-counters.ts'
import { docsRoutes } from './routes/docs.ts'
import { documentChangeRoutes } from './routes/document-changes.ts'
import { documentRoutes } from './routes/documents.ts'
import { equipmentRoutes } from './routes/equipment.ts'
import { itemRoutes } from './routes/items.ts'
import { junctionRoutes } from './routes/junctions.ts'
import { liveChangeRoutes } from './routes/live-changes.ts'
import { logEntryRoutes } from './routes/log-entries.ts'
import { machineRoutes } from './routes/machines.ts'
import { pendingRecordingRoutes } from './routes/pending-recordings.ts'
import { productionReportRoutes } from './routes/production-reports.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { recordingRoutes } from './routes/recordings.ts'
import { retainedDeliveryRoutes } from './routes/retained-deliveries.ts'
import { sealingStationRoutes } from './routes/sealing-stations.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { settingsRoutes } from './routes/settings.ts'
import { traceRoutes } from './routes/traces.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { userRoutes } from './routes/users.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { serveWeb } from './static-files.ts'

const BODY_BYTES_MAX = 64 * 1024

/** The whole HTTP side, ready to listen or to be asked in a test. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: context.log,
    // a logger for each request costs more than its router, and nothing is logged of a request that needs its number
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    // who comes while a server stops is still answered, and asks the other one next time
    return503OnClosing: false,
    requestTimeout: 30_000,
    // whoever dribbles his requests in holds a connection no longer
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    connectionTimeout: 60_000,
    trustProxy: context.config.trustedProxies.length > 0 ? context.config.trustedProxies : false,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    // the specification writes /api/miniaplicadores and /api/MiniAplicadores for one and the same call
    // how long a parameter may be is its schema's to say, in words; Node itself bounds the head of a request at 16 KiB
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 16_384 },
  })
  sendSecurityHeaders(app)
  warnOfStrangers(app)
  readJsonOnly(app)
  answerErrors(app, context)
  if (['debug', 'trace'].includes(context.config.logLevel)) logAnswers(app)
  healthRoutes(app, context)
  serveMetrics(app, context)
  // only here are cookies set; the hook that does it would run after every other call as well
  await app.register(async (entrance) => {
    await entrance.register(cookie, { hook: false })
    sessionRoutes(entrance, context)
  })
  settingsRoutes(app, context)
  itemRoutes(app, context)
  machineRoutes(app, context)
  equipmentRoutes(app, context)
  applicatorRoutes(app, context)
  sealingStationRoutes(app, context)
  crimpCounterRoutes(app, context)
  liveChangeRoutes(app, context)
  logEntryRoutes(app, context)
  junctionRoutes(app, context)
  recordingRoutes(app, context)
  receiptRoutes(app, context)
  pendingRecordingRoutes(app, context)
  retainedDeliveryRoutes(app, context)
  chartRoutes(app, context)
  traceRoutes(app, context)
  productionReportRoutes(app, context)
  documentRoutes(app, context)
  userRoutes(app, context)
  auditEntryRoutes(app, context)
  documentChangeRoutes(app, context)
  // only here is anything but JSON taken
  await app.register(async (uploads) => uploadRoutes(uploads, context))
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
function healthRoutes(app: FastifyInstance, { db }: Context): void {
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', { handlerTimeout: HANDLER_MS_MAX }, async (_, reply) => {
    const ready = await db.ping()
    return reply.code(ready ? 200 : 503).send({ ready, database: ready ? 'online' : 'offline' })
  })
}
