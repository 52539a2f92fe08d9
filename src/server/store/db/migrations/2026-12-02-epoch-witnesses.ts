import { must, type Step, table } from './steps.ts'

/** What devices have shown of an epoch that the database lacks. */
export const epochWitnesses: Record<string, Step> = {
  epoch_witnesses: table('epoch_witnesses', (t, c) =>
    t
      .addColumn('epoch', c.key(36), must)
      .addColumn('kind', c.key(16), must)
      .addColumn('device', c.key(64), must)
      .addColumn('subject', c.key(36), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('seen_at', c.integer, must)
      .addColumn('dismissed', c.integer, must)
      .addPrimaryKeyConstraint('epoch_witnesses_key', ['epoch', 'kind', 'device']),
  ),
}
