import { compiled, compiledChange, type Place } from './db/compiled.ts'
import { countsRows, type Reader, type Tx } from './db/db.ts'

const retainedDeliveries = (db: Reader) =>
  db
    .selectFrom('retained_deliveries')
    .select(['id', 'part', 'body_json as body', 'content_hash as contentHash', 'user_id as userId', 'username'])
    .select(['full_name as fullName', 'session_id as sessionId', 'device', 'device_name as deviceName'])
    .select(['reason as why', 'recorded_at as recordedAt', 'received_at as receivedAt', 'state'])

const retainedOf = compiled((db, value: Place<{ id: string }>) => retainedDeliveries(db).where('id', '=', value('id')))

/** Throws a unique violation when the id is stored already. */
export async function insertRetained(tx: Tx, retained: Omit<Retained, 'state'>): Promise<void> {
  await tx
    .insertInto('retained_deliveries')
    .values({
      id: retained.id,
      part: retained.part,
      body_json: JSON.stringify(retained.body),
      content_hash: retained.contentHash,
      user_id: retained.userId,
      username: retained.username,
      full_name: retained.fullName,
      session_id: retained.sessionId,
      device: retained.device,
      device_name: retained.deviceName,
      reason: retained.why,
      recorded_at: retained.recordedAt,
      received_at: retained.receivedAt,
      state: 'open',
    })
    .execute()
}

export async function findRetained(db: Reader, id: string) {
  const [row] = await retainedOf(db, { id })
  return row ? { ...row, body: JSON.parse(row.body) as unknown } : null
}

/** `body`: of the request, as its schema gave it. */
export type Retained = NonNullable<Awaited<ReturnType<typeof findRetained>>>

/** Undecided ones, in the order in which they came. */
export async function listRetained(db: Reader, countMax: number): Promise<Retained[]> {
  const rows = await retainedDeliveries(db)
    .where('state', '=', 'open')
    .orderBy('received_at')
    .orderBy('recorded_at')
    .orderBy('id')
    .limit(countMax)
    .execute()
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }))
}

/** Undecided ones; of one device or person, or of all. */
export const countRetained = (
  db: Reader,
  of: { device: string } | { username: string } | object = {},
): Promise<number> =>
  db
    .selectFrom('retained_deliveries')
    .where('state', '=', 'open')
    .where((e) => e.and(of))
    .$call(countsRows)

export async function findOldestRetainedAt(db: Reader): Promise<number | null> {
  const { at } = await db
    .selectFrom('retained_deliveries')
    .select((e) => e.fn.min('received_at').as('at'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return at === null ? null : Number(at)
}

type Closed = 'taken' | 'discarded' | 'arrived'

const close = compiledChange((tx, value: Place<{ id: string; state: Closed; at: number }>) =>
  tx
    .updateTable('retained_deliveries')
    .set({ state: value('state'), decided_at: value('at') })
    .where('id', '=', value('id'))
    .where('state', '=', 'open'),
)

/** False when there is none, or another decision came first. */
export async function closeRetained(
  tx: Tx,
  id: string,
  { state, at }: { state: Closed; at: number },
): Promise<boolean> {
  return (await close(tx, { id, state, at })) === 1
}

/** Decided deliveries from before that instant. */
export async function deleteDecided(tx: Tx, receivedBefore: number): Promise<void> {
  await tx
    .deleteFrom('retained_deliveries')
    .where('state', '!=', 'open')
    .where('received_at', '<', receivedBefore)
    .execute()
}
