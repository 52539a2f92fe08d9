import { chmodSync, existsSync } from 'node:fs'
import { type Config, ConfigError } from '../../config.ts'
import { type Db, findMissingRight, isStoreUnreachable, openDb } from './db.ts'
import { isOfNewerVersion } from './migrate.ts'

/** For a person to read: the address of a MariaDB holds a password. */
export function databaseName({ database }: Pick<Config, 'database'>): string {
  if (database.kind === 'sqlite') return database.file
  const { pathname, host } = new URL(database.url)
  return `${decodeURIComponent(pathname.slice(1))} em ${host}`
}

/** For whoever started what a database has ended; null where its error is a bug. */
export function storeFault(error: unknown): string | null {
  if (isStoreUnreachable(error)) return `O banco de dados não respondeu: ${(error as Error).message}`
  if (isOfNewerVersion(error)) {
    return 'O banco de dados é de uma versão mais nova do painel: instale essa versão ou ponha de volta um backup desta.'
  }
  const right = findMissingRight(error)
  return right === null
    ? null
    : `O usuário de DATABASE_URL não tem o direito ${right} no banco de dados: dê todos a ele (GRANT ALL ON banco.* TO usuario).`
}

/** Files of this process are readable by its user only. */
export const PRIVATE_UMASK = 0o077

/** Also tightens an older database, or one that was copied. */
function makePrivate(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) chmodSync(part, 0o600)
}

/** Opens the database that the configuration names. Throws ConfigError when its file cannot be used. */
export function openStore({ database }: Config): Db {
  try {
    const db = openDb(database)
    // not before: what turns out to be no database is somebody else's file
    if (database.kind === 'sqlite') makePrivate(database.file)
    return db
  } catch (error) {
    // the address of a MariaDB holds a password
    const where = database.kind === 'sqlite' ? database.file : 'de DATABASE_URL'
    throw new ConfigError(`Não foi possível abrir o banco de dados ${where} (${(error as Error).message}).`)
  }
}
