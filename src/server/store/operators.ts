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

/** Goes through a page of the recordings in the order of their ids; answers where the next one begins, null after the last. */
export async function unnameRecordings(tx: Tx, { before, markOf }: Unnaming, after: string): Promise<string | null> {
  const page = await tx
    .selectFrom('recordings')
    .select(['id', 'production_day', 'user_id', 'operator'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
  for (const { id, production_day: day, user_id: userId, operator } of page) {
    if (day >= before || userId === NOBODY) continue
    const mark = markOf(operator)
    for (const table of ['recordings', 'erp_outbox'] as const) {
      const row = await tx.selectFrom(table).select('payload_json').where('id', '=', id).executeTakeFirst()
      if (!row) continue
      const payload_json = withMark(row.payload_json, mark)
      await tx.updateTable(table).set({ payload_json }).where('id', '=', id).execute()
    }
    await tx.updateTable('recordings').set({ operator: mark, user_id: NOBODY }).where('id', '=', id).execute()
  }
  return page.length < ROWS_AT_ONCE ? null : (page.at(-1)?.id ?? null)
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

/** As `unnameRecordings`, of calls. What was written in them stays. */
export async function unnameCalls(tx: Tx, { before, markOf, isMark }: Unnaming, after: string): Promise<string | null> {
  const page = await tx
    .selectFrom('maintenance_calls')
    .select(['id', 'opened_day', 'opened_by', 'acknowledged_by', 'settled_by'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
  const marked = (name: string | null) => (name === null ? null : markOf(name))
  for (const { id, opened_day: day, opened_by: opened, acknowledged_by: acknowledged, settled_by: settled } of page) {
    const isUnnamed = [opened, acknowledged, settled].every((name) => name === null || isMark(name))
    if (day >= before || isUnnamed) continue
    const names = { opened_by: markOf(opened), acknowledged_by: marked(acknowledged), settled_by: marked(settled) }
    const users = { opened_user_id: NOBODY, acknowledged_user_id: NOBODY, settled_user_id: NOBODY }
    const call = tx.updateTable('maintenance_calls').where('id', '=', id)
    await call.set({ ...names, ...users }).execute()
  }
  return page.length < ROWS_AT_ONCE ? null : (page.at(-1)?.id ?? null)
}

/** As `unnameCalls`, of the presses that joined one. */
export async function unnameJoins(tx: Tx, { before, markOf, isMark }: Unnaming, after: string): Promise<string | null> {
  const page = await tx
    .selectFrom('maintenance_call_joins')
    .select(['id', 'joined_day', 'joined_by'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
  for (const { id, joined_day: day, joined_by: name } of page) {
    if (day >= before || isMark(name)) continue
    const joined = { joined_by: markOf(name), user_id: NOBODY }
    await tx.updateTable('maintenance_call_joins').set(joined).where('id', '=', id).execute()
  }
  return page.length < ROWS_AT_ONCE ? null : (page.at(-1)?.id ?? null)
}

/** As `unnameCalls`, of measurements: also who took one out, and who noted a cause. Their ids are numbers. */
export async function unnameMeasurements(
  tx: Tx,
  { before, markOf, isMark }: Unnaming,
  after: string,
): Promise<string | null> {
  const page = await tx
    .selectFrom('measurements')
    .select(['id', 'measured_day', 'operator', 'invalid_by', 'cause_by'])
    .where('id', '>', Number(after))
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
  const marked = (name: string | null) => (name === null ? null : markOf(name))
  for (const { id, measured_day: day, operator, invalid_by: invalidBy, cause_by: causeBy } of page) {
    const isUnnamed = [operator, invalidBy, causeBy].every((name) => name === null || isMark(name))
    if (day >= before || isUnnamed) continue
    const names = { operator: markOf(operator), invalid_by: marked(invalidBy), cause_by: marked(causeBy) }
    await tx
      .updateTable('measurements')
      .set({ ...names, user_id: NOBODY })
      .where('id', '=', id)
      .execute()
  }
  return page.length < ROWS_AT_ONCE ? null : String(page.at(-1)?.id)
}

/** Whose names stand in what: the column of the name, of the user and of the instant. */
const cares = [
  ['wear_parts', 'mounted_by', 'mounted_by_id', 'mounted_at'],
  ['wear_parts', 'removed_by', 'removed_by_id', 'removed_at'],
  ['task_runs', 'recorded_by', 'user_id', 'recorded_at'],
  ['releases', 'given_by', 'user_id', 'at'],
] as const

/** Replaces the names of those who cared for parts, did tasks and gave releases before an instant (epoch ms). There are few of them. */
export async function unnameCare(tx: Tx, { markOf, isMark }: Unnaming, beforeMs: number): Promise<void> {
  for (const [table, name, user, at] of cares) {
    const old = await tx
      .selectFrom(table as 'task_runs')
      .select(name as 'recorded_by')
      .distinct()
      .where(at as 'recorded_at', '<', beforeMs)
      .execute()
    for (const row of old) {
      const written = (row as Record<string, string>)[name] ?? ''
      if (isMark(written)) continue
      await tx
        .updateTable(table as 'task_runs')
        .set({ [name]: markOf(written), [user]: NOBODY })
        .where(at as 'recorded_at', '<', beforeMs)
        .where(name as 'recorded_by', '=', written)
        .execute()
    }
  }
}

/** When the first user was created: nothing here is older. Null before that. */
export async function findFirstDay(db: Reader): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select((e) => e.fn.min<number | null>('created_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
