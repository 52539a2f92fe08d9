import { must, type Step, table } from './steps.ts'

/** Where a sample is found by what it was taken of and with: a start fills in those of before. */
export const sampleSubjects: Record<string, Step> = {
  sample_subjects: table('sample_subjects', (t, c) =>
    t
      .addColumn('kind', c.key(16), must)
      .addColumn('subject', c.key(255), must)
      .addColumn('at', c.integer, must)
      .addColumn('act_id', c.key(36), must)
      .addPrimaryKeyConstraint('sample_subjects_key', ['kind', 'subject', 'at', 'act_id']),
  ),
}
