import { chmodSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { faultText, findEntryFault, findFolderFault } from '../file-faults.ts'
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
  if (isStoreUnreachable(error)) return `O banco de dados não respondeu: ${faultText(error)}`
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

/** Why the file of a database, or one beside it, could not be opened, and what to do. */
export function fileRefusal(file: string, error: unknown): ConfigError {
  const folder = dirname(file)
  const ofFolder = findFolderFault(folder)
  const ofFile = ofFolder === null ? findEntryFault(file, folder) : null
  const why =
    ofFolder !== null ? `: ${folder} ${ofFolder}` : ofFile !== null ? `: ${ofFile}` : ` (${faultText(error)}).`
  return new ConfigError(`Não foi possível abrir o banco de dados ${file}${why}`)
}

/** Opens the database that the configuration names. Throws ConfigError when its file cannot be used. */
export function openStore({ database }: Pick<Config, 'database'>): Db {
  try {
    const db = openDb(database)
    // not before: what turns out to be no database is somebody else's file
    if (database.kind === 'sqlite') makePrivate(database.file)
    return db
  } catch (error) {
    if (database.kind === 'sqlite') throw fileRefusal(database.file, error)
    // the address of a MariaDB holds a password
    throw new ConfigError(`Não foi possível abrir o banco de dados de DATABASE_URL (${(error as Error).message}).`)
  }
}
