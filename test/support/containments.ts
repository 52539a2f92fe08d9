import { randomUUID } from 'node:crypto'
import type { Certainty } from '../../src/contract/containments.ts'
import { listAllRows } from '../../src/server/store/containment-steps.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import type { Tables } from '../../src/server/store/db/tables.ts'
import { NOON_MS } from './harness.ts'

type Given = Partial<Tables['containments']>
type Joined = { id: string; pieces: number; certainty?: Certainty }

/** Straight into the tables: how a window finds its recordings is not what is tested here. */
export async function storeContainment(db: Db, joined: readonly Joined[], given: Given = {}) {
  const id = given.id ?? randomUUID()
  const none = { widened_reason: null, widened_at: null, widened_by: null, widened_user_id: null }
  const open = { close_reason: null, closed_at: null, closed_by: null, closed_user_id: null }
  const place = { unit: 'MA-0001', unit_key: 'ma-0001', terminal: 'T1326030', terminal_key: 't1326030' }
  await db.transaction(async (tx) => {
    await tx
      .insertInto('containments')
      .values({
        ...{ id, content_hash: 'x', number: 123, branch: '010101', kind: 'medicao', origin_key: null, act_id: null },
        ...{ characteristic: 'altura', subject: 'Altura fora: 1,170 mm', part_group: 'crimpagem', ...place },
        ...{ gauge_milli: 500, machine: 'KX0001 - Komax', machine_key: 'kx0001', lot: '', instrument: '' },
        ...{ start_at: NOON_MS - 3_600_000, basis: 'medicao', end_at: null, is_open_ended: 1, reason: '', ...none },
        ...{ state: 'aberta', ...open, version: 1, opened_at: NOON_MS, opened_day: '2026-11-21' },
        ...{ opened_by: 'Maria Souza', opened_user_id: 1, ...given },
      })
      .execute()
    if (joined.length === 0) return
    await tx
      .insertInto('containment_rows')
      .values(
        joined.map(({ id: recording_id, pieces, certainty = 'certo' }) => ({
          ...{ containment_id: id, recording_id, certainty, pieces, version: 1 },
        })),
      )
      .execute()
  })
  return id
}

/** Its rows in the order in which they joined, with what was decided about each. */
export const readRows = (db: Db, containmentId: string) => listAllRows(db.read, containmentId)

export const stateOf = async (db: Db, id: string) =>
  (await db.read.selectFrom('containments').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
