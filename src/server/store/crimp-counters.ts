import type {
  CrimpCounter,
  CrimpHistoryEntry,
  MaintenanceRecord,
  SafetyCondition,
} from '../../contract/crimp-counters.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { byUnitName, type ListedMaintenanceRecord } from '../../domain/tools/crimp-counters.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, insertsRow, ofVersion, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

const units = (db: Reader) =>
  db
    .selectFrom('applicator_units')
    .select(['name_key', 'name', 'crimps', 'limit_crimps', 'service_order', 'maintenance_day', 'comments'])
    .select(['lifetime_crimps', 'unsafe_since', 'version'])
const unitOf = compiled((db, value: Place<{ key: string }>) => units(db).where('name_key', '=', value('key')))
const pairs = (db: Reader) => db.selectFrom('applicators').select(['miniaplicator_key', 'terminal']).orderBy('terminal')
const pairsOf = compiled((db, value: Place<{ key: string }>) => pairs(db).where('miniaplicator_key', '=', value('key')))

type UnitRow = Omit<Tables['applicator_units'], 'cycle' | 'updated_at' | 'maintained_at'>

/** A unit, as its own row has it. */
export type StoredCounter = Omit<CrimpCounter, 'previsao' | 'pecas'>

const toCounter = (row: UnitRow, terminals: string[]): StoredCounter => ({
  miniaplicator: row.name,
  numberOfCrimps: row.crimps,
  limitOfCrimps: row.limit_crimps,
  associatedTerminals: terminals,
  serviceOrder: row.service_order,
  maintenanceDate: row.maintenance_day,
  comments: row.comments,
  lifetimeCrimps: row.lifetime_crimps,
  unsafeSince: row.unsafe_since === null ? null : toInstant(row.unsafe_since),
  version: row.version,
})

/** A unit that no pair names any more is shown for as long as it has crimps. */
const isShown = (row: UnitRow, terminals: string[]) => terminals.length > 0 || row.lifetime_crimps !== 0

export async function listCrimpCounters(db: Reader): Promise<StoredCounter[]> {
  const terminalsOf = Map.groupBy(await pairs(db).execute(), (pair) => pair.miniaplicator_key)
  const rows = await units(db).execute()
  return rows
    .flatMap((row) => {
      const terminals = (terminalsOf.get(row.name_key) ?? []).map(({ terminal }) => terminal)
      return isShown(row, terminals) ? [toCounter(row, terminals)] : []
    })
    .sort(byUnitName)
}

export async function findCrimpCounter(db: Reader, name: string): Promise<StoredCounter | null> {
  const key = nameKey(name)
  const [row] = await unitOf(db, { key })
  if (!row) return null
  const named = await pairsOf(db, { key })
  const terminals = named.map(({ terminal }) => terminal)
  return isShown(row, terminals) ? toCounter(row, terminals) : null
}

/** A change of one version of a unit; null takes any. */
export type CounterChange = {
  name: string
  versionSeen: number | null
  userId: number
  changedBy: string
  at: number
}

/**
 * Locks the unit's row until the end of the transaction, so no recording counts in between. False when another change came
 * first, or the row does not exist.
 */
const takeUnit = (tx: Tx, { name, versionSeen, at }: CounterChange): Promise<boolean> =>
  tx
    .updateTable('applicator_units')
    .set((e) => ({ version: e('version', '+', 1), updated_at: at }))
    .where((e) => e.and({ name_key: nameKey(name), ...ofVersion(versionSeen) }))
    .$call(changesOne)

/** Reason of a change, with the notes that the history keeps beside the values that end. */
type HistoryNote = Pick<CrimpHistoryEntry, 'change'> & Partial<Maintenance>
type Maintenance = { serviceOrder: number | null; maintenanceDate: string | null; comments: string | null }
/** The NR-12 record, where somebody wrote it. */
type Recorded = { maintenanceRecord?: MaintenanceRecord | undefined }

/** The unit must have been taken: its values are those that the change ends. */
async function insertHistory(
  tx: Tx,
  change: CounterChange,
  note: HistoryNote,
): Promise<{ historyId: number } & Maintenance> {
  const unit = await tx
    .selectFrom('applicator_units')
    .selectAll()
    .where('name_key', '=', nameKey(change.name))
    .executeTakeFirstOrThrow()
  const ended = {
    serviceOrder: note.serviceOrder ?? unit.service_order,
    maintenanceDate: note.maintenanceDate ?? unit.maintenance_day,
    comments: note.comments ?? unit.comments,
  }
  const historyId = await tx
    .insertInto('crimp_history')
    .values({
      unit_key: unit.name_key,
      name: unit.name,
      cycle: unit.cycle,
      crimps: unit.crimps,
      limit_crimps: unit.limit_crimps,
      service_order: ended.serviceOrder,
      maintenance_day: ended.maintenanceDate,
      comments: ended.comments,
      change: note.change,
      user_id: change.userId,
      changed_by: change.changedBy,
      at: change.at,
    })
    .$call(insertsRow)
  return { historyId, ...ended }
}

type RecordOf = { historyId: number; serviceOrder: number | null; maintenanceDate: string | null }

/** As its newest maintenance record says. */
export async function noteSafety(tx: Tx, unitKey: string, condition: SafetyCondition, at: number): Promise<void> {
  const unit = tx.updateTable('applicator_units').where('name_key', '=', unitKey)
  if (condition !== 'insegura') await unit.set({ unsafe_since: null }).execute()
  // declared so again it has been unsafe all along
  else await unit.set({ unsafe_since: at }).where('unsafe_since', 'is', null).execute()
}

async function insertMaintenanceRecord(
  tx: Tx,
  { name, at }: CounterChange,
  of: RecordOf,
  { maintenanceRecord }: Recorded,
): Promise<void> {
  if (!maintenanceRecord) return
  await tx
    .insertInto('maintenance_records')
    .values({
      history_id: of.historyId,
      service_order: of.serviceOrder,
      maintenance_day: of.maintenanceDate,
      service_done: maintenanceRecord.serviceDone,
      parts: maintenanceRecord.parts,
      safety_condition: maintenanceRecord.safetyCondition,
      responsible: maintenanceRecord.responsible,
    })
    .execute()
  await noteSafety(tx, nameKey(name), maintenanceRecord.safetyCondition, at)
}

const updateUnit = (tx: Tx, name: string) => tx.updateTable('applicator_units').where('name_key', '=', nameKey(name))

/** Each of these is false when the unit is not of the version seen any more: then nothing was changed. */
export async function setLimit(tx: Tx, change: CounterChange, limitOfCrimps: number): Promise<boolean> {
  if (!(await takeUnit(tx, change))) return false
  await insertHistory(tx, change, { change: 'limit' })
  await updateUnit(tx, change.name).set({ limit_crimps: limitOfCrimps }).execute()
  return true
}

export async function scheduleMaintenance(
  tx: Tx,
  change: CounterChange,
  scheduled: Maintenance & Recorded,
): Promise<boolean> {
  if (!(await takeUnit(tx, change))) return false
  const { historyId } = await insertHistory(tx, change, { change: 'schedule' })
  const { serviceOrder, maintenanceDate, comments } = scheduled
  await insertMaintenanceRecord(tx, change, { historyId, serviceOrder, maintenanceDate }, scheduled)
  await updateUnit(tx, change.name)
    .set({ service_order: serviceOrder, maintenance_day: maintenanceDate, comments })
    .execute()
  return true
}

/** Ends the cycle: what is counted from now on belongs to the next one. The lifetime total stays. */
export async function resetCounter(
  tx: Tx,
  change: CounterChange,
  { limitOfCrimps, done, ...recorded }: { limitOfCrimps: number; done: Partial<Maintenance> } & Recorded,
): Promise<boolean> {
  if (!(await takeUnit(tx, change))) return false
  const ended = await insertHistory(tx, change, { ...done, change: 'reset' })
  await insertMaintenanceRecord(tx, change, ended, recorded)
  await updateUnit(tx, change.name)
    .set((e) => ({
      crimps: 0,
      cycle: e('cycle', '+', 1),
      limit_crimps: limitOfCrimps,
      service_order: null,
      maintenance_day: null,
      comments: null,
      maintained_at: change.at,
    }))
    .execute()
  return true
}

/** A maintenance record of a task that was done: a line of the history, which changes nothing of the unit. */
export async function insertTaskRecord(
  tx: Tx,
  change: CounterChange,
  maintenanceRecord: MaintenanceRecord,
): Promise<number> {
  const { historyId } = await insertHistory(tx, change, { change: 'task' })
  await insertMaintenanceRecord(
    tx,
    change,
    { historyId, serviceOrder: null, maintenanceDate: null },
    { maintenanceRecord },
  )
  return historyId
}

const withRecords = (db: Reader) =>
  db
    .selectFrom('crimp_history as h')
    .leftJoin('maintenance_records as m', 'm.history_id', 'h.id')
    .selectAll('h')
    .select(['m.service_order as record_order', 'm.maintenance_day as record_day'])
    .select(['m.service_done', 'm.parts', 'm.safety_condition', 'm.responsible'])

type HistoryRow = Awaited<ReturnType<ReturnType<typeof withRecords>['execute']>>[number]

/** All of a record's columns are there, or none. */
const recordOf = ({ service_done, parts, safety_condition, responsible }: HistoryRow): MaintenanceRecord | null =>
  service_done === null || parts === null || safety_condition === null || responsible === null
    ? null
    : { serviceDone: service_done, parts, safetyCondition: safety_condition, responsible }

/** The newest first. */
export async function listCrimpHistory(db: Reader, countMax: number): Promise<CrimpHistoryEntry[]> {
  const rows = await withRecords(db).orderBy('h.id', 'desc').limit(countMax).execute()
  return rows.map((row) => ({
    id: row.id,
    miniaplicator: row.name,
    numberOfCrimps: row.crimps,
    limitOfCrimps: row.limit_crimps,
    updateDate: toInstant(row.at),
    serviceOrder: row.service_order,
    maintenanceDate: row.maintenance_day,
    comments: row.comments,
    change: row.change,
    changedBy: row.changed_by,
    maintenanceRecord: recordOf(row),
  }))
}

/** All there are, the oldest first, with the order and the day that each one is about. */
export async function listMaintenanceRecords(db: Reader): Promise<ListedMaintenanceRecord[]> {
  const rows = await withRecords(db).where('m.history_id', 'is not', null).orderBy('h.id').execute()
  return rows.flatMap((row) => {
    const record = recordOf(row)
    if (!record) return []
    const { name: miniaplicator, change, crimps: numberOfCrimps, changed_by: recordedBy } = row
    const about = { serviceOrder: row.record_order, maintenanceDate: row.record_day }
    return [{ ...record, ...about, miniaplicator, change, numberOfCrimps, recordedBy, recordedAt: toInstant(row.at) }]
  })
}

/** By the records that there are: those of the time before there was such a column, and of a server of the version before. */
export async function fillUnsafeTools(tx: Tx): Promise<void> {
  const ofTools = await tx
    .selectFrom('maintenance_records as m')
    .innerJoin('crimp_history as h', 'h.id', 'm.history_id')
    .select(['h.unit_key', 'h.at', 'm.safety_condition as condition'])
    .execute()
  const ofCalls = await tx
    .selectFrom('maintenance_calls')
    .select(['unit_key', 'settled_at', 'record_json'])
    .where('record_json', 'is not', null)
    .execute()
  const declared = [
    ...ofTools,
    ...ofCalls.map(({ unit_key, settled_at, record_json }) => ({
      ...{ unit_key, at: settled_at ?? 0 },
      condition: (JSON.parse(record_json ?? '{}') as Partial<MaintenanceRecord>).safetyCondition,
    })),
  ].toSorted((one, other) => one.at - other.at)
  const since = new Map<string, number | null>()
  for (const { unit_key: key, at, condition } of declared) {
    since.set(key, condition === 'insegura' ? (since.get(key) ?? at) : null)
  }
  for (const [key, unsafeSince] of since) {
    const unit = tx.updateTable('applicator_units').set({ unsafe_since: unsafeSince }).where('name_key', '=', key)
    // what is right already is not written anew at each start
    await unit.where('unsafe_since', unsafeSince === null ? 'is not' : 'is', null).execute()
  }
}
