import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { expendableBackups } from '../../domain/plant/backup-rotation.ts'
import type { Config } from '../config.ts'
import { findDocumentFault, flush, keepDocuments, putDocumentsBack, sha256Of } from '../documents/backup-documents.ts'
import type { Db } from '../store/db/db.ts'
import { isOfNewerVersion, isOfOlderVersion } from '../store/db/migrate.ts'
import { faultTextOf } from '../store/file-faults.ts'
import { deleteSetting, FOLDER_MARKER, isNew } from '../store/settings.ts'
import {
  changeFile,
  closeForGood,
  dropKey,
  fillMysql,
  findDamage,
  findDifference,
  forgetMoved,
  makeReady,
  namedDocuments,
  noteMoved,
  replaceFile,
  schemaOf,
  takeSnapshot,
  tallyFile,
} from '../store/snapshots.ts'
import { ownProgram } from './identity.ts'
import { adoptKeys, forgetKeys, keyPlaceOf } from './secret-key.ts'

/** Ends a command with a sentence that says what is wrong and what to do. */
export class BackupError extends Error {}

const DATABASE_FILE = 'painel.sqlite'
const DOCUMENTS_FOLDER = 'documentos'
const MANIFEST_FILE = 'manifesto.json'
const FORMAT = 1
const SCRATCH_HOURS_MAX = 24

const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  madeAt: z.iso.datetime(),
  from: z.enum(['sqlite', 'mysql']),
  schema: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  crimps: z.record(z.string(), z.number()),
  documents: z.object({ files: z.number(), bytes: z.number() }),
})
type Manifest = z.output<typeof Manifest>

export type Backup = { folder: string; manifest: Manifest }

const nameOf = (at: number) => `painel-${new Date(at).toISOString().replace(/[:.]/g, '-')}`
const NAME = /^painel-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/

/** When a folder of that name was made; null for any other folder, or for none. */
function madeAtOf(name = ''): number | null {
  const [, hour, minute, second, ms] = NAME.exec(name) ?? []
  return hour === undefined ? null : Date.parse(`${hour}:${minute}:${second}.${ms}Z`)
}

/** Complete ones, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  return names.filter((name) => madeAtOf(name) !== null).toSorted()
}

/** A clock that was ahead has named them for a time that is still to come: nobody knows what they have. */
const madeUntil = (names: readonly string[], now: number): string[] =>
  names.filter((name) => (madeAtOf(name) ?? 0) <= now)

export const newestBackupAt = async (folder: string, now: number): Promise<number | null> =>
  madeAtOf(madeUntil(await listBackups(folder), now).at(-1))

/** Marks a backup whose restore was tested. */
const TRIED_OUT_FILE = 'ensaiado'

export const noteTriedOut = ({ folder }: Backup): Promise<void> =>
  writeFile(join(folder, TRIED_OUT_FILE), '', { flush: true })

/** Clocks of a tablet and a database may differ by this much. */
const CLOCKS_APART_MS = 5 * 60_000

const listTriedOut = async (folder: string, now: number): Promise<string[]> =>
  madeUntil(await listBackups(folder), now).filter((name) => existsSync(join(folder, name, TRIED_OUT_FILE)))

/** When the newest backup was made whose restore was tried out; null while there is none. */
export const findTriedOutAt = async (folder: string, now: number): Promise<number | null> =>
  madeAtOf((await listTriedOut(folder, now)).at(-1))

/** Until when the older of the two newest backups that were tried out has everything; null while there are not two. */
export async function findCoveredUntil(folder: string, now: number): Promise<number | null> {
  const madeAt = madeAtOf((await listTriedOut(folder, now)).at(-2))
  return madeAt === null ? null : madeAt - CLOCKS_APART_MS
}

async function withScratch<T>(beside: string, now: number, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(beside, { recursive: true, mode: 0o700 })
  for (const name of (await readdir(beside)).filter((one) => one.startsWith('.rascunho-'))) {
    // of a run that was killed; a younger one may be at work
    const { mtimeMs } = await stat(join(beside, name))
    if (now - mtimeMs > SCRATCH_HOURS_MAX * 3_600_000) await rm(join(beside, name), { recursive: true })
  }
  const folder = await mkdtemp(join(beside, '.rascunho-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Backs the database up at this moment. An unfinished backup is never taken for one. */
export async function makeBackup(
  config: Pick<Config, 'database' | 'backupDir' | 'documentsDir'>,
  now: number,
): Promise<Backup> {
  const { database, backupDir, documentsDir } = config
  if (database.kind === 'sqlite' && !existsSync(database.file)) {
    throw new BackupError(`não há banco de dados em ${database.file}`)
  }
  return await withScratch(backupDir, now, async (scratch) => {
    const unfinished = join(scratch, 'backup')
    await mkdir(unfinished, { mode: 0o700 })
    const file = join(unfinished, DATABASE_FILE)
    const tally = await takeSnapshot(database, file)
    const difference = findDifference(tally, await tallyFile(file))
    if (difference !== null) throw new BackupError(`a cópia difere do banco (${difference})`)
    const rows = { ...tally.rows, settings: dropKey(file) }
    const newest = (await listBackups(backupDir)).at(-1)
    const earlier = newest === undefined ? null : join(backupDir, newest, DOCUMENTS_FOLDER)
    // after the database: a document's file is there before its row
    const documents = await keepDocuments(documentsDir, join(unfinished, DOCUMENTS_FOLDER), earlier)
    const manifest: Manifest = {
      format: FORMAT,
      version: ownProgram().version,
      madeAt: new Date(now).toISOString(),
      from: database.kind,
      schema: await schemaOf(file),
      bytes: (await stat(file)).size,
      sha256: await sha256Of(file),
      rows,
      crimps: tally.crimps,
      documents,
    }
    await writeFile(join(unfinished, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
    await flush(file)
    await flush(unfinished)
    const folder = join(backupDir, nameOf(now))
    await rename(unfinished, folder)
    await flush(backupDir)
    return { folder, manifest }
  })
}

/** Before this version changes a database that an older one has made. Resolves to null where there is nothing to change. */
export async function backUpOlder(
  db: Db,
  config: Pick<Config, 'database' | 'backupDir' | 'documentsDir'>,
  now: number,
): Promise<Backup | null> {
  if ((await isNew(db.read)) || !(await isOfOlderVersion(db))) return null
  return await makeBackup(config, now).catch((error: unknown) => {
    throw new BackupError(
      `O banco é de uma versão mais velha do painel e o backup dele antes da mudança, em ${config.backupDir}, falhou (${faultTextOf(error)}). Nada foi mudado: libere espaço, ou deixe o painel gravar em BACKUP_DIR.`,
    )
  })
}

export async function readBackup(folder: string): Promise<Backup> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new BackupError(`não há backup em ${folder} (falta ${MANIFEST_FILE})`)
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new BackupError(`${join(folder, MANIFEST_FILE)} está danificado`)
  }
  const parsed = Manifest.safeParse(content)
  if (!parsed.success) throw new BackupError(`${join(folder, MANIFEST_FILE)} não é de um backup desta versão`)
  return { folder, manifest: parsed.data }
}

/** A verified copy of the backup's file, migrated and ready to use. */
async function unpack({ folder, manifest }: Backup, file: string, newLifeAt: number): Promise<void> {
  await copyFile(join(folder, DATABASE_FILE), file)
  if ((await sha256Of(file)) !== manifest.sha256) {
    throw new BackupError(`o arquivo de ${folder} não é o que foi guardado (soma SHA-256 diferente)`)
  }
  const damage = findDamage(file)
  if (damage !== null) throw new BackupError(`o banco guardado em ${folder} está danificado (${damage})`)
  const difference = findDifference(manifest, await tallyFile(file))
  if (difference !== null) throw new BackupError(`o arquivo de ${folder} difere do manifesto (${difference})`)
  const documentsFolder = join(folder, DOCUMENTS_FOLDER)
  const fault = await findDocumentFault(documentsFolder, manifest.documents, namedDocuments(file))
  if (fault !== null) throw new BackupError(`os documentos de ${folder} não estão inteiros (${fault})`)
  await prepare(file, newLifeAt)
}

async function prepare(file: string, newLifeAt: number | null): Promise<void> {
  try {
    await makeReady(file, newLifeAt)
  } catch (error) {
    if (!isOfNewerVersion(error)) throw error
    throw new BackupError('o backup é de uma versão mais nova do painel: instale essa versão')
  }
  closeForGood(file)
}

/** Restores a backup into a scratch database and checks it. */
export const drill = (backup: Backup, config: Pick<Config, 'backupDir'>, now: number): Promise<void> =>
  withScratch(config.backupDir, now, (scratch) => unpack(backup, join(scratch, DATABASE_FILE), now))

/** Restores a backup. Resolves to where the old database was set aside; null when there was none. */
export async function restore(
  backup: Backup,
  config: Pick<Config, 'database' | 'dataDir' | 'documentsDir' | 'secretKeyFile'>,
  now: number,
): Promise<string | null> {
  const { database, dataDir, documentsDir } = config
  if (database.kind === 'sqlite' && existsSync(database.file)) closeForGood(database.file)
  return await withScratch(dataDir, now, async (scratch) => {
    const file = join(scratch, DATABASE_FILE)
    await unpack(backup, file, now)
    await changeFile(file, async (db) => {
      await adoptKeys({ db, now: () => now }, keyPlaceOf(config, database.kind))
      // the documents are put back into whatever folder there is now
      await db.transaction((tx) => deleteSetting(tx, FOLDER_MARKER))
    })
    await flush(file)
    await putDocumentsBack(join(backup.folder, DOCUMENTS_FOLDER), documentsDir)
    return await putInPlace(file, database, now)
  })
}

async function putInPlace(file: string, database: Config['database'], now: number): Promise<string | null> {
  if (database.kind === 'mysql') {
    await fillMysql(database.url, file)
    return null
  }
  return replaceFile(file, { file: database.file, stamp: nameOf(now) })
}

/**
 * Moves a plant from SQLite to MariaDB in the same epoch, so nothing is asked or offered again. The source is marked,
 * because two databases of one epoch would both send. A trial has an epoch of its own and marks nothing.
 */
export async function copyDatabase(
  from: string,
  { database, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  now: number,
  { isTrial = false } = {},
): Promise<Manifest['rows']> {
  if (database.kind !== 'mysql') {
    throw new BackupError('a cópia vai para um MariaDB: escreva o endereço dele em DATABASE_URL')
  }
  if (!existsSync(from)) throw new BackupError(`não há banco de dados em ${from}`)
  closeForGood(from)
  return await withScratch(dataDir, now, async (scratch) => {
    const file = join(scratch, DATABASE_FILE)
    const { rows } = await takeSnapshot({ kind: 'sqlite', file: from }, file)
    await prepare(file, isTrial ? now : null)
    if (isTrial) await changeFile(file, (db) => forgetKeys(db, { withRow: true }))
    await fillMysql(database.url, file)
    if (!isTrial) noteMoved(from, now)
    return rows
  })
}

/** Reopens a SQLite that was moved: like a restored backup, it asks the ERP first. */
export async function reopenMoved(file: string, now: number): Promise<void> {
  if (!existsSync(file)) throw new BackupError(`não há banco de dados em ${file}`)
  closeForGood(file)
  if (!forgetMoved(file)) throw new BackupError(`${file} não foi levado para outro banco`)
  await prepare(file, now)
}

/** Removes what rotation lets go; names it. */
export async function rotate({ backupDir }: Pick<Config, 'backupDir'>): Promise<string[]> {
  const names = await listBackups(backupDir)
  const expendable = new Set(expendableBackups(names.map((name) => madeAtOf(name) ?? 0)))
  const removed = names.filter((name) => expendable.has(madeAtOf(name) ?? 0))
  for (const name of removed) await rm(join(backupDir, name), { recursive: true })
  return removed
}
