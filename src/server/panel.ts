import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, plantDay } from '../domain/plant/plant-time.ts'
import { openContainmentWatch } from './acts/containments.ts'
import { type ErpReading, openErpReads } from './acts/erp-copies.ts'
import { openOutsideActs } from './acts/outside-acts.ts'
import type { Texts } from './config.ts'
import { type Outbox, openOutbox } from './delivery/outbox.ts'
import type { CheckedCall as Checked } from './erp/check/check.ts'
import { openAccesses } from './http/accesses.ts'
import type { Bound } from './http/bind.ts'
import type { Caller } from './http/caller.ts'
import type { Entrance } from './http/entrance.ts'
import { openBudgets } from './http/limits.ts'
import { openMarks } from './http/marks.ts'
import { openPasswords } from './http/passwords.ts'
import { openSlots, UNBOUNDED } from './http/slots.ts'
import type { Outside } from './outside.ts'
import { deleteOldAccesses } from './store/audit-entries.ts'
import { fillUnsafeTools } from './store/crimp-counters.ts'
import { againWhenStored } from './store/db/db.ts'
import { migrate } from './store/db/migrate.ts'
import { deleteOldDevices } from './store/devices.ts'
import { fillCalibrations } from './store/instruments.ts'
import { fillCodes } from './store/known-codes.ts'
import { deleteOldChanges } from './store/live-changes.ts'
import { deleteOldThrottles } from './store/login-throttles.ts'
import { fillSubjects } from './store/sample-subjects.ts'
import { deleteDeadSessions } from './store/sessions.ts'
import { findInstallation, KIND, keepSetting, keepStandIn } from './store/settings.ts'
import { openChannels } from './upkeep/alarm-channels.ts'
import { openAlarmWatch, openLogChannel } from './upkeep/alarms.ts'
import { openTimeTrust } from './upkeep/clock.ts'
import { sumUpAll } from './upkeep/control-charts.ts'
import { type LiveChanges, openLiveChanges } from './upkeep/live-changes.ts'
import { type LogKeeper, tidyLogEntries } from './upkeep/log-keeper.ts'
import { type Metrics, openMetrics } from './upkeep/metrics.ts'
import { unnameOldOperators } from './upkeep/operator-retention.ts'
import { keyPlaceOf, openKeys } from './upkeep/secret-key.ts'
import { openServerWatch, type ServerWatch } from './upkeep/server-facts.ts'

const ACCESSES_RETAINED_MS = 366 * DAY_MS

/** One call of a check of the ERP; features know no other room of the ERP than its gateway. */
export type CheckedCall = Checked

/** Dependencies of the features. Built once in start.ts, or by the tests' harness. */
export type Context = Entrance &
  ErpReading & {
    outbox: Outbox
    liveChanges: LiveChanges
    /** Keeps in the database what is logged. */
    logKeeper: LogKeeper
    /** Null where nobody may read them. */
    metrics: Metrics | null
    serverWatch: ServerWatch
    /** Asks the ERP for all that the panel asks for about an order; writes nothing. */
    checkErp: (order: string) => AsyncIterable<CheckedCall>
    installation: Installation
  }

/** Out of what this server was put together, beside its configuration. */
type Installation = {
  /** The environment wins over values set by the page. */
  env: Texts
  /** Version of the values set by the page. */
  version: number
  /** Puts it together anew, soon: what is under way ends before. */
  restart: () => void
}

/** A call as its handler gets it. */
export type Call<C extends Caller | null = Caller> = Context & Bound<C>

/** Brings the schema up to date and puts the parts together. The outbox is not started yet. Resolves also to what was done to the schema. */
export async function openContext(
  given: Outside & Pick<Context, 'logKeeper' | 'checkErp' | 'installation'>,
): Promise<[context: Context, steps: string[]]> {
  const { db } = given
  const metrics = given.config.metricsToken === null ? null : await openMetrics()
  const outside = metrics === null ? given : { ...given, erp: metrics.timed(given.erp) }
  const steps = await migrate(db)
  await db.transaction(async (tx) => {
    await keepSetting(tx, KIND, given.config.mode)
    await keepSetting(tx, 'epoch', randomUUID())
  })
  const dayOf = (at: number) => plantDay(at, given.config.timeZone)
  await againWhenStored(() => db.transaction((tx) => fillCalibrations(tx, dayOf)))
  await db.transaction(fillUnsafeTools)
  const keys = await openKeys(given, keyPlaceOf(given.config, db.kind))
  const accesses = openAccesses(outside)
  const { directory: settings } = given.config
  const directory =
    settings && (await (await import('./directory/directory.ts')).openDirectory({ ...outside, accesses }, settings))
  const context: Context = {
    ...outside,
    marks: await openMarks({ ...given, keys }),
    budgets: openBudgets(given.elapsedMs),
    heavyReads: openSlots({ ...UNBOUNDED, refusal: 'too_many_searches', retryAfterS: 2 }),
    outbox: openOutbox(outside),
    accesses,
    directory,
    liveChanges: openLiveChanges(outside),
    passwords: openPasswords(),
    erpReads: openErpReads(),
    metrics,
    serverWatch: openServerWatch({ ...outside, directory }),
    keys,
  }
  return [context, steps]
}

/** Another server of the plant may have taken a change. A database that is away is said elsewhere. */
export async function lookAtSettings({ db, log, installation }: Context): Promise<void> {
  const { version } = await findInstallation(db.read)
  if (version === installation.version) return
  log.info({ version }, 'settings were changed in the page: the server puts itself together anew')
  installation.restart()
}

/** First whether somebody answers there, without a password; then, now and then, who is there. */
async function lookAtDirectory({ directory, log }: Context): Promise<void> {
  try {
    await directory?.watch()
    await directory?.look()
  } catch (error) {
    log.warn({ err: error, repeats: true }, 'the directory could not be looked at')
  }
}

/** What a server of the version before has left out of its tables, and at the first start what there was before them. */
async function enterPast({ db, log }: Context): Promise<void> {
  for (const fill of [fillSubjects, fillCodes])
    await fill(db).catch((error: unknown) => log.warn({ err: error }, 'what was stored before could not be entered'))
}

/** Does nothing while it is under way; `work` never throws. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isUnderWay = false
  return async () => {
    if (isUnderWay) return
    isUnderWay = true
    await work()
    isUnderWay = false
  }
}

/** Starts the chores that a server does by itself. Returns a function that ends them. */
export function startChores(context: Context): () => void {
  const { db, erp, now, log, logKeeper, outbox, serverWatch } = context
  const watchAlarms = openAlarmWatch(context, serverWatch, [openLogChannel(context), ...openChannels(context.config)])
  const lookAtAlarms = () =>
    watchAlarms().catch((error: unknown) => log.warn({ err: error, repeats: true }, 'alarms could not be looked at'))
  let isThere = false
  let isErpClosed = false
  let wasOther = false
  const probe = async () => {
    const { online, isStandIn, isOther } = await erp.probe()
    if (isOther && !wasOther) log.error({ isStandIn }, 'the ERP is not the one that this database was used with')
    wasOther = isOther
    if (online && isStandIn !== null && !isErpClosed) {
      await db.transaction((tx) => keepStandIn(tx, isStandIn))
      isErpClosed = true
    }
    if (online && !isThere) await outbox.hurry()
    isThere = online
  }
  const lookAtErp = () =>
    probe().catch((error: unknown) => log.warn({ err: error, repeats: true }, 'the ERP could not be probed'))
  const followers = [() => sumUpAll(context), openOutsideActs(context), openContainmentWatch(context)].map(oneAtATime)
  const isTimeTrusted = openTimeTrust(context)
  const mayDelete = async () => {
    const isTrusted = await isTimeTrusted()
    serverWatch.noteClock(isTrusted)
    return isTrusted
  }
  const tidyUp = async () => {
    if (!(await mayDelete())) return
    await db.transaction(async (tx) => {
      await deleteDeadSessions(tx, now() - 7 * DAY_MS)
      await deleteOldThrottles(tx, now() - DAY_MS)
      await deleteOldDevices(tx, now() - 400 * DAY_MS)
      await deleteOldChanges(tx, now() - HOUR_MS)
      await deleteOldAccesses(tx, now() - ACCESSES_RETAINED_MS)
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
  void enterPast(context)
  tidyUpNow()
  unnameOldNow()
  void lookAtDirectory(context)
  const timers = [
    setInterval(() => void logKeeper.flush(context), 1000),
    setInterval(() => void lookAtErp(), 15_000),
    setInterval(() => void lookAtSettings(context).catch(() => undefined), 15_000),
    setInterval(() => void lookAtAlarms(), 60_000),
    setInterval(() => void lookAtDirectory(context), 60_000),
    setInterval(() => void context.accesses.flush(), 60_000),
    ...followers.map((follow) => setInterval(() => void follow(), 60_000)),
    setInterval(() => void enterPast(context), HOUR_MS),
    setInterval(tidyUpNow, HOUR_MS),
    setInterval(unnameOldNow, DAY_MS),
  ]
  return () => timers.forEach(clearInterval)
}
