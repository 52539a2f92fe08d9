import {
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'

/** What the two databases call the same column. Text is compared byte by byte on both, trailing blanks included. */
export type Columns = {
  key: (lengthMax: number) => ColumnDataType | RawBuilder<unknown>
  longText: ColumnDataType | RawBuilder<unknown>
  integer: ColumnDataType | RawBuilder<unknown>
  number: ColumnDataType | RawBuilder<unknown>
  autoId: RawBuilder<unknown>
  tableEnd: RawBuilder<unknown>
}

export function columnsOf(database: 'sqlite' | 'mariadb' | 'mysql'): Columns {
  if (database === 'sqlite') {
    return {
      key: () => sql`text`,
      longText: sql`text`,
      integer: sql`integer`,
      number: sql`real`,
      autoId: sql`integer primary key autoincrement`,
      tableEnd: sql`strict`,
    }
  }
  const collation = database === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  return {
    key: (lengthMax) => sql.raw(`varchar(${lengthMax})`),
    longText: sql`longtext`,
    integer: sql`bigint`,
    number: sql`double`,
    autoId: sql`bigint not null auto_increment primary key`,
    tableEnd: sql.raw(`engine=InnoDB default charset=utf8mb4 collate=${collation}`),
  }
}

/** One statement that changes the schema, harmless when run again: MariaDB commits each by itself. */
export type Step = (db: Kysely<unknown>, columns: Columns) => Promise<void>

const run = async (statement: { execute(): Promise<unknown> }): Promise<void> => void (await statement.execute())

export const must = (column: ColumnDefinitionBuilder) => column.notNull()
export const id = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

type Build = (table: CreateTableBuilder<string, never>, columns: Columns) => CreateTableBuilder<string, string>

export const table =
  (name: string, build: Build): Step =>
  (db, columns) =>
    run(build(db.schema.createTable(name).ifNotExists(), columns).modifyEnd(columns.tableEnd))

/** Of a table that is there: null in the rows that it has, unless `build` gives them a value. */
export const column =
  (
    name: string,
    of: string,
    type: (columns: Columns) => ColumnDataType | RawBuilder<unknown>,
    build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder = (added) => added,
  ): Step =>
  async (db, columns) => {
    try {
      await db.schema.alterTable(of).addColumn(name, type(columns), build).execute()
    } catch (error) {
      if (!/duplicate column name/i.test(String((error as Error).message))) throw error
    }
  }

/** MariaDB knows "if not exists" for indexes, MySQL does not: an index that is there already is fine. */
export const index =
  (name: string, on: string, ...columnNames: string[]): Step =>
  async (db: Kysely<unknown>) => {
    try {
      await db.schema.createIndex(name).on(on).columns(columnNames).execute()
    } catch (error) {
      if (!/already exists|Duplicate key name/i.test(String((error as Error).message))) throw error
    }
  }
