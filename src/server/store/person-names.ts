import type { Reader, Tx } from './db/db.ts'
import type { Unnaming } from './operators.ts'
import type { Persons } from './persons.ts'

const ROWS_AT_ONCE = 500
const NOBODY = 0

type Row = Record<string, string | number | null>

type Known = { username: string; fullName: string }

export const listKnown = (db: Reader): Promise<Known[]> =>
  db.selectFrom('users').select(['username', 'full_name as fullName']).execute()

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Replaces names of people whom the panel knows: a full name of several words wherever it stands, any other name where it is all that
 * is written, as a field of JSON or a whole text. 'operador' is a word, and may be a user's name.
 */
export function namesReplaced(known: readonly Known[], { markOf }: Pick<Unnaming, 'markOf'>): (text: string) => string {
  const names = known.flatMap(({ username, fullName }) => [fullName, username]).filter((name) => name !== '')
  const phrases = names
    .filter((name) => /\S\s+\S/.test(name))
    .map((name) => [name, new RegExp(`(?<![\\p{L}\\d])${escaped(name)}(?![\\p{L}\\d])`, 'giu')] as const)
  return (text) => {
    if (names.includes(text)) return markOf(text)
    const fields = names.reduce(
      (rest, name) => rest.replaceAll(`:${JSON.stringify(name)}`, () => `:${JSON.stringify(markOf(name))}`),
      text,
    )
    return phrases.reduce((rest, [name, pattern]) => rest.replace(pattern, () => markOf(name)), fields)
  }
}

function withMarksWithin(json: string, field: string, markOf: Unnaming['markOf']): string {
  const parsed = JSON.parse(json) as Record<string, unknown> | null
  const name = parsed?.[field]
  return typeof name === 'string' && name !== '' ? JSON.stringify({ ...parsed, [field]: markOf(name) }) : json
}

/** The columns of a row that change. */
function changesOf(
  { names, namesWithin = [], texts, isAct }: Persons,
  row: Row,
  { markOf, isMark, replaced }: Marking,
): Row {
  const changes: Row = {}
  const set = (column: string, value: string) => {
    if (row[column] !== value) changes[column] = value
  }
  for (const column of texts) if (row[column] !== null) set(column, replaced(String(row[column])))
  for (const [column, field] of namesWithin) {
    const json = changes[column] ?? row[column]
    if (json) set(column, withMarksWithin(String(json), field, markOf))
  }
  for (const [column, userId] of isAct ? [] : names) {
    const name = row[column]
    if (!name || isMark(String(name)) || (userId !== null && !row[userId])) continue
    changes[column] = markOf(String(name))
    if (userId !== null) changes[userId] = NOBODY
  }
  return changes
}

export type Marking = Pick<Unnaming, 'markOf' | 'isMark'> & {
  beforeMs: number
  replaced: (text: string) => string
}

/** Goes through a page of rows from before an instant; answers where the next one begins, null after the last. */
export async function markPersons(
  tx: Tx,
  persons: Persons,
  marking: Marking,
  after: string | number | null,
): Promise<string | number | null> {
  const { table, key = 'id', at, names, namesWithin = [], texts } = persons
  const columns = new Set([key, ...texts, ...namesWithin.map(([column]) => column), ...names.flat()])
  let query = tx
    .selectFrom(table as 'audit_entries')
    .select([...columns].filter((column) => column !== null) as 'id'[])
    .orderBy(key as 'id')
    .limit(ROWS_AT_ONCE)
  if (after !== null) query = query.where(key as 'id', '>', after as number)
  query =
    at === 'of the history'
      ? query.where(key as 'id', 'in', (e) =>
          e.selectFrom('crimp_history').select('id').where('at', '<', marking.beforeMs),
        )
      : query.where(at as 'at', '<', marking.beforeMs)
  const rows = (await query.execute()) as unknown as Row[]
  for (const row of rows) {
    const changes = changesOf(persons, row, marking)
    if (Object.keys(changes).length === 0) continue
    await tx
      .updateTable(table as 'audit_entries')
      .set(changes)
      .where(key as 'id', '=', row[key] as number)
      .execute()
  }
  return rows.length < ROWS_AT_ONCE ? null : (rows.at(-1)?.[key] ?? null)
}

/**
 * Accounts that are deactivated and of which the trail has said nothing since an instant get a mark and lose what lets them in. After
 * `markPersons`, which knows names by them.
 */
export async function markAccounts(tx: Tx, { beforeMs, markOf, isMark }: Marking): Promise<void> {
  const inactive = await tx
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.full_name as fullName'])
    .where('u.active', '=', 0)
    .where('u.created_at', '<', beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit_entries as a')
            .select('a.id')
            .whereRef('a.user_id', '=', 'u.id')
            .where('a.at', '>=', beforeMs),
        ),
      ),
    )
    .execute()
  for (const { id, username, fullName } of inactive) {
    if (isMark(username)) continue
    const since = await tx
      .selectFrom('audit_entries')
      .select('id')
      .where((e) => e.and({ subject_kind: 'user', subject_id: String(id) }))
      .where('at', '>=', beforeMs)
      .executeTakeFirst()
    if (since) continue
    const marked = { username: markOf(username), full_name: markOf(fullName || username), password_hash: '' }
    await tx.updateTable('users').set(marked).where('id', '=', id).execute()
    await tx.deleteFrom('badges').where('user_id', '=', id).execute()
    await tx.deleteFrom('device_users').where('user_id', '=', id).execute()
  }
}
