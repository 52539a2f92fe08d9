import { must, type Step, table } from './steps.ts'

/** The last copies of junctions, and what a recording names beside items. */
export const junctions: Record<string, Step> = {
  erp_junctions: table('erp_junctions', (t, c) =>
    t
      .addColumn('branch', c.key(12), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('row_json', c.longText, must)
      .addColumn('planned', c.number, must)
      .addColumn('percent_read', c.number, must)
      .addColumn('delivered_since', c.number, must)
      .addColumn('on_way', c.number, must)
      .addColumn('settled_at', c.integer, must)
      .addColumn('fetched_at', c.integer, must)
      .addPrimaryKeyConstraint('erp_junctions_key', ['branch', 'order_number', 'position']),
  ),
  erp_junction_details: table('erp_junction_details', (t, c) =>
    t
      .addColumn('branch', c.key(12), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('details_json', c.longText, must)
      .addColumn('fetched_at', c.integer, must)
      .addPrimaryKeyConstraint('erp_junction_details_key', ['branch', 'order_number', 'position']),
  ),
}
