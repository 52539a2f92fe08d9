import { sql } from 'kysely'
import { index, must, type Step, table } from './steps.ts'

/** What was taken out before has its line too; who did it says the trail. */
const earlier: Step = async (db) => {
  await sql`insert into invalidations (act_id, taken_out, reason, done_by, user_id, own, at)
    select m.act_id, 1, min(m.invalid_reason), min(m.invalid_by), min(a.user_id),
      max(case when a.user_id = m.user_id and m.user_id <> 0 then 1 else 0 end), min(m.invalid_at)
    from measurements m join audit_entries a on a.subject_id = m.act_id and a.subject_kind = 'measurement'
      and a.action = 'measurement_invalidated'
    where m.invalid_at is not null and a.user_id is not null
      and not exists (select 1 from invalidations i where i.act_id = m.act_id)
    group by m.act_id`.execute(db)
}

/** Each time that a measurement was taken out of the charts or back into them. */
export const invalidations: Record<string, Step> = {
  invalidations: table('invalidations', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('act_id', c.key(36), must)
      .addColumn('taken_out', c.integer, must)
      .addColumn('reason', c.longText, must)
      .addColumn('done_by', c.key(255), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('own', c.integer, must)
      .addColumn('at', c.integer, must),
  ),
  invalidations_act: index('invalidations_act', 'invalidations', 'act_id'),
  invalidations_filled: earlier,
}
