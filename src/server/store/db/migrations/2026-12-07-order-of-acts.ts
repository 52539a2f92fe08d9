import { sql } from 'kysely'
import { type Columns, column, index, type Step } from './steps.ts'

const isSqlite = ({ tableEnd }: Columns) => tableEnd.toOperationNode().sqlFragments.join('') === 'strict'

/** SQLite adds none that is stored; there its indexes store it. The versions before neither write nor read it. */
const orderedAt: Step = async (db, columns) => {
  const here = isSqlite(columns)
  const smaller = here ? 'min(measured_at, received_at)' : 'least(measured_at, received_at)'
  const storage = here ? 'virtual' : 'stored'
  try {
    const type = here ? 'integer' : 'bigint'
    await sql.raw(`alter table measurements add column ordered_at ${type} as (${smaller}) ${storage}`).execute(db)
  } catch (error) {
    if (!/duplicate column name/i.test(String((error as Error).message))) throw error
  }
}

const withoutIndex =
  (name: string, of: string): Step =>
  async (db, columns) => {
    const drop = db.schema.dropIndex(name)
    try {
      await (isSqlite(columns) ? drop : drop.on(of)).execute()
    } catch (error) {
      if (!/no such index|check that (it|column\/key) exists/i.test(String((error as Error).message))) throw error
    }
  }

/** The newest is told by the smaller of when it was done and when the server took it, which `future-times` brings back. */
export const orderOfActs: Record<string, Step> = {
  measurements_ordered_at: orderedAt,
  measurements_series_ordered: index(
    'measurements_series_ordered',
    'measurements',
    'branch',
    'counted',
    'charted',
    'unit_key',
    'terminal_key',
    'gauge_milli',
    'characteristic',
    'ordered_at',
  ),
  measurements_order_ordered: index(
    'measurements_order_ordered',
    'measurements',
    'branch',
    'order_number',
    'terminal_key',
    'ordered_at',
  ),
  without_measurements_series: withoutIndex('measurements_series', 'measurements'),
  without_measurements_order: withoutIndex('measurements_order', 'measurements'),
  // both grow at their end alone, and a start looks for what a clock ahead of itself wrote
  recordings_received: index('recordings_received', 'recordings', 'received_at'),
  measurements_received: index('measurements_received', 'measurements', 'received_at'),
  task_runs_ordered_day: column('ordered_day', 'task_runs', (c) => c.key(10)),
}
