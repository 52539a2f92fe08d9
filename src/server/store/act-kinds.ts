import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

/** Columns of ids that tablets have given: a row under such an id is an act that this database knows. */
type IdOfAct = { [Table in keyof Tables]: readonly [Table, keyof Tables[Table] & string] }[keyof Tables]

/** Where an act of each kind stands once it was answered. A receipt names its id and not its kind. */
const storedIn: readonly IdOfAct[] = [
  ['recordings', 'id'],
  ['measurements', 'act_id'],
  ['maintenance_calls', 'id'],
  ['maintenance_call_joins', 'id'],
]

export async function isKnownAct(db: Reader, id: string): Promise<boolean> {
  for (const [table, column] of storedIn) {
    const found = await db
      .selectFrom(table as 'recordings')
      .select(column as 'id')
      .where(column as 'id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}
