import { index, must, type Step, table } from './steps.ts'

/** Parts of tools that wear singly, what has to be done to tools again and again, and each time that it was done. */
export const wearParts: Record<string, Step> = {
  wear_parts: table('wear_parts', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('kind', c.key(32), must)
      .addColumn('code', c.key(64), must)
      .addColumn('limit_crimps', c.integer, must)
      .addColumn('lifetime_at_mount', c.integer, must)
      .addColumn('used_before', c.integer, must)
      .addColumn('mounted_at', c.integer, must)
      .addColumn('mounted_by', c.key(255), must)
      .addColumn('mounted_by_id', c.integer, must)
      .addColumn('removed_at', c.integer)
      .addColumn('removed_by', c.key(255))
      .addColumn('removed_by_id', c.integer)
      .addColumn('crimps_at_removal', c.integer)
      .addColumn('removal_reason', c.key(16))
      .addColumn('open_key', c.key(64), (col) => col.unique()),
  ),
  wear_parts_unit: index('wear_parts_unit', 'wear_parts', 'unit_key'),
  maintenance_tasks: table('maintenance_tasks', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('unit_key', c.key(255))
      .addColumn('name', c.key(255), must)
      .addColumn('every_crimps', c.integer)
      .addColumn('every_days', c.integer)
      .addColumn('active', c.integer, must)
      .addColumn('version', c.integer, must),
  ),
  task_runs: table('task_runs', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('task_id', c.integer, must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('lifetime_at', c.integer, must)
      .addColumn('done_day', c.key(10), must)
      .addColumn('note', c.longText, must)
      .addColumn('history_id', c.integer)
      .addColumn('recorded_at', c.integer, must)
      .addColumn('recorded_by', c.key(255), must)
      .addColumn('user_id', c.integer, must),
  ),
  task_runs_task: index('task_runs_task', 'task_runs', 'task_id', 'unit_key', 'done_day'),
}
