import { type RawBuilder, sql } from 'kysely'
import { shareOfEach } from '../../domain/plant/noise.ts'
import type { Tx } from './db/db.ts'

/** Lines of which those of one day that are alike say little more than how often they came. */
type Lines = {
  table: 'accesses' | 'log_entries'
  /** Values of columns: lines with these have a room of their own. */
  within: Record<string, number>
  /** In which columns lines that are alike do not differ. */
  sameAs: readonly string[]
  /** A column in which they may differ: it is emptied where they do. */
  mixed?: string
  /** The lines that there is room for. */
  max: number
}

const DAY_MS = 86_400_000
/** The rest of them the next time: recordings wait for this commit. */
const FOLDED_AT_ONCE_MAX = 100
/** To this part of the room, so that it is not done each time. */
const FILLED = 0.9

/** How many lines one row stands for: those folded into it, else those that it counts itself, else one. */
const times = sql<number>`CASE WHEN json_valid(details_json)
  THEN coalesce(json_extract(details_json, '$.times'), json_extract(details_json, '$.more'),
    1 + coalesce(json_extract(details_json, '$.heldBack'), 0))
  ELSE 1 END`

type Alike = { day: number; count: number } & Record<string, string | number>

/**
 * Makes room where there are more lines than fit: of the noisiest the newest stay, and the ones before become one line with
 * how often they came. Where that gives no room the oldest go.
 */
export async function foldNoise(tx: Tx, lines: Lines): Promise<void> {
  if ((await findBeyond(tx, lines, lines.max)) === null) return
  const room = Math.floor(lines.max * FILLED)
  const counted = await countAlike(tx, lines)
  const counts = counted.map(({ count }) => count)
  const share = shareOfEach(counts, room)
  const noisy = counted.filter(({ count }) => count > share)
  if (share > 0) for (const alike of noisy.slice(0, FOLDED_AT_ONCE_MAX)) await fold(tx, lines, alike, share)
  const first = await findBeyond(tx, lines, room)
  if (first === null) return
  await sql`DELETE FROM ${sql.table(lines.table)} WHERE id <= ${first} AND ${equal(lines.within)}`.execute(tx)
}

const equal = (columns: Record<string, string | number>): RawBuilder<unknown> =>
  sql.join(
    [sql`1 = 1`, ...Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)],
    sql` AND `,
  )

/** The newest line that is beyond as many. */
async function findBeyond(tx: Tx, { table, within }: Lines, max: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM ${sql.table(table)} WHERE ${equal(within)}
    ORDER BY id DESC LIMIT 1 OFFSET ${max}`.execute(tx)
  return rows[0]?.id ?? null
}

/** The most frequent first. */
async function countAlike(tx: Tx, { table, within, sameAs }: Lines): Promise<Alike[]> {
  const columns = sql.join(sameAs.map((name) => sql.ref(name)))
  const { rows } = await sql<Alike>`SELECT at - at % ${sql.lit(DAY_MS)} AS day, ${columns}, count(*) AS count
    FROM ${sql.table(table)} WHERE ${equal(within)} GROUP BY day, ${columns} ORDER BY count DESC`.execute(tx)
  return rows.map((row) => ({ ...row, day: Number(row.day), count: Number(row.count) }))
}

async function fold(tx: Tx, lines: Lines, { day, count: _, ...same }: Alike, share: number): Promise<void> {
  const table = sql.table(lines.table)
  const { mixed } = lines
  const alike = sql`at >= ${day} AND at < ${day + DAY_MS} AND ${equal({ ...lines.within, ...same })}`
  const { rows } = await sql<{ id: number }>`SELECT id FROM ${table} WHERE ${alike}
    ORDER BY id DESC LIMIT 1 OFFSET ${share - 1}`.execute(tx)
  const newest = rows[0]?.id
  if (newest === undefined) return
  const folded = sql`${alike} AND id <= ${newest}`
  const { rows: sums } = await sql<{
    first: number
    times: number
    isMixed: number
  }>`SELECT min(id) AS ${sql.ref('first')},
    sum(${times}) AS times, ${mixed ? sql`min(${sql.ref(mixed)}) <> max(${sql.ref(mixed)})` : sql`0`} AS ${sql.ref('isMixed')}
    FROM ${table} WHERE ${folded}`.execute(tx)
  const [sum] = sums
  if (!sum) return
  await sql`DELETE FROM ${table} WHERE ${folded} AND id > ${sum.first}`.execute(tx)
  const emptied = mixed && sum.isMixed ? sql`, ${sql.ref(mixed)} = ''` : sql``
  const details = JSON.stringify({ times: Number(sum.times) })
  await sql`UPDATE ${table} SET details_json = ${details}${emptied} WHERE id = ${sum.first}`.execute(tx)
}
