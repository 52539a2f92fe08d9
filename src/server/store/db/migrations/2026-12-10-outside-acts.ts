import { sql } from 'kysely'
import { index, must, type Step, table } from './steps.ts'

const ROWS_AT_ONCE = 20_000

/** The names in `store/outside-acts.ts`: up to where an upgrade, and then the chore, has gone through `measurements`. */
const MARKS = ['outside-acts-upgraded', 'outside-acts-seen']

/** What is there already was listed by nobody, and is too old to wake anybody. */
const fill: Step = async (db) => {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from measurements`.execute(db)
  const newest = Number(rows[0]?.id ?? 0)
  if (newest === 0) return
  for (let from = 0; from < newest; from += ROWS_AT_ONCE) {
    await sql`insert into outside_acts (act_id, characteristic, branch, measured_at, received_at)
      select act_id, characteristic, branch, measured_at, received_at from measurements m
      where id > ${from} and id <= ${from + ROWS_AT_ONCE} and verdict = 'fora' and not exists
        (select 1 from outside_acts o where o.act_id = m.act_id and o.characteristic = m.characteristic)`.execute(db)
  }
  for (const name of MARKS) {
    const found = await sql`select name from settings where name = ${name}`.execute(db)
    if (found.rows.length === 0) {
      await sql`insert into settings (name, value) values (${name}, ${String(newest)})`.execute(db)
    }
  }
}

/** Samples outside, a row a characteristic, so that nobody looks for them among the good ones; and what quality did about them. */
export const outsideActs: Record<string, Step> = {
  outside_acts: table('outside_acts', (t, c) =>
    t
      .addColumn('act_id', c.key(36), must)
      .addColumn('characteristic', c.key(20), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('measured_at', c.integer, must)
      .addColumn('received_at', c.integer, must)
      .addPrimaryKeyConstraint('outside_acts_key', ['act_id', 'characteristic']),
  ),
  outside_acts_received: index('outside_acts_received', 'outside_acts', 'branch', 'received_at'),
  outside_acts_filled: fill,
  treatments: table('treatments', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('kind', c.key(16), must)
      .addColumn('subject', c.key(36), must)
      .addColumn('text', c.longText, must)
      .addColumn('treated_by', c.key(255), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('at', c.integer, must),
  ),
  treatments_subject: index('treatments_subject', 'treatments', 'kind', 'subject'),
}
