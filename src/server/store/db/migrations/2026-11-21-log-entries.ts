import { index, must, type Step, table } from './steps.ts'

/** What the servers of a plant logged. */
export const logEntries: Record<string, Step> = {
  log_entries: table('log_entries', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('at', c.integer, must)
      .addColumn('level', c.integer, must)
      .addColumn('source', c.longText, must)
      .addColumn('message', c.longText, must)
      .addColumn('error', c.longText)
      .addColumn('details_json', c.longText),
  ),
  log_entries_at: index('log_entries_at', 'log_entries', 'at'),
  log_entries_level: index('log_entries_level', 'log_entries', 'level'),
}
