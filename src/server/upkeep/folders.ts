import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DiskFolder } from '../../contract/health.ts'
import { type Config, ConfigError } from '../config.ts'
import { findClosedFault, findEntryFault, findFolderFault, isFile } from '../store/file-faults.ts'

/** What stands in DATA_DIR and nothing works without; documents and backups may stand elsewhere. */
const dataEntries = [
  'painel.sqlite',
  'painel.sqlite-wal',
  'painel.sqlite-shm',
  'lock.sqlite',
  'secret.key',
  'secrets.json',
  'primeiro-acesso',
  'marcas',
] as const

type Folders = Pick<Config, 'dataDir' | 'documentsDir' | 'backupDir'>

const refusal = (name: string, path: string, fault: string) => new ConfigError(`${name} inválido: ${path} ${fault}`)

const namedFolders: readonly [name: string, folder: DiskFolder, of: (config: Folders) => string][] = [
  ['DATA_DIR', 'data', ({ dataDir }) => dataDir],
  ['DOCUMENTS_DIR', 'documents', ({ documentsDir }) => documentsDir],
  ['BACKUP_DIR', 'backups', ({ backupDir }) => backupDir],
]

/**
 * Makes the folder of the data where it is missing. Documents and backups may be away, and recordings go on; a file in their
 * place is a wrong name. Throws ConfigError with the command that mends it.
 */
export function prepareFolders(config: Folders): void {
  for (const [name, folder, of] of namedFolders) {
    const path = of(config)
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

/** Those of documents and backups that could not be written into now, each in a sentence of its own. */
export const findFolderFaults = (config: Folders): { folder: DiskFolder; text: string }[] =>
  namedFolders.flatMap(([name, folder, of]) => {
    const fault = folder === 'data' ? null : findFolderFault(of(config))
    return fault === null ? [] : [{ folder, text: `${name} inválido: ${of(config)} ${fault}` }]
  })
