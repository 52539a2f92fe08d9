import { sql } from 'kysely'
import type { Db } from './db.ts'

/** What a database of this version has noted: a start that finds it loads no migrations (decision 146). */
const NOTED = { last: '2026-12-26-containments-08-containment_numbers_begun', count: 182 }

/** One without that table, or out of reach, is for the steps to say. */
async function isOfThisVersion({ read }: Db): Promise<boolean> {
  const noted = sql<{ last: string; count: number }>`select max(name) as last, count(*) as count from kysely_migration`
  const [found] = (await noted.execute(read).catch(() => ({ rows: [] }))).rows
  return found?.last === NOTED.last && Number(found.count) === NOTED.count
}

const load = () => import('./migrator.ts')

/**
 * Brings the schema up to date, each statement once, and names those it ran. Two servers starting at once: one does it.
 * Throws on failure.
 */
export async function migrate(db: Db): Promise<string[]> {
  if (await isOfThisVersion(db)) return []
  return await (await load()).runSteps(db)
}

/** The database has steps that this version does not know: a newer one has worked on it. */
export const isOfNewerVersion = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('corrupted migrations')

/** Gives an empty database the schema of one in which `last` was run last. */
export const migrateUpTo = async (db: Db, last: string): Promise<string[]> => await (await load()).runSteps(db, last)

/** Whether a version before this one made the schema. */
export async function isOfOlderVersion(db: Db): Promise<boolean> {
  return !(await isOfThisVersion(db)) && (await (await load()).areStepsMissing(db))
}
