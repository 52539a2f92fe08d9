import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { openAccesses } from './accesses.ts'
import { buildApp } from './app.ts'
import { openTimeTrust } from './clock.ts'
import type { Context } from './context.ts'
import { openDeliveryBudgets } from './delivery-budgets.ts'
import { openErpReads } from './erp-reads.ts'
import { openLiveChanges } from './live-changes.ts'
import { tidyLogEntries } from './log-keeper.ts'
import { openMarks } from './marks.ts'
import { openMetrics } from './metrics.ts'
import { unnameOldOperators } from './operator-retention.ts'
import { openOutbox } from './outbox.ts'
import { openPasswords } from './passwords.ts'
import { keyPlaceOf, openKeys } from './secret-key.ts'
import { deleteOldAccesses } from './store/accesses.ts'
import { deleteOldDevices } from './store/devices.ts'
import { deleteOldChanges } from './store/live-changes.ts'
import { deleteOldThrottles } from './store/login-throttles.ts'
import { migrate } from './store/migrate.ts'
import { deleteDeadSessions } from './store/sessions.ts'
import { KIND, keepSetting, keepStandIn } from './store/settings.ts'
import { openWaitingAlarm } from './waiting-alarm.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ACCESSES_KEPT_MS = 366 * DAY_MS

export type Panel = { app: FastifyInstance; context: Context }

/** Brings the schema up to date and puts the parts together. The outbox is not started yet. */
export async function openPanel(
  given: Pick<
    Context,
    'config' | 'db' | 'erp' | 'now' | 'elapsedMs' | 'clockApartMs' | 'log' | 'logKeeper' | 'answerWaitMs'
  >,
): Promise<Panel> {
  const { db, log } = given
  const metrics = given.config.metricsToken === null ? null : openMetrics()
  const outside = metrics === null ? given : { ...given, erp: metrics.timed(given.erp) }
  const steps = await migrate(db)
  await db.transaction(async (tx) => {
    await keepSetting(tx, KIND, given.config.mode)
    await keepSetting(tx, 'epoch', randomUUID())
  })
  const keys = await openKeys(given, keyPlaceOf(given.config, db.kind))
  const context: Context = {
    ...outside,
    marks: await openMarks({ ...given, keys }),
    budgets: openDeliveryBudgets(given.elapsedMs),
    outbox: openOutbox(outside),
    accesses: openAccesses(outside),
    liveChanges: openLiveChanges(outside),
    passwords: openPasswords(),
    erpReads: openErpReads(),
    metrics,
    keys,
  }
  const app = await buildApp(context)
  // Not before: a start that fails says one sentence and nothing else.
  app.addHook('onListen', async () => {
    if (steps.length > 0) log.info({ steps }, 'the schema was brought up to date')
  })
  return { app, context }
}

/** What a server does by itself while it runs. Returns what ends it. */
export function startChores(context: Context): () => void {
  const { db, erp, now, log, logKeeper, outbox } = context
  const checkWaiting = openWaitingAlarm(context)
  const lookAtWaiting = () =>
    checkWaiting().catch((error: unknown) => log.warn({ err: error }, 'what waits could not be looked at'))
  let isThere = false
  let isErpKept = false
  let wasOther = false
  const probe = async () => {
    const { online, isStandIn, isOther } = await erp.probe()
    if (isOther && !wasOther) log.error({ isStandIn }, 'the ERP is not the one that this database was used with')
    wasOther = isOther
    if (online && isStandIn !== null && !isErpKept) {
      await db.transaction((tx) => keepStandIn(tx, isStandIn))
      isErpKept = true
    }
    if (online && !isThere) await outbox.hurry()
    isThere = online
  }
  const lookAtErp = () => probe().catch((error: unknown) => log.warn({ err: error }, 'the ERP could not be probed'))
  const mayDelete = openTimeTrust(context)
  const tidyUp = async () => {
    if (!(await mayDelete())) return
    await db.transaction(async (tx) => {
      await deleteDeadSessions(tx, now() - 7 * DAY_MS)
      await deleteOldThrottles(tx, now() - DAY_MS)
      await deleteOldDevices(tx, now() - 400 * DAY_MS)
      await deleteOldChanges(tx, now() - HOUR_MS)
      await deleteOldAccesses(tx, now() - ACCESSES_KEPT_MS)
      await tidyLogEntries(tx, now())
    })
  }
  const unnameOld = async () => {
    if (await mayDelete()) await unnameOldOperators(context)
  }
  const tidyUpNow = () =>
    void tidyUp().catch((error: unknown) => log.warn({ err: error }, 'outdated rows could not be removed'))
  const unnameOldNow = () =>
    void unnameOld().catch((error: unknown) =>
      log.warn({ err: error }, 'names of operators that are no longer needed could not be taken out'),
    )
  outbox.start()
  void lookAtErp()
  tidyUpNow()
  unnameOldNow()
  void lookAtWaiting()
  const timers = [
    setInterval(() => void logKeeper.flush(context), 1000),
    setInterval(() => void lookAtErp(), 15_000),
    setInterval(() => void lookAtWaiting(), 60_000),
    setInterval(() => void context.accesses.flush(), 60_000),
    setInterval(tidyUpNow, HOUR_MS),
    setInterval(unnameOldNow, DAY_MS),
  ]
  return () => timers.forEach(clearInterval)
}
