import { must, type Step, table } from './steps.ts'

/** What was done to a tool, beside the line of its history that it belongs to (NR-12, 12.11). */
export const maintenanceRecords: Record<string, Step> = {
  maintenance_records: table('maintenance_records', (t, c) =>
    t
      .addColumn('history_id', c.integer, (col) => col.notNull().primaryKey())
      .addColumn('service_order', c.integer)
      .addColumn('maintenance_day', c.key(10))
      .addColumn('service_done', c.longText, must)
      .addColumn('parts', c.longText, must)
      .addColumn('safety_condition', c.key(32), must)
      .addColumn('responsible', c.key(255), must),
  ),
}
