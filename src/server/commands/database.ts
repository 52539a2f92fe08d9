import { existsSync } from 'node:fs'
import { join, resolve as resolvePath } from 'node:path'
import { parseArgs } from 'node:util'
import { dayText, plantDay } from '../../domain/plant/plant-time.ts'
import { type CommandConfig, ConfigError, readCommandConfig, readEnvironment } from '../config.ts'
import { isEntryDenied, isStoreUnreachable } from '../store/db/db.ts'
import { databaseName, openStore, PRIVATE_UMASK, storeFault } from '../store/db/open-store.ts'
import { faultText, faultTextOf } from '../store/file-faults.ts'
import { hasTables } from '../store/settings.ts'
import { TargetTaken } from '../store/snapshots.ts'
import {
  type Backup,
  BackupError,
  copyDatabase,
  drill,
  listBackups,
  makeBackup,
  noteTriedOut,
  readBackup,
  reopenMoved,
  restore,
  rotate,
} from '../upkeep/backups.ts'
import { findFolderFaults, refuseClosedFolders } from '../upkeep/folders.ts'
import { keyPlaceOf, rotateKeys } from '../upkeep/secret-key.ts'

const USAGE = `Uso: npm run backup                         guarda o banco, ensaia a volta e apaga o que ficou velho
     npm run restore -- PASTA                põe um backup no lugar do banco (painel parado)
     npm run restore -- --drill [PASTA]      só ensaia a volta: do mais novo, ou do que está em PASTA
     npm run copy-database -- ARQUIVO        leva um SQLite para o MariaDB de DATABASE_URL (painel parado)
     npm run copy-database -- --keep ARQUIVO     o mesmo para um ensaio: o SQLite continua em uso
     npm run copy-database -- --reopen ARQUIVO   volta a usar um SQLite que foi levado
     npm run rotate-key                      faz outra chave; o que a de antes assinou ainda vale 37 dias`

/** From where it was typed: npm and `./painel` go to the panel's own folder first. */
const resolve = (path: string) => resolvePath(process.env.INIT_CWD ?? '', path)

const thousands = (count: number) => count.toLocaleString('pt-BR')

const contentText = ({ manifest }: Backup) => {
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  const mebibytes = ((manifest.bytes + manifest.documents.bytes) / 2 ** 20).toLocaleString('pt-BR', {
    maximumFractionDigits: 1,
  })
  const recordings = thousands(manifest.rows.recordings ?? 0)
  return `${recordings} apontamentos, ${thousands(rows)} linhas, ${thousands(Object.keys(manifest.crimps).length)} contadores, ${thousands(manifest.documents.files)} documentos, ${mebibytes} MiB`
}

const secondsText = (begunMs: number) => `${Math.ceil((performance.now() - begunMs) / 1000)} s`

async function backUp(config: CommandConfig): Promise<string> {
  const [fault] = await findFolderFaults(config)
  if (fault !== undefined) throw new ConfigError(fault.text)
  const begunMs = performance.now()
  const backup = await makeBackup(config, Date.now())
  const tookText = secondsText(begunMs)
  const drillBegunMs = performance.now()
  await drill(backup, config, Date.now())
  await noteTriedOut(backup)
  const removed = await rotate(config)
  const gone = removed.length > 0 ? ` Apagados: ${removed.length}.` : ''
  return `Backup feito em ${backup.folder} (${contentText(backup)}, ${tookText}) e volta ensaiada (${secondsText(drillBegunMs)}).${gone}`
}

async function tryOut(config: CommandConfig, folder: string | undefined): Promise<string> {
  const newest = (await listBackups(config.backupDir)).at(-1)
  const found = folder ?? (newest && join(config.backupDir, newest))
  if (found === undefined) throw new BackupError(`não há backup em ${config.backupDir}`)
  const begunMs = performance.now()
  const backup = await readBackup(resolve(found))
  await drill(backup, config, Date.now())
  return `Volta ensaiada de ${backup.folder} (${contentText(backup)}, ${secondsText(begunMs)}).`
}

async function putBack(config: CommandConfig, folder: string): Promise<string> {
  const begunMs = performance.now()
  const backup = await readBackup(resolve(folder))
  const aside = await restore(backup, config, Date.now())
  const asideText = aside === null ? '' : ` O banco que estava no lugar ficou em ${aside}.`
  return `Backup de ${backup.manifest.madeAt} posto de volta (${contentText(backup)}, ${secondsText(begunMs)}).${asideText} Todos entram de novo com a senha; o que estava a caminho do ERP é consultado antes de seguir.`
}

async function moveTo(config: CommandConfig, from: string, isTrial: boolean): Promise<string> {
  const begunMs = performance.now()
  const rows = await copyDatabase(resolve(from), config, Date.now(), { isTrial })
  const list = Object.entries(rows).map(([table, count]) => `  ${table}: ${thousands(count)}`)
  return `${list.join('\n')}\nCopiado de ${from} para o MariaDB, linhas e contadores conferidos (${secondsText(begunMs)}). ${isTrial ? 'É um ensaio: o SQLite continua em uso.' : 'O SQLite está marcado como levado e não inicia mais.'}`
}

async function reopen(file: string): Promise<string> {
  await reopenMoved(resolve(file), Date.now())
  return `${file} volta a ser usado. Todos entram de novo com a senha; o que estava a caminho do ERP é consultado antes de seguir.`
}

async function rotateKey(config: CommandConfig): Promise<string> {
  const { database, timeZone } = config
  const noDatabase = new BackupError(`não há banco de dados em ${databaseName(config)}`)
  // opening one would make it
  if (database.kind === 'sqlite' && !existsSync(database.file)) throw noDatabase
  const db = openStore(config)
  const place = keyPlaceOf(config, db.kind)
  try {
    if (!(await hasTables(db.read))) throw noDatabase
    const until = await rotateKeys({ db, now: Date.now }, place)
    const where = place.file ?? 'no banco de dados (SECRET_KEY_FILE a põe num arquivo)'
    const others = database.kind === 'mysql' && place.file !== null ? ', copie o arquivo para os outros servidores' : ''
    const former = until > 0 ? ` O que a de antes assinou vale até ${dayText(plantDay(until, timeZone))}.` : ''
    return `Chave nova: ${where}.${former} Pare o painel${others} e inicie-o de novo.`
  } finally {
    await db.close()
  }
}

function readArguments() {
  try {
    const flag = { type: 'boolean' } as const
    const options = { drill: flag, keep: flag, reopen: flag }
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const [verb = '', path, ...more] = positionals
    const [option = '', ...others] = Object.keys(values)
    if (more.length === 0 && others.length === 0) return { verb, path, option }
  } catch {
    // the message below says it
  }
  throw new BackupError(USAGE)
}

async function run(): Promise<void> {
  process.umask(PRIVATE_UMASK)
  const { verb, path, option } = readArguments()
  const isDrill = option === 'drill'
  const config = readCommandConfig(readEnvironment())
  refuseClosedFolders(config)
  const work = () => {
    if (verb === 'backup' && path === undefined && option === '') return backUp(config)
    if (verb === 'restore' && isDrill) return tryOut(config, path)
    if (verb === 'restore' && path !== undefined && option === '') return putBack(config, path)
    if (verb === 'rotate-key' && path === undefined && option === '') return rotateKey(config)
    if (verb === 'copy' && path !== undefined && option === 'reopen') return reopen(path)
    if (verb === 'copy' && path !== undefined && !isDrill) return moveTo(config, path, option === 'keep')
    throw new BackupError(USAGE)
  }
  console.log(await work())
}

/** The disk is full or may not be written to. */
const isDiskFault = (error: unknown) =>
  /^(ENOSPC|EACCES|EROFS|EIO|ENOENT|EDQUOT|SQLITE_\w+)$/.test(String((error as { code?: unknown }).code))

run().catch((error: unknown) => {
  const { message } = error as Error
  if (message === USAGE || error instanceof ConfigError) console.error(message)
  else if (isStoreUnreachable(error) || isEntryDenied(error))
    console.error(`FALHOU: o banco não respondeu (${faultText(error)}).`)
  else if (storeFault(error) !== null) console.error(`FALHOU: ${storeFault(error)}`)
  else if (error instanceof BackupError || error instanceof TargetTaken) console.error(`FALHOU: ${message}.`)
  else if (isDiskFault(error)) console.error(`FALHOU: ${faultTextOf(error)}.`)
  else console.error('FALHOU:', error)
  process.exit(1)
})
