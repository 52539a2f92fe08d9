import { type Config, ConfigError } from './config.ts'
import { type Db, openDb } from './store/db.ts'

/** For a person to read: the address of a MariaDB holds a password. */
export function databaseName({ database }: Pick<Config, 'database'>): string {
  if (database.kind === 'sqlite') return database.file
  const { pathname, host } = new URL(database.url)
  return `${decodeURIComponent(pathname.slice(1))} em ${host}`
}

/** Opens the database that the configuration names. Throws ConfigError when its file cannot be used. */
export function openStore({ database }: Config): Db {
  try {
    return openDb(database)
  } catch (error) {
    // the address of a MariaDB holds a password
    const where = database.kind === 'sqlite' ? database.file : 'de DATABASE_URL'
    throw new ConfigError(`Não foi possível abrir o banco de dados ${where} (${(error as Error).message}).`)
  }
}
