import type { Generated } from 'kysely'
import type { PartKind, RemovalReason } from '../../../contract/crimp-counters.ts'

/** Tables of wearing parts and maintenance tasks; as `Tables`. */
export type ToolTables = {
  /** Parts of tools that wear singly. What one has crimped follows from its unit's lifetime. */
  wear_parts: {
    id: Generated<number>
    unit_key: string
    kind: PartKind
    code: string
    /** -1: unlimited. */
    limit_crimps: number
    lifetime_at_mount: number
    /** On another tool, before it was mounted here. */
    used_before: number
    mounted_at: number
    mounted_by: string
    mounted_by_id: number
    /** This and the next four are null while it is mounted. */
    removed_at: number | null
    removed_by: string | null
    removed_by_id: number | null
    crimps_at_removal: number | null
    removal_reason: RemovalReason | null
    /** The call by whose resolution it went; null where it went otherwise. */
    call_id: string | null
    /** Key of the place where a part may be mounted once; null when it is mounted no more. */
    open_key: string | null
  }
  /** Tasks done to a unit, or to all of them, again and again. */
  maintenance_tasks: {
    id: Generated<number>
    /** Null: all units. */
    unit_key: string | null
    name: string
    /** One of both at least. */
    every_crimps: number | null
    every_days: number | null
    active: number
    version: number
  }
  /** Each time that a task was done; lines are only added. */
  task_runs: {
    id: Generated<number>
    task_id: number
    unit_key: string
    /** The unit's crimps in all its cycles when that day ended. */
    lifetime_at: number
    done_day: string
    /** By which runs are ordered where a clock ahead of itself wrote the day. */
    ordered_day: Generated<string | null>
    note: string
    /** The line of the history that has its maintenance record; null where nobody wrote one. */
    history_id: number | null
    recorded_at: number
    recorded_by: string
    user_id: number
  }
}
