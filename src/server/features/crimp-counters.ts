import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import { type CrimpCounter, crimpCounters, HISTORY_ENTRIES_MAX } from '../../contract/crimp-counters.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { momentTextOf, plantDay } from '../../domain/plant/plant-time.ts'
import {
  dueUnits,
  filterUnits,
  isMaintenanceDue,
  maintenanceRecordsCsv,
  maintenanceRecordsFileName,
  waitingListCsv,
  waitingListFileName,
} from '../../domain/tools/crimp-counters.ts'
import { bind } from '../http/bind.ts'
import { Refused, refuseField } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import {
  type CounterChange,
  findCrimpCounter,
  listCrimpCounters,
  listCrimpHistory,
  listMaintenanceRecords,
  resetCounter,
  type StoredCounter,
  scheduleMaintenance,
  setLimit,
} from '../store/crimp-counters.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { listCallRecords } from '../store/maintenance-calls.ts'
import { findLimitRoles } from '../store/settings.ts'
import { beginExport, recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'
import { findUnit, listUnits, withLife } from './tool-life.ts'
import { replaceParts } from './wear-parts.ts'

export function crimpCounterRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, crimpCounters.list, async ({ query }, call) => {
    const units = await listUnits(call)
    const controlTable = filterUnits(units, query.filter ?? '')
    const maintenancePreSchedule = dueUnits(controlTable)
    return {
      controlTable,
      maintenancePreSchedule,
      controlTableCount: controlTable.length,
      maintenancePreScheduleCount: maintenancePreSchedule.length,
      totalCount: units.length,
    }
  })

  bind(app, context, crimpCounters.history, (_, { db }) => listCrimpHistory(db.read, HISTORY_ENTRIES_MAX))

  bind(app, context, crimpCounters.exportCsv, async ({ query }, call) => {
    const { db, now, config } = call
    const units = await listCrimpCounters(db.read)
    const name = waitingListFileName(plantDay(now(), config.timeZone))
    await beginExport(call, name)
    return waitingListCsv(dueUnits(filterUnits(units, query.filter ?? '')))
  })

  bind(app, context, crimpCounters.exportMaintenanceRecords, async (_, call) => {
    const { db, now, config } = call
    const name = maintenanceRecordsFileName(plantDay(now(), config.timeZone))
    await beginExport(call, name)
    return maintenanceRecordsCsv(await listRecords(db.read), momentTextOf(config.timeZone))
  })

  bind(app, context, crimpCounters.maintenancePending, async (_, call) => dueUnits(await listUnits(call)))

  bind(app, context, crimpCounters.maintenancePendingCount, async (_, { db }) => {
    const units = await listCrimpCounters(db.read)
    return { count: units.filter(isMaintenanceDue).length, totalCount: units.length }
  })

  bind(app, context, crimpCounters.get, async ({ params }, call) =>
    withVersion(await findUnit(params.miniaplicator, call), call.reply),
  )

  bind(app, context, crimpCounters.setLimit, ({ params, body }, call) => {
    requireSameUnit(params, body)
    return changeUnit(params.miniaplicator, 'limit_changed', call, (tx, change) =>
      setLimit(tx, change, body.limitOfCrimps),
    )
  })

  bind(app, context, crimpCounters.schedule, async ({ params, body }, call) => {
    requireSameUnit(params, body)
    if (body.maintenanceDate < plantDay(call.now(), call.config.timeZone)) throw new Refused('maintenance_in_past')
    return await changeUnit(params.miniaplicator, 'maintenance_scheduled', call, (tx, change) =>
      scheduleMaintenance(tx, change, body),
    )
  })

  bind(app, context, crimpCounters.reset, async ({ params, body }, call) => {
    requireSameUnit(params, body)
    const { maintenanceRecord, replacedParts = [] } = body
    if (replacedParts.length > 0) await requireParts(call)
    const [limitOfCrimps, done] = 'newLimitOfCrimps' in body ? [body.newLimitOfCrimps, {}] : [body.limitOfCrimps, body]
    const reset = { limitOfCrimps, done, maintenanceRecord }
    return await changeUnit(params.miniaplicator, 'counter_reset', call, async (tx, change) => {
      if (!(await resetCounter(tx, change, reset))) return false
      await replaceParts(tx, call, replacedParts, { unitKey: nameKey(params.miniaplicator) })
      return true
    })
  })
}

/** The NR-12 records of the trail and of calls, the oldest first. */
async function listRecords(db: Reader) {
  const records = [...(await listMaintenanceRecords(db)), ...(await listCallRecords(db))]
  return records.sort((one, other) => (one.recordedAt < other.recordedAt ? -1 : 1))
}

/** Parts need `maintain`, which not every plant gives to all who may reset a counter. */
async function requireParts({ caller, db }: Call): Promise<void> {
  if (!isAllowed(caller.role, 'maintain', await findLimitRoles(db.read))) throw new Refused('not_allowed', { caller })
}

type Named = { miniaplicator: string }

/** The unit is named twice; a body that was meant for another one must not be taken for this. */
function requireSameUnit({ miniaplicator }: Named, body: Named): void {
  if (nameKey(body.miniaplicator) === nameKey(miniaplicator)) return
  refuseField('miniaplicator', 'Não é o mini aplicador do endereço')
}

/** Fields that people change of a unit, and the count that a reset ends. */
const stateOf = (unit: StoredCounter | null) => {
  if (!unit) return {}
  const { numberOfCrimps, limitOfCrimps, serviceOrder, maintenanceDate, comments } = unit
  return { numberOfCrimps, limitOfCrimps, serviceOrder, maintenanceDate, comments }
}

type UnitChange = (tx: Tx, by: CounterChange) => Promise<boolean>
type Changed = { name: string; action: AuditAction; versionSeen: number | null }

/** Changes a unit within a transaction of whatever else that change is part of. */
async function changeUnitWithin(
  tx: Tx,
  { name, action, versionSeen }: Changed,
  call: Call,
  change: UnitChange,
): Promise<StoredCounter | null> {
  const { caller, now } = call
  const at = now()
  const unit = await findCrimpCounter(tx, name)
  if (!unit) throw new Refused('not_found')
  const { userId } = caller
  const by = { name, versionSeen, userId, changedBy: caller.fullName || caller.username, at }
  if (!(await change(tx, by))) refuseOutdated(unit)
  const key = unit.miniaplicator
  const changes: LiveChange[] = [
    { topic: 'crimp-counters', key },
    { topic: 'crimp-history', key },
  ]
  const after = await findCrimpCounter(tx, name)
  await recordAuditEvent(tx, call, {
    action,
    kind: 'counter',
    id: key,
    name: key,
    was: stateOf(unit),
    is: stateOf(after),
  })
  await noteChanges(tx, changes, at)
  return after
}

async function changeUnit(name: string, action: AuditAction, call: Call, change: UnitChange): Promise<CrimpCounter> {
  const { db, versionSeen, reply } = call
  const changed = await db.transaction((tx) => changeUnitWithin(tx, { name, action, versionSeen }, call, change))
  return withVersion(await withLife(changed, call), reply)
}

/** Ends the cycle of a tool whose call is resolved: its limit stays. Needs `limits`, as a reset by itself does. */
export async function resetOfCall(tx: Tx, name: string, versionSeen: number, call: Call): Promise<void> {
  const { caller } = call
  if (!isAllowed(caller.role, 'limits', await findLimitRoles(tx))) throw new Refused('not_allowed', { caller })
  const unit = await findCrimpCounter(tx, name)
  if (!unit) throw new Refused('not_found')
  const { limitOfCrimps } = unit
  await changeUnitWithin(tx, { name, action: 'counter_reset', versionSeen }, call, (inner, change) =>
    resetCounter(inner, change, { limitOfCrimps, done: {} }),
  )
}
