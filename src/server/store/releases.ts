import { sql } from 'kysely'
import type { Characteristic } from '../../contract/measurements.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import type { Seen } from '../../domain/quality/releases.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'

/** Where and on which day of the plant a release is good. */
type ReleasePlace = { branch: string; subject: string; day: string }

/** Which place of work of its plant: an end of an item, or a junction of an order. */
export const releaseSubject = (of: { barcode: string; orderNumber: string; position: string; part: string }): string =>
  of.part === 'juncao' ? `${of.orderNumber}|${of.position}` : `${of.barcode}|${of.part}`

/** The measurements shown to the releasing person: samples by their acts, and typed values (thousandths). */
export type Looked = { acts: readonly string[]; typed: readonly { characteristic: Characteristic; milli: number }[] }

type NewRelease = ReleasePlace & {
  id: string
  reason: string
  userId: number
  givenBy: string
  at: number
  pieces: number | null
  /** Null: its page does not say. */
  looked: Looked | null
}

export async function insertRelease(tx: Tx, { userId, givenBy, looked, ...row }: NewRelease): Promise<void> {
  const looked_json = looked && JSON.stringify(looked)
  await tx
    .insertInto('releases')
    .values({ ...row, user_id: userId, given_by: givenBy, looked_json, recording_id: null })
    .execute()
}

/** The samples that a release looked at, and its author; null: there is none, or its page did not say. */
export async function findRelease(
  db: Reader,
  id: string,
): Promise<{ userId: number; looked: Looked | null } | undefined> {
  const row = await db.selectFrom('releases').select(['user_id', 'looked_json']).where('id', '=', id).executeTakeFirst()
  return row && { userId: row.user_id, looked: row.looked_json === null ? null : JSON.parse(row.looked_json) }
}

type Spending = { recordingId: string; pieces: number }

/** False where it is another place's or day's, for fewer pieces, or has let something else through before. */
export const spendRelease = (
  tx: Tx,
  id: string,
  place: ReleasePlace,
  { recordingId, pieces }: Spending,
): Promise<boolean> =>
  changesOne(
    tx
      .updateTable('releases')
      .set({ recording_id: recordingId })
      .where((e) => e.and({ id, ...place }))
      .where((e) => e.or([e('recording_id', 'is', null), e('recording_id', '=', recordingId)]))
      .where((e) => e.or([e('pieces', 'is', null), e('pieces', '>=', pieces)])),
  )

type OrderPlace = { branch: string; orderNumber: string; terminalKey: string; gaugeMilli: number }

const readingsOf = (db: Reader, { branch, orderNumber, terminalKey, gaugeMilli }: OrderPlace) =>
  db
    .selectFrom('measurements')
    .select(['id', 'ordered_at', 'characteristic', 'readings_json', 'verdict', 'plan_id', 'machine', 'unit'])
    .where((e) => e.and({ branch, order_number: orderNumber, terminal_key: terminalKey, gauge_milli: gaugeMilli }))

type Row = Awaited<ReturnType<ReturnType<typeof readingsOf>['execute']>>[number]

export const seenOf = ({ characteristic, readings_json }: Pick<Row, 'characteristic' | 'readings_json'>): Seen => ({
  characteristic,
  values: JSON.parse(readings_json),
})

type SeenOutside = Seen & { planId: number | null }

/** Of rows, the newest first. */
function outsideOfNewest(rows: readonly Row[]): SeenOutside[] {
  const newest = new Map<Characteristic, Row>()
  for (const row of rows) if (!newest.has(row.characteristic)) newest.set(row.characteristic, row)
  return [...newest.values()]
    .filter(({ verdict }) => verdict === 'fora')
    .map((row) => ({ ...seenOf(row), planId: row.plan_id }))
}

/** Readings of the order that some acts took, also such as do not count, or no more: they were looked at. */
export async function listLookedAt(db: Reader, place: OrderPlace, acts: readonly string[]): Promise<Seen[]> {
  if (acts.length === 0) return []
  const rows = await readingsOf(db, place).where('act_id', 'in', acts).execute()
  return rows.map(seenOf)
}

/**
 * The outside ones among the newest counted and judged readings of each characteristic, press and tool. The newest of
 * each press and tool of the order is read, however often others measured since.
 */
export async function listOutsideNow(
  db: Reader,
  {
    machine,
    unit,
    until,
    named,
    except,
    ...place
  }: OrderPlace & {
    machine: string
    unit: string
    until: number
    /** Acts that are older than who asks, whatever their instants say. */
    named: readonly string[]
    /** The act of whoever asks. */
    except: string
  },
): Promise<SeenOutside[]> {
  const ranked = readingsOf(db, place)
    .where('counted', '=', 1)
    .where('invalid_at', 'is', null)
    .where('verdict', 'in', ['dentro', 'fora'])
    .where('act_id', '<>', except)
    .where(({ eb, or }) =>
      or([eb('ordered_at', '<=', until), ...(named.length > 0 ? [eb('act_id', 'in', named)] : [])]),
    )
    .select(
      sql<number>`row_number() over (partition by characteristic, machine, unit order by ordered_at desc, id desc)`.as(
        'nth',
      ),
    )
  const rows = await db
    .selectFrom(ranked.as('s'))
    .selectAll()
    .where('nth', '=', 1)
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const isHere = (row: Row) => nameKey(row.unit) === nameKey(unit) && machineKey(row.machine) === machineKey(machine)
  return outsideOfNewest(rows.filter(isHere))
}

/** The outside ones among the newest counted readings that some acts took of each characteristic. */
export async function listNamedOutside(db: Reader, place: OrderPlace, acts: readonly string[]): Promise<SeenOutside[]> {
  if (acts.length === 0) return []
  const rows = await readingsOf(db, place)
    .where('act_id', 'in', acts)
    .where('counted', '=', 1)
    .where('invalid_at', 'is', null)
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return outsideOfNewest(rows)
}
