import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'

/** The account of this process as `chown` takes it; one of a container may have no name. */
export function ownAccount(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.() ?? '')
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

const noPermission = () => `sem permissão para a conta ${ownAccount()}`

const texts: Record<string, () => string> = {
  EACCES: noPermission,
  EPERM: noPermission,
  ENOENT: () => 'não existe',
  ENOTDIR: () => 'o caminho passa por um arquivo',
  EISDIR: () => 'é uma pasta',
  EROFS: () => 'o disco está só para leitura',
  ENOSPC: () => 'o disco está cheio',
  EDQUOT: () => 'a cota do disco acabou',
  EIO: () => 'o disco falhou',
  SQLITE_CANTOPEN: () => 'o arquivo não pôde ser aberto',
  SQLITE_READONLY: () => 'o arquivo só pode ser lido',
  SQLITE_NOTADB: () => 'não é um banco de dados',
  SQLITE_CORRUPT: () => 'o banco está danificado',
  SQLITE_FULL: () => 'o disco está cheio',
  SQLITE_BUSY: () => 'outro programa usa o banco',
}

/** SQLite's own code of an extended one (`SQLITE_BUSY_SNAPSHOT`); any other as it is. */
export const baseCode = (code: string): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code

/** Error of the system or of SQLite, in words; one that nobody foresaw keeps its own. */
export function faultText(error: unknown): string {
  if (error instanceof SyntaxError) return 'não é JSON'
  const code = codeOf(error)
  return texts[baseCode(code)]?.() ?? (code.startsWith('SQLITE_IOERR') ? 'o disco falhou' : (error as Error).message)
}

/** The same, of a file that the sentence has not named yet. */
export function faultTextOf(error: unknown): string {
  const { path } = error as NodeJS.ErrnoException
  return path === undefined ? faultText(error) : `${path}: ${faultText(error)}`
}

/** As a shell takes it for one word. */
export const shellWord = (path: string): string =>
  /^[\w/.,:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`

/** Null: it can. */
function refusedBy(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return codeOf(error)
  }
}

/** The path itself, or else the nearest folder above it that can be seen, and why the step below that one failed. */
function nearestOf(path: string): { at: string; stats: Stats | null; code: string | null; error: unknown } {
  let error: unknown = null
  for (let at = path; ; at = dirname(at)) {
    try {
      return { at, stats: statSync(at), code: error === null ? null : codeOf(error), error }
    } catch (failure) {
      error = failure
      if (dirname(at) === at) return { at, stats: null, code: codeOf(error), error }
    }
  }
}

const ownerOf = ({ uid }: Stats): string => (uid === 0 ? 'root' : `de número ${uid}`)

const READ_ONLY =
  'está num disco só para leitura: monte-o para gravação, ou inclua a pasta em ReadWritePaths= da unidade.'

/** Why this account may not read and write here; `root` is the folder that is given to it as a whole. */
function closedText(path: string, stats: Stats, root: string): string | null {
  const code = refusedBy(path, constants.R_OK | constants.W_OK | (stats.isDirectory() ? constants.X_OK : 0))
  if (code === null) return null
  if (code === 'EROFS') return READ_ONLY
  const account = ownAccount()
  if (stats.uid === process.geteuid?.()) {
    return `não deixa a própria conta ${account} ler e gravar. Dê-lhe as permissões: chmod -R u+rwX ${shellWord(root)}`
  }
  return `é da conta ${ownerOf(stats)}, e o painel roda na conta ${account}. Rode-o naquela, ou dê a pasta a esta: chown -R ${account} ${shellWord(root)}`
}

export const isFile = (path: string): boolean => {
  const { code, stats } = nearestOf(path)
  return code === null && stats?.isDirectory() === false
}

/**
 * Why this account cannot work in a folder, and the command that mends it, as the end of a sentence that begins with the
 * path; null: it can, or there is no such folder yet.
 */
export function findClosedFault(path: string): string | null {
  const { at, stats, code, error } = nearestOf(path)
  if (code === 'ENOENT') return null
  if (code === null && stats) {
    return stats.isDirectory() ? closedText(path, stats, path) : 'é um arquivo; esperado o caminho de uma pasta.'
  }
  if (code === 'ENOTDIR') return `fica abaixo de ${at}, que é um arquivo; esperado o caminho de uma pasta.`
  if (code !== 'EACCES' || stats === null) return `não pode ser vista (${faultText(error)}).`
  const account = ownAccount()
  return `fica abaixo de ${at}, que é da conta ${ownerOf(stats)} e não deixa a conta ${account} passar. Escolha outra pasta, ou deixe-a passar: chmod o+x ${shellWord(at)}`
}

/** The same, and that it is not there and cannot be made. */
export function findFolderFault(path: string): string | null {
  const fault = findClosedFault(path)
  const { at, code } = nearestOf(path)
  if (fault !== null || code !== 'ENOENT') return fault
  const refusal = refusedBy(at, constants.W_OK | constants.X_OK)
  if (refusal === null) return null
  if (refusal === 'EROFS') return READ_ONLY
  const account = ownAccount()
  return `não existe, e a conta ${account} não pode criá-la em ${at}. Crie-a para esta conta: install -d -m 700 -o ${account} ${shellWord(path)}`
}

/** As `findClosedFault`, of a file or folder inside one that is given to this account as a whole. */
export function findEntryFault(path: string, folder: string): string | null {
  const { stats, code } = nearestOf(path)
  return code === null && stats ? closedText(path, stats, folder) : null
}
