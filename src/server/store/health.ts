import { sql } from 'kysely'
import type { SystemHealth } from '../../contract/health.ts'
import type { Db, Reader } from './db/db.ts'

export async function findDatabaseBytes({ kind, read }: Db): Promise<number> {
  const query =
    kind === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number | string | null }>`
          select sum(data_length + index_length) as bytes from information_schema.tables where table_schema = database()`
  const { rows } = await query.execute(read)
  return Number(rows[0]?.bytes ?? 0)
}

type Tablet = Omit<SystemHealth['tablets'][number], 'lastSeenAt'> & { lastSeenAt: number }

const SESSIONS_MAX = 2000

/** Browsers that somebody was logged in at since then, each once, the one seen last first. */
export async function listTablets(db: Reader, seenFrom: number): Promise<Tablet[]> {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.device', 's.device_name as name', 's.agent', 's.last_used_at as lastSeenAt'])
    .select(['u.full_name as fullName', 's.page_version as version', 's.waiting'])
    .where('s.browser', '=', 1)
    .where('s.last_used_at', '>=', seenFrom)
    .orderBy('s.last_used_at', 'desc')
    .orderBy('s.id')
    .limit(SESSIONS_MAX)
    .execute()
  const newest = new Map<string, Tablet>()
  for (const { id, device, agent, ...row } of rows) {
    const key = device ?? id
    if (!newest.has(key)) newest.set(key, { ...row, agent: agent ?? '' })
  }
  return [...newest.values()]
}
