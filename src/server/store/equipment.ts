import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { LastRecording } from '../../contract/equipment.ts'
import type { Span } from '../../domain/plant/shifts.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
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

/** In words that no index answers: by that of plants SQLite would read all that was ever recorded there. */
export const isOfPlant = (e: ExpressionBuilder<Tables, 'recordings'>, branch: string) =>
  e(e.case().when('branch', '=', branch).then(1).else(0).end(), '=', 1)

/** Of each span the pieces by name. SQLite answers others between two spans. */
export async function sumPieces(
  db: Reader,
  { names, branch, spans }: { names: readonly string[]; branch: string; spans: readonly Span[] },
): Promise<Map<Span, Map<string, number>>> {
  const sums = new Map<Span, Map<string, number>>()
  if (names.length === 0) return sums
  for (const span of spans) {
    const rows = await db
      .selectFrom('recordings')
      .select(['machine', (e) => e.fn.sum<number>('pieces').as('pieces')])
      .where('machine', 'in', names)
      .where('counted', '=', 1)
      .where('recorded_at', '>=', span.startMs)
      .where('recorded_at', '<', span.endMs)
      .where((e) => isOfPlant(e, branch))
      .groupBy('machine')
      .execute()
    // MariaDB gives sums as text
    sums.set(span, new Map(rows.map(({ machine, pieces }) => [machine, Number(pieces)])))
    await setImmediate()
  }
  return sums
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

export async function findLastRecorded(db: Reader, sought: Sought) {
  const last = await newestOf(db, sought)
    .select(['recorded_at as recordedAt', 'barcode', 'position', 'order_number as orderNumber', 'pieces', 'operator'])
    // a receipt names no machine
    .select((e) => e.ref('part').$castTo<LastRecording['parte']>().as('part'))
    .limit(1)
    .executeTakeFirst()
  return last ?? null
}

export type LastRecorded = NonNullable<Awaited<ReturnType<typeof findLastRecorded>>>

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

export async function listToolCounters(db: Reader, unitKeys: readonly string[]) {
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
    .where((e) => isOfPlant(e, branch))
    .groupBy('machine')
    .execute()
  return new Map(rows.map(({ machine, n }) => [machine, Number(n)]))
}
