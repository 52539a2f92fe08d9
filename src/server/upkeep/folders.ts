import { mkdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DiskFolder } from '../../contract/health.ts'
import { type Config, ConfigError } from '../config.ts'
import { findClosedFault, findEntryFault, findFolderFault, isFile } from '../store/file-faults.ts'

/** Entries of DATA_DIR that nothing works without; documents and backups may stand elsewhere. */
export const dataEntries = [
  'painel.sqlite',
  'painel.sqlite-wal',
  'painel.sqlite-shm',
  'painel.sqlite-lock',
  'lock.sqlite',
  'secret.key',
  'secrets.json',
  'primeiro-acesso',
  'marcas',
] as const

type Folders = Pick<Config, 'dataDir' | 'documentsDir' | 'backupDir'>

const refusalText = (name: string, path: string, fault: string) => `${name} inválido: ${path} ${fault}`
const refusal = (...said: Parameters<typeof refusalText>) => new ConfigError(refusalText(...said))

/** The folders of a plant, by their variables. */
export const foldersOf = ({ dataDir, documentsDir, backupDir }: Folders) =>
  [
    { name: 'DATA_DIR', folder: 'data', path: dataDir },
    { name: 'DOCUMENTS_DIR', folder: 'documents', path: documentsDir },
    { name: 'BACKUP_DIR', folder: 'backups', path: backupDir },
  ] as const satisfies { name: string; folder: DiskFolder; path: string }[]

/**
 * Makes the folder of the data where it is missing. Documents and backups may be away, and recordings go on; a file in their
 * place is a wrong name. Throws ConfigError with the command that mends it.
 */
export function prepareFolders(config: Folders): void {
  for (const { name, folder, path } of foldersOf(config)) {
    const fault = folder === 'data' || isFile(path) ? findFolderFault(path) : null
    if (fault !== null) throw refusal(name, path, fault)
  }
  const { dataDir } = config
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // one start by another account is enough
  for (const entry of dataEntries.map((name) => join(dataDir, name))) {
    const fault = findEntryFault(entry, dataDir)
    if (fault !== null) throw refusal('DATA_DIR', entry, fault)
  }
}

/** Before a command looks for the database: what it may not see looks as if it were not there. Throws ConfigError. */
export function refuseClosedFolders({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): void {
  const fault = findClosedFault(dataDir)
  if (fault !== null) throw refusal('DATA_DIR', dataDir, fault)
  if (database.kind === 'mysql') return
  const folder = dirname(database.file)
  const folderFault = findClosedFault(folder)
  if (folderFault !== null) throw refusal('DATABASE_URL', folder, folderFault)
  const fileFault = findEntryFault(database.file, folder)
  if (fileFault !== null) throw refusal(folder === dataDir ? 'DATA_DIR' : 'DATABASE_URL', database.file, fileFault)
}

/** On a share that hangs only this call waits, not the server. */
const isOpen = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** Folders of documents and backups that could not be written into now, each in a sentence of its own. */
export async function findFolderFaults(config: Folders): Promise<{ folder: DiskFolder; text: string }[]> {
  const found = await Promise.all(
    foldersOf(config).map(async ({ name, folder, path }) => {
      const fault = folder === 'data' || (await isOpen(path)) ? null : findFolderFault(path)
      return fault === null ? [] : [{ folder, text: refusalText(name, path, fault) }]
    }),
  )
  return found.flat()
}
