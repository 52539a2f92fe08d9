import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/server/config.ts'
import { type Db, openDb } from '../../src/server/store/db/db.ts'
import { type Database, temporaryFolder } from './harness.ts'
import { freshDatabase } from './mariadb.ts'

/** Where a server keeps what it has: an empty database of its own, and folders. */
export type Place = Pick<Config, 'database' | 'dataDir' | 'backupDir' | 'documentsDir' | 'secretKeyFile'>

export async function placeOf(kind: Database): Promise<Place> {
  const dataDir = temporaryFolder()
  const database: Config['database'] =
    kind === 'mariadb'
      ? { kind: 'mysql', url: await freshDatabase() }
      : { kind: 'sqlite', file: join(dataDir, 'painel.sqlite') }
  const [backupDir, documentsDir] = [join(dataDir, 'backups'), join(dataDir, 'documentos')]
  return { database, dataDir, backupDir, documentsDir, secretKeyFile: null }
}

export function openPlace({ database }: Place): Db {
  const db = openDb(database)
  onTestFinished(() => db.close())
  return db
}
