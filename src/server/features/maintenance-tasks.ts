import type { FastifyInstance } from 'fastify'
import type { MaintenanceRecord } from '../../contract/crimp-counters.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import {
  type MaintenanceTask,
  maintenanceTasks,
  PLAN_ROWS_MAX,
  type PlanRow,
  type TaskForm,
  type TaskRun,
} from '../../contract/maintenance-tasks.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { filterUnits } from '../../domain/tools/crimp-counters.ts'
import { type OwnTask, planOf, type Since, soonestFirst } from '../../domain/tools/maintenance-tasks.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { findCrimpCounter, insertTaskRecord, listCrimpCounters, type StoredCounter } from '../store/crimp-counters.ts'
import { findLifetimeAfter } from '../store/crimps-by-day.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  findTask,
  insertRun,
  insertTask,
  listFirstDays,
  listLastRuns,
  listTasks,
  type StoredTask,
  updateTask,
} from '../store/maintenance-tasks.ts'
import { recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'
import { type Reading, readLives } from './tool-life.ts'
import { byOf } from './wear-parts.ts'

const shown = ({ unitKey: _, ...task }: StoredTask): MaintenanceTask => task

/** Since when each unit is there: the earlier of its registration and its first work. */
async function readFirstDays({ db, config }: Reading, today: string): Promise<(unitKey: string) => string> {
  const days = (await listFirstDays(db.read)).map(({ unitKey, productionDay, pairAt }): [string, string] => {
    const registered = pairAt === null ? null : plantDay(pairAt, config.timeZone)
    const [first = today] = [productionDay, registered].filter((day) => day !== null).sort()
    return [unitKey, first]
  })
  const firstDays = new Map(days)
  return (unitKey) => firstDays.get(unitKey) ?? today
}

/** Which tasks a unit has, and since when each of them counts. */
async function readOwnTasks(call: Reading, today: string): Promise<(unitKey: string) => OwnTask[]> {
  const { db } = call
  const active = (await listTasks(db.read)).filter((task) => task.active)
  if (active.length === 0) return () => []
  const keyOf = (taskId: number, unitKey: string) => `${taskId} ${unitKey}`
  const runs = new Map((await listLastRuns(db.read)).map((run) => [keyOf(run.taskId, run.unitKey), run]))
  const firstDayOf = await readFirstDays(call, today)
  return (unitKey) =>
    active
      .filter((task) => task.unitKey === null || task.unitKey === unitKey)
      .map((task) => {
        const run = runs.get(keyOf(task.id, unitKey))
        const since: Since = run
          ? { lifetime: run.lifetimeAt, day: run.doneDay }
          : { lifetime: 0, day: firstDayOf(unitKey) }
        return { task: shown(task), since, doneDay: run?.doneDay ?? null }
      })
}

/** Parts and tasks that come due, soonest first, of the units whose names contain the filter. */
export async function readPlan(call: Reading, filter: string): Promise<PlanRow[]> {
  const units = filterUnits(await listCrimpCounters(call.db.read), filter)
  const { today, lifeOf } = await readLives(call, null)
  const tasksOf = await readOwnTasks(call, today)
  const rows = units.flatMap((stored) => {
    const { unit, forecast } = lifeOf(stored)
    return planOf(unit, tasksOf(nameKey(unit.miniaplicator)), { forecast, today })
  })
  return rows.sort(soonestFirst)
}

async function getUnit(db: Reader, name: string): Promise<StoredCounter> {
  const unit = await findCrimpCounter(db, name)
  if (!unit) throw new Refused('not_found')
  return unit
}

/** As it is stored: a unit is called what it is called elsewhere. */
async function taskOf(tx: Tx, form: TaskForm): Promise<Omit<MaintenanceTask, 'id' | 'version'>> {
  const { miniaplicator, name, everyCrimps = null, everyDays = null, active } = form
  const unit = miniaplicator === undefined ? null : await getUnit(tx, miniaplicator)
  return { miniaplicator: unit?.miniaplicator ?? null, name, everyCrimps, everyDays, active }
}

const stateOf = ({ miniaplicator, name, everyCrimps, everyDays, active }: Omit<MaintenanceTask, 'id' | 'version'>) => ({
  task: name,
  miniaplicator,
  everyCrimps,
  everyDays,
  taskActive: active,
})

const noteTasks = (tx: Tx, { now }: Call, { miniaplicator }: Pick<MaintenanceTask, 'miniaplicator'>) =>
  noteChanges(tx, [{ topic: 'wear-parts', key: miniaplicator ?? '' }], now())

type Recorded = { unit: StoredCounter; maintenanceRecord: MaintenanceRecord | undefined }

async function noteRecord(tx: Tx, call: Call, { unit, maintenanceRecord }: Recorded): Promise<number | null> {
  if (!maintenanceRecord) return null
  const { userId, name: changedBy, at } = byOf(call)
  const by = { name: unit.miniaplicator, versionSeen: null, userId, changedBy, at }
  return await insertTaskRecord(tx, by, maintenanceRecord)
}

async function recordRun(tx: Tx, call: Call, id: number, run: TaskRun): Promise<number> {
  const task = await findTask(tx, id)
  if (!task) throw new Refused('not_found')
  const unit = await getUnit(tx, run.miniaplicator)
  const unitKey = nameKey(unit.miniaplicator)
  if (task.unitKey !== null && task.unitKey !== unitKey) throw new Refused('not_found')
  const lifetimeAt = await findLifetimeAfter(tx, unitKey, run.day)
  const historyId = await noteRecord(tx, call, { unit, maintenanceRecord: run.maintenanceRecord })
  const stored = { taskId: id, unitKey, lifetimeAt, doneDay: run.day, note: run.note, historyId }
  const inserted = await insertRun(tx, stored, byOf(call))
  await recordAuditEvent(tx, call, {
    action: 'task_run',
    kind: 'counter',
    id: unit.miniaplicator,
    name: unit.miniaplicator,
    is: { task: task.name, doneDay: run.day, note: run.note },
  })
  const key = unit.miniaplicator
  const changes: LiveChange[] = [{ topic: 'wear-parts', key }]
  if (historyId !== null) changes.push({ topic: 'crimp-history', key })
  await noteChanges(tx, changes, call.now())
  return inserted
}

export function maintenanceTaskRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, maintenanceTasks.plan, async ({ query }, call) => {
    const rows = await readPlan(call, query.filter ?? '')
    return { rows: rows.slice(0, PLAN_ROWS_MAX), totalCount: rows.length }
  })

  bind(app, context, maintenanceTasks.list, async (_, { db }) => (await listTasks(db.read)).map(shown))

  bind(app, context, maintenanceTasks.create, async ({ body }, call) => {
    const { db, reply } = call
    const id = await db.transaction(async (tx) => {
      const task = await taskOf(tx, body)
      const inserted = await insertTask(tx, task)
      await recordAuditEvent(tx, call, { action: 'task_created', kind: 'task', id: inserted, is: stateOf(task) })
      await noteTasks(tx, call, task)
      return inserted
    })
    const task = await findTask(db.read, id)
    return new Answer(201, withVersion(task && shown(task), reply))
  })

  bind(app, context, maintenanceTasks.change, async ({ params: { id }, body }, call) => {
    const { db, versionSeen, reply } = call
    await db.transaction(async (tx) => {
      const was = await findTask(tx, id)
      const task = await taskOf(tx, body)
      if (!was || !(await updateTask(tx, id, versionSeen, task))) return refuseOutdated(was)
      const event = { action: 'task_changed', kind: 'task', id, name: was.name } as const
      await recordAuditEvent(tx, call, { ...event, was: stateOf(was), is: stateOf(task) })
      await noteTasks(tx, call, task)
    })
    const task = await findTask(db.read, id)
    return withVersion(task && shown(task), reply)
  })

  bind(app, context, maintenanceTasks.run, async ({ params: { id }, body }, call) => {
    if (body.day > plantDay(call.now(), call.config.timeZone)) throw new Refused('done_in_future')
    return new Answer(201, { id: await call.db.transaction((tx) => recordRun(tx, call, id, body)) })
  })
}
