import { must, type Step, table } from './steps.ts'

/** What each channel has said of each subject of an alarm: of `alarm_states` each row is their sum. */
export const alarmSubjects: Record<string, Step> = {
  alarm_subjects: table('alarm_subjects', (t, c) =>
    t
      .addColumn('kind', c.key(32), must)
      .addColumn('channel', c.key(16), must)
      .addColumn('subject', c.key(300), must)
      .addColumn('begun_at', c.integer)
      .addColumn('is_said', c.integer, must)
      .addColumn('said_at', c.integer)
      .addColumn('named_at', c.integer, must)
      .addPrimaryKeyConstraint('alarm_subjects_key', ['kind', 'channel', 'subject']),
  ),
}
