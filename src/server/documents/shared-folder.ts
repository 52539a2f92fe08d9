import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outside } from '../outside.ts'
import { faultTextOf } from '../store/file-faults.ts'
import { FOLDER_MARKER, findSetting, keepSetting } from '../store/settings.ts'

const MARKER = 'pasta-do-painel'

const readMarker = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readOrWriteMarker(folder: string): string {
  const file = join(folder, MARKER)
  const found = readMarker(file)
  if (found !== null) return found
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = randomUUID()
  try {
    writeFileSync(file, `${own}\n`, { flag: 'wx' })
    return own
  } catch (error) {
    // the other server was first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readMarker(file) ?? own
  }
}

/**
 * Why this server must not use its folder of documents; null when it may. All servers of one MariaDB share one: what is
 * uploaded through one of them is opened through another. The first leaves a marker there and its name in the database.
 */
export async function findOtherFolder({ db, config }: Pick<Outside, 'db' | 'config'>): Promise<string | null> {
  const { documentsDir } = config
  if (db.kind === 'sqlite') return null
  try {
    const known = await findSetting(db.read, FOLDER_MARKER)
    const found = known === null ? readOrWriteMarker(documentsDir) : readMarker(join(documentsDir, MARKER))
    const expected = known ?? (await db.transaction((tx) => keepSetting(tx, FOLDER_MARKER, found ?? '')))
    if (found === expected) return null
    return `DOCUMENTS_DIR inválido: ${documentsDir} não é a pasta dos documentos deste banco. Use a mesma em todos os servidores, montada antes do painel; se ela foi trocada de propósito, grave ${expected} no arquivo ${MARKER} dela.`
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    return `DOCUMENTS_DIR inválido: a pasta ${documentsDir} não pode ser lida e gravada (${faultTextOf(error)}).`
  }
}
