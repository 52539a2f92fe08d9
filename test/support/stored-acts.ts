import { type ActKind, actKinds } from '../../src/server/store/act-kinds.ts'
import type { Reader } from '../../src/server/store/db/db.ts'

/** It waits for a session that is to be trusted. */
export async function isDoubtedAct(db: Reader, act: string): Promise<boolean> {
  for (const { doubted } of actKinds) {
    if (!doubted) continue
    const { table, id, column, value } = doubted
    const found = await db
      .selectFrom(table as 'recordings')
      .select(id as 'id')
      .where(id as 'id', '=', act)
      .where(column as 'id', '=', value as string)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}

/** The ids of all acts of these kinds. Reads their tables whole. */
export async function listActIds(db: Reader, kinds: readonly ActKind[] = actKinds): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, id } of kinds) {
    const rows = await db
      .selectFrom(table as 'recordings')
      .select(`${id} as id` as 'id')
      .execute()
    for (const row of rows) ids.add(row.id)
  }
  return ids
}
