import { type Config, ConfigError } from './config.ts'
import { type Db, openDb } from './store/db.ts'

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
