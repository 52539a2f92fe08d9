import { setImmediate } from 'node:timers/promises'
import type { LastRecording } from '../../contract/equipment.ts'
import type { Span } from '../../domain/plant/shifts.ts'
import type { Reader } from './db/db.ts'
import { pendingStates } from './recordings.ts'

/** Machines as recordings spell them, of all plants: those whose name begins so. */
export async function listMachineNames(db: Reader, prefix = ''): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const last = names.at(-1)
    // one step down the index for each name, however many recordings it has
    const row = await db
      .selectFrom('recordings')
      .select('machine')
      // a receipt names no machine
      .where('machine', last === undefined && prefix !== '' ? '>=' : '>', last ?? prefix)
      .orderBy('machine')
      .limit(1)
      .executeTakeFirst()
    if (!row?.machine.startsWith(prefix)) return names
    names.push(row.machine)
  }
}

/** SQLite answers nobody else while it adds up. */
const NAMES_AT_ONCE = 8

/** By name, the pieces of each span. Read from the index of machines alone, and from the earliest span on. */
export async function sumPieces(
  db: Reader,
  { names, branch, spans }: { names: readonly string[]; branch: string; spans: readonly Span[] },
): Promise<Map<string, number[]>> {
  const firstMs = Math.min(...spans.map(({ startMs }) => startMs))
  const lastMs = Math.max(...spans.map(({ endMs }) => endMs))
  const sums = new Map<string, number[]>()
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const rows = await db
      .selectFrom('recordings')
      .select('machine')
      .select((e) =>
        spans.map(({ startMs, endMs }, nth) => {
          const isWithin = e.and([e('recorded_at', '>=', startMs), e('recorded_at', '<', endMs)])
          return e.fn.sum<number>(e.case().when(isWithin).then(e.ref('pieces')).else(0).end()).as(`span${nth}`)
        }),
      )
      .where('machine', 'in', names.slice(at, at + NAMES_AT_ONCE))
      .where('counted', '=', 1)
      .where('recorded_at', '>=', firstMs)
      .where('recorded_at', '<', lastMs)
      .where('branch', '=', branch)
      .groupBy('machine')
      .execute()
    for (const row of rows) {
      const sumOf = row as Record<string, unknown>
      // MariaDB gives sums as text
      const pieces = spans.map((_, nth) => Number(sumOf[`span${nth}`]))
      sums.set(row.machine, pieces)
    }
    await setImmediate()
  }
  return sums
}

export type LastRecorded = {
  recordedAt: number
  part: LastRecording['parte']
  barcode: string
  position: string
  orderNumber: string
  pieces: number
  operator: string
}

type Sought = { name: string; branch: string; sinceMs: number }

const newestOf = (db: Reader, { name, branch, sinceMs }: Sought) =>
  db
    .selectFrom('recordings')
    .where('machine', '=', name)
    .where('counted', '=', 1)
    .where('branch', '=', branch)
    .where('recorded_at', '>=', sinceMs)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')

export async function findLastRecorded(db: Reader, sought: Sought): Promise<LastRecorded | null> {
  const last = await newestOf(db, sought)
    .select(['recorded_at as recordedAt', 'barcode', 'position', 'order_number as orderNumber', 'pieces', 'operator'])
    // a receipt names no machine
    .select((e) => e.ref('part').$castTo<LastRecording['parte']>().as('part'))
    .limit(1)
    .executeTakeFirst()
  return last ?? null
}

/** A machine that only cuts has no tool, however far back one looks. */
const RECORDINGS_SOUGHT_MAX = 200

/** The tool of the newest crimps among the machine's last recordings. */
export async function findLastTool(
  db: Reader,
  sought: Sought,
): Promise<{ unitKey: string; recordedAt: number } | null> {
  const newest = newestOf(db, sought).select(['unit_key', 'recorded_at', 'id']).limit(RECORDINGS_SOUGHT_MAX)
  const row = await db
    .selectFrom(newest.as('newest'))
    .select(['unit_key as unitKey', 'recorded_at as recordedAt'])
    .where('unit_key', 'is not', null)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.unitKey ? { unitKey: row.unitKey, recordedAt: row.recordedAt } : null
}

type ToolCounter = { unitKey: string; name: string; crimps: number; limitOfCrimps: number }

export async function listToolCounters(db: Reader, unitKeys: readonly string[]): Promise<ToolCounter[]> {
  if (unitKeys.length === 0) return []
  return await db
    .selectFrom('applicator_units')
    .select(['name_key as unitKey', 'name', 'crimps', 'limit_crimps as limitOfCrimps'])
    .where('name_key', 'in', unitKeys)
    .execute()
}

/** By name, how many recordings the ERP has not confirmed. */
export async function countUnconfirmed(db: Reader, branch: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('recordings')
    .select(['machine', (e) => e.fn.countAll<number>().as('n')])
    .where('state', 'in', pendingStates)
    .where('branch', '=', branch)
    .groupBy('machine')
    .execute()
  return new Map(rows.map(({ machine, n }) => [machine, Number(n)]))
}
