import { type ColumnDataType, type Kysely, type RawBuilder, sql } from 'kysely'

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

export const run = async (statement: { execute(): Promise<unknown> }): Promise<void> => void (await statement.execute())
