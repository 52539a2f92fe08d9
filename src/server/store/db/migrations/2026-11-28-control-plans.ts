import { index, must, type Step, table } from './steps.ts'

/** What quality asks for of each terminal and gauge, and the instruments to measure it with. */
export const controlPlans: Record<string, Step> = {
  control_plans: table('control_plans', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('place', c.key(64), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('gauge_milli', c.integer, must)
      .addColumn('unit', c.key(255), must)
      .addColumn('machine', c.key(255), must)
      .addColumn('version', c.integer, must)
      .addColumn('height_nominal_milli', c.integer)
      .addColumn('height_minus_milli', c.integer)
      .addColumn('height_plus_milli', c.integer)
      .addColumn('force_min_milli', c.integer)
      .addColumn('width_nominal_milli', c.integer)
      .addColumn('width_minus_milli', c.integer)
      .addColumn('width_plus_milli', c.integer)
      .addColumn('insulation_nominal_milli', c.integer)
      .addColumn('insulation_minus_milli', c.integer)
      .addColumn('insulation_plus_milli', c.integer)
      .addColumn('height_readings', c.integer, must)
      .addColumn('force_readings', c.integer, must)
      .addColumn('every_pieces', c.integer)
      .addColumn('last_piece', c.integer, must)
      .addColumn('instrument', c.key(255), must)
      .addColumn('reaction', c.longText, must)
      .addColumn('valid_from', c.integer, must)
      .addColumn('valid_until', c.integer)
      .addUniqueConstraint('control_plans_version', ['place', 'version']),
  ),
  control_plans_terminal: index('control_plans_terminal', 'control_plans', 'terminal_key', 'gauge_milli'),
  instruments: table('instruments', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('code', c.key(64), must)
      .addColumn('code_key', c.key(64), (column) => column.notNull().unique())
      .addColumn('description', c.key(255), must)
      .addColumn('resolution_milli', c.integer, must)
      .addColumn('calibrated_until_day', c.key(10))
      .addColumn('active', c.integer, must)
      .addColumn('version', c.integer, must),
  ),
}
