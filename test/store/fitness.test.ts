import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { findUnfitness } from '../../src/server/store/db/fitness.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore } from '../support/harness.ts'
import { freshDatabase, startOwnMariadb } from '../support/mariadb.ts'
import { openAnother } from '../support/store.ts'

test('a database as we set it up is fit, with its tables and without', async () => {
  const db = openAnother(await freshDatabase())
  expect(await findUnfitness(db.read)).toBeNull()
  await migrate(db)
  expect(await findUnfitness(db.read)).toBeNull()
})

test.each([
  ["set session tx_isolation = 'REPEATABLE-READ'", 'trabalha com o isolamento REPEATABLE-READ: o painel precisa de'],
  ["set session time_zone = '-03:00'", 'trabalha no fuso horário -03:00: o painel precisa de +00:00'],
  ["set session time_zone = 'SYSTEM'", 'trabalha no fuso horário SYSTEM: o painel precisa de +00:00'],
])('a session that is not ours any more (%s) is unfit', async (change, complaint) => {
  const db = await openStore('mariadb')
  await db.read.connection().execute(async (connection) => {
    await sql.raw(change).execute(connection)
    expect(await findUnfitness(connection)).toContain(complaint)
  })
})

test.each(['utf8mb4_general_ci', 'utf8mb4_bin', 'latin1_swedish_ci'])(
  'a table converted to %s is unfit',
  async (to) => {
    const db = await openStore('mariadb')
    const charset = to.split('_')[0] ?? ''
    await sql.raw(`alter table settings convert to character set ${charset} collate ${to}`).execute(db.read)
    expect(await findUnfitness(db.read)).toBe(
      `compara os textos da tabela settings por ${to}: o painel precisa de utf8mb4_nopad_bin`,
    )
  },
)

test('a database that answers before a commit is on its disk is unfit', async () => {
  const { url } = await startOwnMariadb()
  const root = await createConnection(url)
  onTestFinished(() => root.end())
  for (const value of [0, 2]) {
    await root.query(`set global innodb_flush_log_at_trx_commit = ${value}`)
    expect(await findUnfitness(openAnother(url).read)).toContain(`tem innodb_flush_log_at_trx_commit=${value}: `)
  }
})
