import type { MaintenanceTask } from '../../contract/maintenance-tasks.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { listFirstCrimpDays } from './crimps-by-day.ts'
import { changeVersion, insertsRow, type Reader, type Tx } from './db/db.ts'
import type { By } from './wear-parts.ts'

const tasks = (db: Reader) =>
  db
    .selectFrom('maintenance_tasks as t')
    .leftJoin('applicator_units as u', 'u.name_key', 't.unit_key')
    .select(['t.id', 't.name', 't.every_crimps as everyCrimps', 't.every_days as everyDays', 't.active', 't.version'])
    .select(['u.name as miniaplicator', 't.unit_key as unitKey'])

export type StoredTask = MaintenanceTask & { unitKey: string | null }
type TaskRow = Omit<StoredTask, 'active'> & { active: number }

const toTask = ({ active, ...row }: TaskRow): StoredTask => ({ ...row, active: active === 1 })

export const listTasks = async (db: Reader): Promise<StoredTask[]> =>
  (await tasks(db).orderBy('t.name').orderBy('t.id').execute()).map(toTask)

export async function findTask(db: Reader, id: number): Promise<StoredTask | null> {
  const row = await tasks(db).where('t.id', '=', id).executeTakeFirst()
  return row ? toTask(row) : null
}

type Task = Omit<MaintenanceTask, 'id' | 'version'>

const columnsOf = ({ miniaplicator, name, everyCrimps, everyDays, active }: Task) => ({
  unit_key: miniaplicator === null ? null : nameKey(miniaplicator),
  name,
  every_crimps: everyCrimps,
  every_days: everyDays,
  active: Number(active),
})

export const insertTask = (tx: Tx, task: Task): Promise<number> =>
  tx
    .insertInto('maintenance_tasks')
    .values({ ...columnsOf(task), version: 1 })
    .$call(insertsRow)

/** False when it is gone or is not of this version any more; null takes any. */
export const updateTask = (tx: Tx, id: number, versionSeen: number | null, task: Task): Promise<boolean> =>
  changeVersion(tx, 'maintenance_tasks', { id, versionSeen }, columnsOf(task))

type NewRun = {
  taskId: number
  unitKey: string
  lifetimeAt: number
  doneDay: string
  note: string
  historyId: number | null
}

export async function insertRun(tx: Tx, run: NewRun, { userId, name, at }: By): Promise<number> {
  const id = await tx
    .insertInto('task_runs')
    .values({
      task_id: run.taskId,
      unit_key: run.unitKey,
      lifetime_at: run.lifetimeAt,
      done_day: run.doneDay,
      note: run.note,
      history_id: run.historyId,
      recorded_at: at,
      recorded_by: name,
      user_id: userId,
    })
    .$call(insertsRow)
  await tx.updateTable('applicator_units').set({ maintained_at: at }).where('name_key', '=', run.unitKey).execute()
  return id
}

/**
 * When each task was done last on each unit, one written late among them; of two on one day the later written. A day that a clock
 * ahead of itself wrote counts as the one on which that was noticed.
 */
export const listLastRuns = (db: Reader) =>
  db
    .selectFrom('task_runs as r')
    .innerJoin(
      (e) =>
        e
          .selectFrom('task_runs')
          .select(['task_id', 'unit_key', (of) => of.fn.max(of.fn.coalesce('ordered_day', 'done_day')).as('day')])
          .groupBy(['task_id', 'unit_key'])
          .as('last'),
      (join) =>
        join
          .onRef('last.task_id', '=', 'r.task_id')
          .onRef('last.unit_key', '=', 'r.unit_key')
          .on('last.day', '=', (e) => e.fn.coalesce('r.ordered_day', 'r.done_day')),
    )
    .select(['r.task_id as taskId', 'r.unit_key as unitKey', 'r.lifetime_at as lifetimeAt', 'last.day as doneDay'])
    .orderBy('r.id')
    .execute()

type FirstDay = { unitKey: string; productionDay: string | null; pairAt: number | null }

/** When units were first worked with and first registered, each by one look into an index. */
export async function listFirstDays(db: Reader): Promise<FirstDay[]> {
  const pairs = await db
    .selectFrom('applicators')
    .select(['miniaplicator_key as key', (e) => e.fn.min('created_at').as('at')])
    .groupBy('miniaplicator_key')
    .execute()
  const pairAt = new Map(pairs.map(({ key, at }) => [key, Number(at)]))
  const units = await listFirstCrimpDays(db)
  return units.map(({ unitKey, day }) => ({ unitKey, productionDay: day, pairAt: pairAt.get(unitKey) ?? null }))
}
