import { id, index, must, type Step, table } from './steps.ts'

/** What the list of control charts says of each series. */
export const controlCharts: Record<string, Step> = {
  spc_series: table('spc_series', (t, c) =>
    t
      .addColumn('series', c.key(64), id)
      .addColumn('branch', c.key(12), must)
      .addColumn('unit', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('gauge_milli', c.integer, must)
      .addColumn('characteristic', c.key(20), must)
      .addColumn('changes', c.integer, must)
      .addColumn('summed_changes', c.integer, must)
      .addColumn('samples', c.integer, must)
      .addColumn('machine', c.key(255), must)
      .addColumn('measured_at', c.integer)
      .addColumn('readings', c.integer, must)
      .addColumn('mean', c.number, must)
      .addColumn('sigma', c.number, must)
      .addColumn('signals_json', c.longText, must),
  ),
  spc_series_branch: index('spc_series_branch', 'spc_series', 'branch'),
}
