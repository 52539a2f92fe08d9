import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import { type CrimpCounter, crimpCounters, HISTORY_ENTRIES_MAX } from '../../contract/crimp-counters.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import {
  filterUnits,
  isMaintenanceDue,
  maintenanceRecordsCsv,
  maintenanceRecordsFileName,
  waitingListCsv,
  waitingListFileName,
} from '../../domain/crimp-counters.ts'
import { momentTextOf, plantDay } from '../../domain/plant-time.ts'
import { nameKey } from '../../domain/recordings.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import {
  type CounterChange,
  findCrimpCounter,
  listCrimpCounters,
  listCrimpHistory,
  listMaintenanceRecords,
  resetCounter,
  scheduleMaintenance,
  setLimit,
} from '../store/crimp-counters.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { beginExport, recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'

export function crimpCounterRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, crimpCounters.list, async ({ query }, { db }) => {
    const units = await listCrimpCounters(db.read)
    const controlTable = filterUnits(units, query.filter ?? '')
    const maintenancePreSchedule = controlTable.filter(isMaintenanceDue)
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
    return waitingListCsv(filterUnits(units, query.filter ?? '').filter(isMaintenanceDue))
  })

  bind(app, context, crimpCounters.exportMaintenanceRecords, async (_, call) => {
    const { db, now, config } = call
    const name = maintenanceRecordsFileName(plantDay(now(), config.timeZone))
    await beginExport(call, name)
    return maintenanceRecordsCsv(await listMaintenanceRecords(db.read), momentTextOf(config.timeZone))
  })

  bind(app, context, crimpCounters.maintenancePending, async (_, { db }) =>
    (await listCrimpCounters(db.read)).filter(isMaintenanceDue),
  )

  bind(app, context, crimpCounters.maintenancePendingCount, async (_, { db }) => {
    const units = await listCrimpCounters(db.read)
    return { count: units.filter(isMaintenanceDue).length, totalCount: units.length }
  })

  bind(app, context, crimpCounters.get, async ({ params }, { db, reply }) =>
    withVersion(await findCrimpCounter(db.read, params.miniaplicator), reply),
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

  bind(app, context, crimpCounters.reset, ({ params, body }, call) => {
    requireSameUnit(params, body)
    const { maintenanceRecord } = body
    const [limitOfCrimps, done] = 'newLimitOfCrimps' in body ? [body.newLimitOfCrimps, {}] : [body.limitOfCrimps, body]
    const reset = { limitOfCrimps, done, maintenanceRecord }
    return changeUnit(params.miniaplicator, 'counter_reset', call, (tx, change) => resetCounter(tx, change, reset))
  })
}

type Named = { miniaplicator: string }

/** The unit is named twice; a body that was meant for another one must not be taken for this. */
function requireSameUnit({ miniaplicator }: Named, body: Named): void {
  if (nameKey(body.miniaplicator) === nameKey(miniaplicator)) return
  throw new Refused('input_invalid', {
    details: [{ field: 'miniaplicator', message: 'Não é o mini aplicador do endereço' }],
  })
}

/** What people change of a unit, and what a reset ends. */
const stateOf = (unit: CrimpCounter | null) => {
  if (!unit) return {}
  const { numberOfCrimps, limitOfCrimps, serviceOrder, maintenanceDate, comments } = unit
  return { numberOfCrimps, limitOfCrimps, serviceOrder, maintenanceDate, comments }
}

async function changeUnit(
  name: string,
  action: AuditAction,
  call: Call,
  change: (tx: Tx, by: CounterChange) => Promise<boolean>,
): Promise<CrimpCounter> {
  const { db, caller, versionSeen, now, reply } = call
  const changed = await db.transaction(async (tx) => {
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
  })
  return withVersion(changed, reply)
}
