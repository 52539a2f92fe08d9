import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { column, index, must, type Step, table } from './steps.ts'

/** Whether a series asks for other limits, and which of its points are signals now, is known once it is summed up anew. */
const sumUpAnew: Step = async (schema) => {
  const db = schema as unknown as Kysely<Tables>
  await db
    .updateTable('spc_series')
    .set((e) => ({ changes: e('changes', '+', 1) }))
    .execute()
}

/** Causes as lines, what was a signal when it was seen, and series whose limits are of another size. */
export const causesAndSignals: Record<string, Step> = {
  measurement_causes: table('measurement_causes', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('act_id', c.key(36), must)
      .addColumn('characteristic', c.key(20), must)
      .addColumn('cause', c.key(32), must)
      .addColumn('note', c.longText, must)
      .addColumn('noted_by', c.key(255), must)
      .addColumn('user_id', c.integer)
      .addColumn('by_quality', c.integer, must)
      .addColumn('at', c.integer, must),
  ),
  measurement_causes_act: index('measurement_causes_act', 'measurement_causes', 'act_id'),
  spc_signals: table('spc_signals', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('series', c.key(64), must)
      .addColumn('act_id', c.key(36), must)
      .addColumn('rule', c.key(8), must)
      .addColumn('chart', c.key(16), must)
      .addColumn('seen_at', c.integer, must)
      .addUniqueConstraint('spc_signals_point', ['series', 'act_id', 'rule', 'chart']),
  ),
  spc_series_asks_limits: column('asks_limits', 'spc_series', (c) => c.integer),
  spc_series_summed_anew: sumUpAnew,
}
