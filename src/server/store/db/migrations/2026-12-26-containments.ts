import { sql } from 'kysely'
import { id, index, must, type Step, table } from './steps.ts'

const beginNumbers: Step = async (db) => {
  const { rows } = await sql`select id from containment_numbers where id = 1`.execute(db)
  if (rows.length === 0) await sql`insert into containment_numbers (id, last_number) values (1, 0)`.execute(db)
}

/** Suspect pieces: a window, the recordings in it, and what was decided about each. */
export const containments: Record<string, Step> = {
  containments: table('containments', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('number', c.integer, (column) => column.notNull().unique())
      .addColumn('branch', c.key(12), must)
      .addColumn('kind', c.key(16), must)
      .addColumn('origin_key', c.key(64), (column) => column.unique())
      .addColumn('act_id', c.key(36))
      .addColumn('characteristic', c.key(20))
      .addColumn('subject', c.key(255), must)
      .addColumn('part_group', c.key(16), must)
      .addColumn('unit', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('gauge_milli', c.integer)
      .addColumn('machine', c.key(255), must)
      .addColumn('machine_key', c.key(255), must)
      .addColumn('lot', c.key(255), must)
      .addColumn('instrument', c.key(255), must)
      .addColumn('start_at', c.integer)
      .addColumn('basis', c.key(16), must)
      .addColumn('end_at', c.integer)
      .addColumn('is_open_ended', c.integer, must)
      .addColumn('reason', c.longText, must)
      .addColumn('widened_reason', c.longText)
      .addColumn('widened_at', c.integer)
      .addColumn('widened_by', c.key(255))
      .addColumn('widened_user_id', c.integer)
      .addColumn('state', c.key(16), must)
      .addColumn('close_reason', c.longText)
      .addColumn('closed_at', c.integer)
      .addColumn('closed_by', c.key(255))
      .addColumn('closed_user_id', c.integer)
      .addColumn('version', c.integer, must)
      .addColumn('opened_at', c.integer, must)
      .addColumn('opened_day', c.key(10), must)
      .addColumn('opened_by', c.key(255), must)
      .addColumn('opened_user_id', c.integer, must),
  ),
  containments_state: index('containments_state', 'containments', 'state', 'branch'),
  containment_rows: table('containment_rows', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('containment_id', c.key(36), must)
      .addColumn('recording_id', c.key(36), must)
      .addColumn('certainty', c.key(16), must)
      .addColumn('pieces', c.integer, must)
      .addColumn('version', c.integer, must)
      .addUniqueConstraint('containment_rows_recording_once', ['containment_id', 'recording_id']),
  ),
  containment_rows_recording: index('containment_rows_recording', 'containment_rows', 'recording_id'),
  containment_steps: table('containment_steps', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('press_id', c.key(36), must)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('containment_id', c.key(36), must)
      .addColumn('row_id', c.integer, must)
      .addColumn('kind', c.key(32), must)
      .addColumn('of_step', c.integer)
      .addColumn('pieces', c.integer, must)
      .addColumn('reason', c.longText, must)
      .addColumn('checked', c.key(16))
      .addColumn('sample_pieces', c.integer)
      .addColumn('checked_text', c.longText)
      .addColumn('scrap_reason', c.key(40))
      .addColumn('decided_by', c.key(255), must)
      .addColumn('user_id', c.integer)
      .addColumn('at', c.integer, must)
      .addColumn('decided_day', c.key(10), must)
      .addUniqueConstraint('containment_steps_press_once', ['press_id', 'row_id']),
  ),
  containment_steps_row: index('containment_steps_row', 'containment_steps', 'row_id'),
  containment_numbers: table('containment_numbers', (t, c) =>
    t.addColumn('id', c.integer, id).addColumn('last_number', c.integer, must),
  ),
  containment_numbers_begun: beginNumbers,
}
