import { sql } from 'kysely'
import type { ErpJunction } from '../../contract/junctions.ts'
import type { Machine } from '../../contract/machines.ts'
import { codesOfItem, codesOfJunction, type NamedCode, nameKey, present } from '../../domain/acts/recordings.ts'
import { usualSpellings } from '../../domain/text/spellings.ts'
import { compiled, type Place } from './db/compiled.ts'
import type { Db, Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { readItemPages } from './item-pages.ts'
import { findSetting, saveSetting } from './settings.ts'
import { slicesOf } from './slices.ts'

/** Beside what copies name: the item itself, and what is on the panel's own lists. */
export type KnownKind = NamedCode['kind'] | 'item' | 'miniaplicador' | 'seladora' | 'instrumento'

export const codesOfMachines = (machines: readonly Machine[]): NamedCode[] =>
  machines.map(({ id }) => ({ kind: 'maquina', code: id }))

const CODES_AT_ONCE = 200

/** In the commit of what was read; a code that is there already stays as it is. */
export async function noteCodes(tx: Tx, codes: readonly NamedCode[]): Promise<void> {
  const rows = new Map<string, Tables['known_codes']>()
  for (const { kind, code } of codes) {
    const code_key = nameKey(code)
    if (present(code) !== null && code_key.length <= 255 && !rows.has(code_key)) rows.set(code_key, { code_key, kind })
  }
  // in one order: two servers that read the same order wait for each other, and never for good
  const keys = [...rows.keys()].toSorted()
  for (const some of slicesOf(keys, CODES_AT_ONCE)) {
    const there = await tx.selectFrom('known_codes').select('code_key').where('code_key', 'in', some).execute()
    const known = new Set(there.map(({ code_key }) => code_key))
    const fresh = some.flatMap((key) => (known.has(key) ? [] : (rows.get(key) ?? [])))
    if (fresh.length > 0) await tx.replaceInto('known_codes').values(fresh).execute()
  }
}

/** The lists of the panel itself that give things a code, and the column that it is found by. */
const lists = [
  ['applicator_units', 'name_key', 'miniaplicador'],
  ['applicators', 'miniaplicator_key', 'miniaplicador'],
  ['applicators', 'terminal_key', 'terminal'],
  ['sealing_stations', 'station_name_key', 'seladora'],
  ['sealing_stations', 'seal_key', 'selo'],
  ['instruments', 'code_key', 'instrumento'],
  ['control_plans', 'terminal_key', 'terminal'],
] as const satisfies readonly [keyof Tables, string, KnownKind][]

const findByKey = compiled((db: Reader, value: Place<{ key: string }>) => {
  const copied = db
    .selectFrom('known_codes')
    .select(sql<KnownKind>`kind`.as('kind'))
    .where('code_key', '=', value('key'))
  return lists
    .reduce(
      (all, [table, column, kind]) =>
        all.unionAll(
          db
            .selectFrom(table as 'applicators')
            .select(sql<KnownKind>`${sql.lit(kind)}`.as('kind'))
            .where(column as 'terminal_key', '=', value('key')),
        ),
      copied,
    )
    .limit(1)
})

/** What has one of these codes; null where nothing known here has. Keys of names, and texts of an item's length. */
export async function findKnown(
  db: Reader,
  { keys, barcodes, branches }: { keys: readonly string[]; barcodes: readonly string[]; branches: readonly string[] },
): Promise<KnownKind | null> {
  for (const key of keys) {
    const [found] = await findByKey(db, { key })
    if (found) return found.kind
  }
  if (barcodes.length === 0 || branches.length === 0) return null
  const item = await db
    .selectFrom('erp_items')
    .select('barcode')
    .where('branch', 'in', branches)
    .where('barcode', 'in', [...new Set(barcodes.flatMap(usualSpellings))])
    .limit(1)
    .executeTakeFirst()
  return item ? 'item' : null
}

const FILLED = 'known_codes_filled'

/** Once: the codes of what was read before the table. A read of the ERP notes all others. */
export async function fillCodes(db: Db): Promise<void> {
  if ((await findSetting(db.read, FILLED)) !== null) return
  for await (const items of readItemPages(db.read)) {
    await db.transaction((tx) => noteCodes(tx, items.flatMap(codesOfItem)))
  }
  const junctions = await db.read.selectFrom('erp_junctions').select(['order_number', 'row_json']).execute()
  const machines = await db.read.selectFrom('erp_machines').select('rows_json').execute()
  await db.transaction(async (tx) => {
    await noteCodes(tx, [
      ...junctions.flatMap((row) => codesOfJunction(row.order_number, JSON.parse(row.row_json) as ErpJunction)),
      ...machines.flatMap(({ rows_json }) => codesOfMachines(JSON.parse(rows_json) as Machine[])),
    ])
    await saveSetting(tx, FILLED, '1')
  })
}
