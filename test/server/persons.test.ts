import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { personCsv } from '../../src/server/features/users.ts'
import { actKinds } from '../../src/server/store/act-kinds.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { listPersonColumns, otherPersons, persons } from '../../src/server/store/persons.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { databases, NOON_MS, openStore, openTestPanel } from '../support/harness.ts'

const YEAR_MS = 366 * 86_400_000

/** Names of columns of text that say what, when, where or how, and never who. */
const things = new Set(
  `act_id action barcode basis branch calibrated_until_day call_id cause certainty change channel characteristic chart checked code
  code_key containment_id content_hash day decided_day description directory done_day ended_why epoch finding findings from_day id
  instrument joined_day kind lease_owner lot machine machine_key machine_type maintenance_day measured_day media_type
  miniaplicator miniaplicator_key mode name_key natural_key occasion open_key opened_day operation order_number ordered_day
  origin_key page_version part part_group place position press_id production_day reaction readings_json recording_id release_id
  removal_reason resent_from revision role rule safety_condition seal seal_key series server session_id sha256 shift side
  signals_json source state station_name station_name_key subject subject_kind superseded_by symptom team terminal terminal_key
  title topic unit unit_key until_day verdict`.split(/\s+/),
)
/** Here a word that elsewhere is a person's is a thing's, or the other way round. */
const thingsHere = [
  ...[
    'applicator_units.name',
    'crimp_history.name',
    'maintenance_tasks.name',
    'settings.name',
    'erp_junction_details.details_json',
  ],
  ...[
    'recording_findings.details_json',
    'releases.looked_json',
    'crimp_ledger.reason',
    'retained_deliveries.reason',
    'maintenance_records.maintenance_day',
  ],
  ...[
    'scrap_reasons.text',
    'scrap_reasons.text_key',
    'scrap_reasons.stage',
    'scraps.reason_code',
    'scraps.origin',
    'daily_scrap.reason_code',
  ],
  'daily_scrap.origin',
  'containment_steps.scrap_reason',
]

type Column = { table: string; name: string; type: string }

const columnsOf = async ({ read }: Db): Promise<Column[]> => {
  const { rows } = await sql<Column>`
    select m.name as "table", c.name as name, lower(c.type) as type from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'kysely%'`.execute(read)
  return rows
}

test('every column that can hold a person is in the table of them', async () => {
  const columns = await columnsOf(await openStore('sqlite'))
  const can = columns
    .filter(({ name, type }) => (type === 'text' && !things.has(name)) || /(^|_)user_id$|_by_id$/.test(name))
    .map(({ table, name }) => `${table}.${name}`)
    .filter((name) => !thingsHere.includes(name))
  const known = listPersonColumns()
  const sentence = (name: string) => `${name} can hold a person, and persons.ts does not say until when it is kept`
  expect(can.filter((name) => !known.includes(name)).map(sentence)).toEqual([])
  const all = columns.map(({ table, name }) => `${table}.${name}`)
  expect(known.filter((name) => !all.includes(name)).map((name) => `${name} is not in the schema`)).toEqual([])
})

const SHE = /maria[ .]souza/i
/** Some free text in each column of one, a name in each of a name. */
const TEXT = 'Falei com Maria Souza, que sabe'
const JSON_TEXT = JSON.stringify({
  responsible: 'Maria Souza',
  OPERADOR: 'Maria Souza',
  texto: TEXT,
  por: 'maria.souza',
})

const named = new Set([
  ...persons.map(({ table }) => table),
  ...actKinds.map(({ table }) => table),
  'erp_outbox',
  'daily_production',
])
const texts = new Set(persons.flatMap(({ table, texts: columns }) => columns.map((name) => `${table}.${name}`)))
const names = new Set([
  ...persons.flatMap(({ table, names: pairs }) => pairs.map(([name]) => `${table}.${name}`)),
  ...actKinds.flatMap(({ table, people }) => people.map(([name]) => `${table}.${name}`)),
  'daily_production.operator',
])

function valueIn({ table, name, type }: Column): string | number {
  const column = `${table}.${name}`
  if (/(^|_)user_id$|_by_id$/.test(name)) return 1
  if (type !== 'text') return /(^|_)at$/.test(name) ? NOON_MS : 1
  if (name === 'payload_json') return JSON.stringify({ OPERADOR: 'Maria Souza' })
  if (name === 'readings_json') return '[1100]'
  if (texts.has(column) && name.endsWith('_json')) return JSON_TEXT
  if (name.endsWith('_json')) return '{}'
  if (names.has(column)) return ['user_name', 'username'].includes(name) ? 'maria.souza' : 'Maria Souza'
  if (texts.has(column)) return TEXT
  return name.endsWith('day') ? '2026-11-21' : 'x'
}

describe.each(databases)('of a person who did everything, on %s,', (database) => {
  const setUp = async () => {
    const panel = await openTestPanel({ database })
    const { db } = panel
    const user = { username: 'maria.souza', full_name: 'Maria Souza', role: 'operador', password_hash: 'x' } as const
    await db.transaction(async (tx) => {
      await tx
        .insertInto('users')
        .values({ ...user, id: 1, active: 0, created_at: NOON_MS })
        .execute()
      for (const [table, columns] of Map.groupBy(
        await columnsOf(await openStore('sqlite')),
        (column) => column.table,
      )) {
        if (!named.has(table as 'recordings')) continue
        const row = Object.fromEntries(columns.map((column) => [column.name, valueIn(column)]))
        await tx
          .insertInto(table as 'audit_entries')
          .values({ ...row } as never)
          .execute()
      }
    })
    const dump = async () => {
      const found: string[] = []
      for (const { table, name } of await columnsOf(await openStore('sqlite'))) {
        const rows = await db.read
          .selectFrom(table as 'users')
          .select(name as 'username')
          .execute()
        if (rows.some((row) => SHE.test(String((row as Record<string, unknown>)[name])))) found.push(`${table}.${name}`)
      }
      return found
    }
    return { ...panel, dump }
  }

  test('no name stands anywhere when the law asks for none any more, nor before the account is over', async () => {
    const { db, clock, context, dump } = await setUp()
    expect((await dump()).length).toBeGreaterThan(names.size)
    clock.advance(9 * YEAR_MS)
    await db.transaction((tx) => tx.updateTable('users').set({ active: 1 }).execute())
    await unnameOldOperators(context)
    expect(await dump(), 'somebody who works here is named by the account').toEqual([
      'users.username',
      'users.full_name',
    ])
    await db.transaction((tx) => tx.updateTable('users').set({ active: 0 }).execute())
    clock.advance(YEAR_MS)
    await unnameOldOperators(context)
    expect(await dump()).toEqual([])
  })

  test('the file has what she wrote, said as a free text, and the devices that she wrote it on', async () => {
    const { db } = await setUp()
    const [user] = await listUsers(db.read)
    if (!user) throw new Error('no user')
    await db.transaction((tx) =>
      tx
        .updateTable('recordings')
        .set({
          capture_json: JSON.stringify({
            dispositivo: 'Tablet 3',
            motivoForaDoLimite: { motivo: 'outro', texto: 'Ajuste' },
          }),
        })
        .execute(),
    )
    const details = JSON.stringify({ was: { comments: '' }, is: { comments: 'Troquei a lâmina' } })
    await db.transaction((tx) => tx.updateTable('audit_entries').set({ details_json: details }).execute())
    let file = ''
    for await (const rows of personCsv(db, user, () => 'agora')) file += rows
    expect(file).toContain('Tablet 3 · Texto livre: Ajuste')
    for (const { said, texts: written } of persons)
      if (said !== null)
        expect(file).toMatch(new RegExp(written.length > 0 ? `${said};.*Texto livre: .*${TEXT}` : `;${said};`))
    expect(file).toContain('Comentários: — → Troquei a lâmina')
    expect(file).toContain(`Liberação;"=""x""";;"Texto livre: ${TEXT}"`)
  })
})

test('what is deleted long before says so, and nothing else is left out', () => {
  const ends = new Set(Object.values(otherPersons).flatMap((columns) => Object.values(columns)))
  expect(ends).toEqual(new Set(['goes', 'asked', 'erp', 'act', 'summed']))
})
