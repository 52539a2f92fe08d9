import { createConnection } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/mariadb.ts'

test('gives every caller an empty MariaDB database of its own that forgets nothing it committed', async () => {
  const urls = await Promise.all([freshDatabase(), freshDatabase()])
  expect(new Set(urls).size).toBe(2)
  const connection = await createConnection(urls[0])
  const [rows] = await connection.query(
    'SELECT VERSION() version, @@innodb_flush_log_at_trx_commit flush, @@collation_database collation',
  )
  const [tables] = await connection.query('SHOW TABLES')
  await connection.end()
  expect(rows).toEqual([{ version: expect.stringContaining('MariaDB'), flush: 1, collation: 'utf8mb4_nopad_bin' }])
  expect(tables).toEqual([])
})
