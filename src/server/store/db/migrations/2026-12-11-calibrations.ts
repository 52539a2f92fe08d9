import { column, must, type Step, table } from './steps.ts'

/** Until when each instrument was calibrated, as it was known on each day; and which gauge it is. */
export const calibrations: Record<string, Step> = {
  instrument_calibrations: table('instrument_calibrations', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('instrument_id', c.integer, must)
      .addColumn('version', c.integer, must)
      .addColumn('from_day', c.key(10), must)
      .addColumn('until_day', c.key(10))
      .addColumn('changed_by', c.key(255), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('at', c.integer, must)
      .addUniqueConstraint('instrument_calibrations_version', ['instrument_id', 'version']),
  ),
  instruments_kind: column('kind', 'instruments', (c) => c.key(20)),
}
