import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { shellWord } from '../store/file-faults.ts'
import { dataEntries, foldersOf } from './folders.ts'
import { ROOT } from './identity.ts'

/** The folder of an archive, which the next version replaces; null in a checkout, which stays. */
function findArchive(): string | null {
  return existsSync(join(ROOT, 'node')) ? realpathSync(ROOT) : null
}

/** Without links, also where its end is yet to be made. */
function realPath(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path)
  return join(realPath(dirname(path)), basename(path))
}

const isInside = (path: string, folder: string): boolean => !/^\.\.(\/|$)|^\//.test(relative(folder, path))

type Place = { name: string; path: string; before?: string }

const placesOf = ({ secretKeyFile, database, ...config }: Config): Place[] => [
  ...foldersOf(config),
  ...(secretKeyFile === null ? [] : [{ name: 'SECRET_KEY_FILE', path: secretKeyFile }]),
  ...(database.kind === 'sqlite' ? [{ name: 'DATABASE_URL', path: database.file, before: 'sqlite:' }] : []),
]

/** The command to type; null where nothing lies there yet. */
function moveLine({ name, path }: Place, archive: string, target: string): string | null {
  const parent = shellWord(dirname(target))
  if (path === archive) {
    const own = [...dataEntries, 'documentos', 'backups', 'erp-de-ensaio'].map((entry) => join(archive, entry))
    const there = own.filter(existsSync).map(shellWord)
    return there.length === 0 ? null : `mkdir -p ${shellWord(target)} && mv ${there.join(' ')} ${shellWord(target)}`
  }
  if (!existsSync(path)) return null
  // what SQLite keeps beside it goes along
  if (name === 'DATABASE_URL') return `mkdir -p ${parent} && mv ${shellWord(path)}* ${parent}`
  return `mkdir -p ${parent} && mv -T ${shellWord(path)} ${shellWord(target)}`
}

/**
 * Refuses what a plant keeps inside the folder of this version: the next one stands beside it and begins empty, and whoever
 * deletes the old one deletes it. Throws ConfigError with the line that moves it.
 */
export function refuseInsideArchive(config: Config, archive = findArchive()): void {
  if (archive === null) return
  for (const { name, path: given, before = '' } of placesOf(config)) {
    const path = realPath(given)
    if (!isInside(path, archive)) continue
    const target = join(dirname(archive), 'painel-dados', path === archive ? 'dados' : basename(path))
    const line = moveLine({ name, path }, archive, target)
    const value = `${name}=${before}${target}`
    throw new ConfigError(
      `${name} inválido: ${path} fica na pasta desta versão do painel, que a próxima não traz. ${line === null ? `Escreva ${value}` : `Com o painel parado, leve para fora o que está ali e escreva ${value}: ${line}`}`,
    )
  }
}
