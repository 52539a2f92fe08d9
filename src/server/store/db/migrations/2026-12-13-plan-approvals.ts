import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { column, type Step } from './steps.ts'

const ROWS_AT_ONCE = 500

/** Until now the trail alone knew who made a version, and who ended one; of an import it names no version. */
const fillFromTrail: Step = async (schema) => {
  const db = schema as unknown as Kysely<Tables>
  const acts = { plan_created: 'created', plan_ended: 'ended' } as const
  let after = 0
  for (;;) {
    const entries = await db
      .selectFrom('audit_entries as a')
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id', 'a.action', 'a.subject_id', 'a.at', 'a.user_id', 'a.user_name', 'u.full_name'])
      .where('a.subject_kind', '=', 'control_plan')
      .where('a.action', 'in', ['plan_created', 'plan_ended'])
      .where('a.id', '>', after)
      .orderBy('a.id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { action, subject_id, at, user_id, user_name, full_name } of entries) {
      const act = acts[action as keyof typeof acts]
      const said = { [`${act}_by`]: full_name || user_name, [`${act}_user_id`]: user_id, [`${act}_at`]: at }
      await db
        .updateTable('control_plans')
        .set(said)
        .where('id', '=', Number(subject_id))
        .where(`${act}_by`, 'is', null)
        .execute()
    }
    const last = entries.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Whether a typed value is a sample of a plan, and who made, approved and ended each version. */
export const planApprovals: Record<string, Step> = {
  control_plans_typed_counts: column('typed_counts', 'control_plans', (c) => c.integer),
  control_plans_awaits_approval: column('awaits_approval', 'control_plans', (c) => c.integer),
  control_plans_created_by: column('created_by', 'control_plans', (c) => c.key(255)),
  control_plans_created_user_id: column('created_user_id', 'control_plans', (c) => c.integer),
  control_plans_created_at: column('created_at', 'control_plans', (c) => c.integer),
  control_plans_approved_by: column('approved_by', 'control_plans', (c) => c.key(255)),
  control_plans_approved_user_id: column('approved_user_id', 'control_plans', (c) => c.integer),
  control_plans_approved_at: column('approved_at', 'control_plans', (c) => c.integer),
  control_plans_ended_by: column('ended_by', 'control_plans', (c) => c.key(255)),
  control_plans_ended_user_id: column('ended_user_id', 'control_plans', (c) => c.integer),
  control_plans_ended_at: column('ended_at', 'control_plans', (c) => c.integer),
  control_plans_from_trail: fillFromTrail,
}
