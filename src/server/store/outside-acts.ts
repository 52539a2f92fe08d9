import type { Insertable } from 'kysely'
import type { Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { findSetting, saveSetting } from './settings.ts'

type NewRow = Pick<
  Insertable<Tables['measurements']>,
  'act_id' | 'characteristic' | 'branch' | 'measured_at' | 'received_at'
>

/** Lists those of one commit's rows that are outside: good ones are never read again. */
export async function insertOutside(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  const outside = rows.map(({ act_id, characteristic, branch, measured_at, received_at }) => ({
    ...{ act_id, characteristic, branch, measured_at, received_at },
  }))
  await tx.insertInto('outside_acts').values(outside).execute()
}

/** The newest row of `measurements` that was there at the upgrade: up to it nobody is woken. */
const UPGRADED = 'outside-acts-upgraded'
/** Up to which row `listMissed` has surely found all there are. */
const SEEN = 'outside-acts-seen'

const idOf = async (db: Reader, name: string): Promise<number> => Number((await findSetting(db, name)) ?? 0)

export const findUpgradedId = (db: Reader): Promise<number> => idOf(db, UPGRADED)
export const findSeenId = (db: Reader): Promise<number> => idOf(db, SEEN)
export const saveSeenId = (tx: Tx, id: number): Promise<void> => saveSetting(tx, SEEN, String(id))

export async function findNewestMeasurement(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('measurements')
    .select((e) => e.fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Rows outside, between two ids, that nobody has listed: a server of the version before stored them. */
export const listMissed = (db: Reader, { after, upTo }: { after: number; upTo: number }): Promise<NewRow[]> =>
  db
    .selectFrom('measurements as m')
    .select(['m.act_id', 'm.characteristic', 'm.branch', 'm.measured_at', 'm.received_at'])
    .leftJoin('outside_acts as o', (join) =>
      join.onRef('o.act_id', '=', 'm.act_id').onRef('o.characteristic', '=', 'm.characteristic'),
    )
    .where('m.id', '>', after)
    .where('m.id', '<=', upTo)
    .where('m.verdict', '=', 'fora')
    .where('o.act_id', 'is', null)
    .execute()

/** Which of them, received when (epoch ms, the end exclusive), and stored after which row. */
export type OutsideSpan = { branches: readonly string[]; from: number; before: number; afterId?: number }

export type OutsideRow = Awaited<ReturnType<typeof listOutside>>[number]

/** Samples outside that count or were taken out, a row a characteristic, the newest first. */
export const listOutside = (db: Reader, { branches, from, before, afterId = 0 }: OutsideSpan) =>
  db
    .selectFrom('outside_acts as o')
    .innerJoin('measurements as m', (join) =>
      join.onRef('m.act_id', '=', 'o.act_id').onRef('m.characteristic', '=', 'o.characteristic'),
    )
    .select(['m.id', 'm.act_id', 'm.characteristic', 'm.branch', 'm.order_number', 'm.barcode', 'm.position', 'm.part'])
    .select(['m.terminal', 'm.terminal_key', 'm.gauge_milli', 'm.unit', 'm.unit_key', 'm.machine', 'm.readings_json'])
    .select(['m.plan_id', 'm.action', 'm.operator', 'm.measured_at', 'm.ordered_at', 'o.received_at'])
    .select(['m.invalid_at', 'm.invalid_by', 'm.invalid_reason'])
    .where('o.branch', 'in', branches)
    .where('o.received_at', '>=', from)
    .where('o.received_at', '<', before)
    .where('m.id', '>', afterId)
    .where('m.counted', '=', 1)
    .orderBy('o.received_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute()
