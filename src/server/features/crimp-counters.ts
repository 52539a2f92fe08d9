import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import { type CrimpCounter, crimpCounters, HISTORY_ENTRIES_MAX } from '../../contract/crimp-counters.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import {
  dueUnits,
  filterUnits,
  isMaintenanceDue,
  maintenanceRecordsCsv,
  maintenanceRecordsFileName,
  waitingListCsv,
  waitingListFileName,
} from '../../domain/crimp-counters.ts'
import { addDays, momentTextOf, plantDay } from '../../domain/plant-time.ts'
import { nameKey } from '../../domain/recordings.ts'
import { FORECAST_DAYS, forecast } from '../../domain/tool-life.ts'
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
  type StoredCounter,
  scheduleMaintenance,
  setLimit,
} from '../store/crimp-counters.ts'
import { listCrimpsByDay } from '../store/daily-production.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { beginExport, recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'

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
    return maintenanceRecordsCsv(await listMaintenanceRecords(db.read), momentTextOf(config.timeZone))
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

  bind(app, context, crimpCounters.reset, ({ params, body }, call) => {
    requireSameUnit(params, body)
    const { maintenanceRecord } = body
    const [limitOfCrimps, done] = 'newLimitOfCrimps' in body ? [body.newLimitOfCrimps, {}] : [body.limitOfCrimps, body]
    const reset = { limitOfCrimps, done, maintenanceRecord }
    return changeUnit(params.miniaplicator, 'counter_reset', call, (tx, change) => resetCounter(tx, change, reset))
  })
}

type Reading = Pick<Call, 'db' | 'now' | 'config'>

/** What units crimped on the days before today that a forecast looks at, by the key of the unit. */
async function readHistory({ db, now, config }: Reading, unitKey: string | null) {
  const today = plantDay(now(), config.timeZone)
  const period = { from: addDays(today, -FORECAST_DAYS), to: addDays(today, -1) }
  const byUnit = Map.groupBy(await listCrimpsByDay(db.read, period, unitKey), (row) => row.unitKey)
  const of = (unit: StoredCounter) =>
    new Map((byUnit.get(nameKey(unit.miniaplicator)) ?? []).map(({ day, crimps }) => [day, crimps]))
  return (unit: StoredCounter): CrimpCounter => ({ ...unit, previsao: forecast(unit, of(unit), today) })
}

async function listUnits(call: Reading): Promise<CrimpCounter[]> {
  const units = await listCrimpCounters(call.db.read)
  return units.map(await readHistory(call, null))
}

async function findUnit(name: string, call: Reading): Promise<CrimpCounter | null> {
  const unit = await findCrimpCounter(call.db.read, name)
  return unit && (await readHistory(call, nameKey(name)))(unit)
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
const stateOf = (unit: StoredCounter | null) => {
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
  const withForecast = await readHistory(call, nameKey(name))
  const changed = await db.transaction(async (tx) => {
    const at = now()
    const unit = await findCrimpCounter(tx, name)
    if (!unit) throw new Refused('not_found')
    const { userId } = caller
    const by = { name, versionSeen, userId, changedBy: caller.fullName || caller.username, at }
    if (!(await change(tx, by))) refuseOutdated(withForecast(unit))
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
  return withVersion(changed && withForecast(changed), reply)
}
