import type { Connection, RowDataPacket } from 'mysql2'
import { mysqlDriver } from './drivers.ts'
import { mysqlOptions } from './mysql-address.ts'

export type Row = (string | number | null)[]
export type Table = { name: string; columns: string[] }
/** Both databases take this way of naming what is a word of their language too. */
export const columnList = ({ columns }: Table) => columns.map((column) => `\`${column}\``).join(', ')
export type Ask = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Well below what one statement may have on any server. */
const BATCH_CHARACTERS_MAX = 1_000_000
const BATCH_ROWS_MAX = 1000

export type MysqlRows = Disposable & {
  ask: Ask
  rowsOf(table: Table): AsyncIterable<Row>
  insert(table: Table, rows: Iterable<Row>): Promise<void>
  close(): void
}

/** A connection of its own: the pool's give up on what is silent for as long as these statements take. */
export function openMysqlRows(url: string): MysqlRows {
  const connection: Connection = mysqlDriver().createConnection(mysqlOptions(url))
  // without a listener a lost connection would end the process; the pending query reports it anyway
  connection.on('error', () => undefined)
  const ask: Ask = (text, values = []) =>
    new Promise((resolve, reject) => {
      connection.query<RowDataPacket[]>(text, values, (error, rows) => (error ? reject(error) : resolve(rows)))
    })
  return {
    ask,
    async *rowsOf(table) {
      const query = connection.query({ sql: `select ${columnList(table)} from ${table.name}`, rowsAsArray: true })
      yield* query.stream({ highWaterMark: BATCH_ROWS_MAX }) as AsyncIterable<Row>
    },
    async insert(table, rows) {
      let batch: Row[] = []
      let characters = 0
      const flush = async () => {
        if (batch.length > 0) await ask(`insert into ${table.name} (${columnList(table)}) values ?`, [batch])
        batch = []
        characters = 0
      }
      for (const row of rows) {
        batch.push(row)
        for (const value of row) characters += typeof value === 'string' ? value.length : 8
        if (batch.length >= BATCH_ROWS_MAX || characters >= BATCH_CHARACTERS_MAX) await flush()
      }
      await flush()
    },
    close: () => connection.destroy(),
    [Symbol.dispose]: () => connection.destroy(),
  }
}
