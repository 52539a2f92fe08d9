import type { ActKind } from './act-kinds.ts'
import { addProduction } from './daily-production.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'

/** Replaces the operator's user id in a recording. */
const NOBODY = 0

const ROWS_AT_ONCE = 500

/** `before`: the first day (`YYYY-MM-DD`) whose names stay. `markOf`: the mark of a name. */
export type Unnaming = { before: string; markOf: (operator: string) => string; isMark: (operator: string) => boolean }

const withMark = (payloadJson: string, mark: string): string => {
  const payload = JSON.parse(payloadJson) as object
  return JSON.stringify('OPERADOR' in payload ? { ...payload, OPERADOR: mark } : payload)
}

type Row = Record<string, string | number | null>

/**
 * Goes through a page of the rows of a kind of act in the order of their ids; answers where the next one begins, null after the
 * last. Texts that were written in them stay.
 */
export async function unnameActs(
  tx: Tx,
  { table, day, people, payloads }: ActKind,
  { before, markOf, isMark }: Unnaming,
  after: string | number | null,
): Promise<string | number | null> {
  const rows = (await tx
    .selectFrom(table as 'recordings')
    .select(['id', day, ...people.flat().filter((column) => column !== null)] as 'id'[])
    .$if(after !== null, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()) as Row[]
  for (const row of rows) {
    const names = people.filter(([name]) => row[name] !== null).map(([name]) => String(row[name]))
    if (String(row[day]) >= before || names.every(isMark)) continue
    const id = row.id as string
    for (const holder of payloads) {
      const payload = await tx.selectFrom(holder).select('payload_json').where('id', '=', id).executeTakeFirst()
      if (!payload) continue
      const payload_json = withMark(payload.payload_json, markOf(names[0] ?? ''))
      await tx.updateTable(holder).set({ payload_json }).where('id', '=', id).execute()
    }
    const marked = people.flatMap(([name, userId]) => [
      [name, row[name] === null ? null : markOf(String(row[name]))],
      // what nobody has done stays so
      ...(userId === null || row[userId] === null ? [] : [[userId, NOBODY]]),
    ])
    await tx
      .updateTable(table as 'recordings')
      .set(Object.fromEntries(marked))
      .where('id', '=', id)
      .execute()
  }
  return rows.length < ROWS_AT_ONCE ? null : (rows.at(-1)?.id ?? null)
}

/** Moves some rows of the roll-up under the mark; false when there are no more. What they sum up to stays. */
export async function unnameProduction(tx: Tx, { before, markOf, isMark }: Unnaming): Promise<boolean> {
  const operators = await tx
    .selectFrom('daily_production')
    .select('operator')
    .distinct()
    .where('production_day', '<', before)
    .execute()
  const named = operators.map(({ operator }) => operator).filter((operator) => !isMark(operator))
  if (named.length === 0) return false
  const rows = await tx
    .selectFrom('daily_production')
    .selectAll()
    .where('production_day', '<', before)
    .where('operator', 'in', named)
    .limit(ROWS_AT_ONCE)
    .execute()
  for (const { id, pieces, recordings, operator, ...row } of rows) {
    if (!(await tx.deleteFrom('daily_production').where('id', '=', id).$call(changesOne))) continue
    const { production_day: productionDay, order_number: orderNumber, unit_key: unitKey } = row
    const day = { ...row, productionDay, orderNumber, unitKey, operator: markOf(operator) }
    await addProduction(tx, day, { pieces, recordings })
  }
  return true
}

/** When the first user was created: nothing here is older. Null before that. */
export async function findFirstDay(db: Reader): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select((e) => e.fn.min<number | null>('created_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
