import { index, must, type Step, table } from './steps.ts'

/** Who came in, left or was refused: read as the audit trail is, but kept for a year only. */
export const accesses: Record<string, Step> = {
  accesses: table('accesses', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('at', c.integer, must)
      .addColumn('user_id', c.integer, must)
      .addColumn('user_name', c.key(255), must)
      .addColumn('action', c.key(32), must)
      .addColumn('subject_kind', c.key(32), must)
      .addColumn('subject_id', c.key(64), must)
      .addColumn('reason', c.longText)
      .addColumn('details_json', c.longText, must),
  ),
  accesses_at: index('accesses_at', 'accesses', 'at'),
  accesses_user: index('accesses_user', 'accesses', 'user_id'),
}
