import type { Db } from '../../../src/server/store/db/db.ts'

/** What is wrong with the calls of a plant, a line per offence, counted from the ids whose press somebody saw answered. */
export async function findCallOffences(answered: ReadonlySet<string>, db: Db): Promise<string[]> {
  const calls = await db.read.selectFrom('maintenance_calls').selectAll().orderBy('call_number').execute()
  const joins = await db.read.selectFrom('maintenance_call_joins').selectAll().execute()
  const stored = new Set([...calls, ...joins].map(({ id }) => id))
  const joinsOf = Map.groupBy(joins, ({ call_id: id }) => id)
  const offences = {
    'presses were seen as answered and are not here': [...answered].filter((id) => !stored.has(id)),
    'presses are here and nobody saw them answered': [...stored].filter((id) => !answered.has(id)),
    'presses are both a call and part of one': joins.filter(({ id }) => calls.some((call) => call.id === id)),
    'calls bear another number than the next': calls.filter((call, at) => call.call_number !== at + 1),
    'calls say another number of presses': calls.filter((call) => call.joined !== (joinsOf.get(call.id)?.length ?? 0)),
  }
  return Object.entries(offences).flatMap(([what, found]) => (found.length > 0 ? [`${found.length} ${what}`] : []))
}
