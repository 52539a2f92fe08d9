import type { ErpJunction } from '../../contract/junctions.ts'
import type { Machine } from '../../contract/machines.ts'
import { nameKey, sectionOf } from '../../domain/acts/recordings.ts'
import { junctionTerminalOf } from '../../domain/quality/sampling.ts'
import type { Reader } from './db/db.ts'
import { readItemPages } from './item-pages.ts'

/** Terminals and seals of orders read before. */
async function* readOrderNames(db: Reader): AsyncGenerator<string[]> {
  for await (const items of readItemPages(db)) {
    const sections = items.flatMap((item) => [sectionOf(item, 'l1'), sectionOf(item, 'l2')])
    yield sections.flatMap(({ terminal, seal }) => [terminal, seal]).filter((name) => name !== null)
  }
  const junctions = await db.selectFrom('erp_junctions').select('row_json').execute()
  yield junctions.map(({ row_json }) => junctionTerminalOf(JSON.parse(row_json) as ErpJunction))
}

/** Names that somebody has given already: in plans, pairs and instruments, then machines, last in what was read of orders. */
async function* readNames(db: Reader): AsyncGenerator<string[]> {
  const plans = await db
    .selectFrom('control_plans')
    .select(['terminal', 'unit', 'machine', 'branch', 'instrument', 'reaction'])
    .distinct()
    .execute()
  yield plans.flatMap((plan) => Object.values(plan))
  const pairs = await db.selectFrom('applicators').select(['terminal', 'miniaplicator']).execute()
  yield pairs.flatMap((pair) => Object.values(pair))
  const stations = await db.selectFrom('sealing_stations').select(['seal', 'station_name']).execute()
  yield stations.flatMap((station) => Object.values(station))
  yield (await db.selectFrom('instruments').select('code').execute()).map(({ code }) => code)
  const machines = await db.selectFrom('erp_machines').select('rows_json').execute()
  yield machines.flatMap(({ rows_json }) => (JSON.parse(rows_json) as Machine[]).map(({ id }) => id))
  yield* readOrderNames(db)
}

/** Which of some names are known here: their keys. Reads no further than the last of them. */
export async function findKnownNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const sought = new Set(names.map(nameKey))
  const found = new Set<string>()
  if (sought.size === 0) return found
  for await (const page of readNames(db)) {
    for (const key of page.map(nameKey)) if (sought.has(key)) found.add(key)
    if (found.size === sought.size) break
  }
  return found
}
