import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

type DocumentTally = { files: number; bytes: number }

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** As the documents' folder has them: under the first two digits of their SHA-256, by which they are named. */
const placeOf = (sha256: string) => join(sha256.slice(0, 2), sha256)

async function listFiles(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const files = await readdir(folder, { recursive: true })
  return files.flatMap((path) => {
    const sha256 = path.slice(-64)
    return /^[\da-f]{64}$/.test(sha256) && path === placeOf(sha256) ? sha256 : []
  })
}

/** A file's content, or the names in a folder, survive a power cut only after this. */
export async function flush(path: string): Promise<void> {
  // Windows opens no folder, and syncs no file that is open for reading alone
  if (process.platform === 'win32') return
  await using handle = await open(path, 'r')
  await handle.sync()
}

async function bring(sha256: string, folders: { from: string; to: string; same: string | null }): Promise<number> {
  const { from, to, same } = folders
  const target = join(to, placeOf(sha256))
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const known = same === null ? null : join(same, placeOf(sha256))
  // they never change, so one that an earlier backup has is not copied; not every file system can do that
  const isLinked =
    known !== null &&
    existsSync(known) &&
    (await link(known, target).then(
      () => true,
      () => false,
    ))
  if (!isLinked) {
    // an interrupted copy must not have the name of a whole file, after a power cut either
    await copyFile(join(from, placeOf(sha256)), `${target}.parcial`)
    await flush(`${target}.parcial`)
    await rename(`${target}.parcial`, target)
    await flush(dirname(target))
  }
  return (await stat(target)).size
}

/** Keeps all files of a folder in another. `earlier` is where the backup before has its own. */
export async function keepDocuments(from: string, to: string, earlier: string | null): Promise<DocumentTally> {
  const tally = { files: 0, bytes: 0 }
  for (const sha256 of await listFiles(from)) {
    tally.bytes += await bring(sha256, { from, to, same: earlier })
    tally.files++
  }
  return tally
}

/** The fault of the stored files; null when each matches its name and none that is `needed` is missing. */
export async function findDocumentFault(
  folder: string,
  tally: DocumentTally,
  needed: readonly string[],
): Promise<string | null> {
  const files = await listFiles(folder)
  if (files.length !== tally.files) return `${tally.files} documentos guardados, ${files.length} encontrados`
  const known = new Set(files)
  const missing = needed.find((sha256) => !known.has(sha256))
  if (missing !== undefined) return `falta o arquivo do documento ${missing}`
  for (const sha256 of files) {
    if ((await sha256Of(join(folder, placeOf(sha256)))) !== sha256) return `o documento ${sha256} está danificado`
  }
  return null
}

/** Files that are there stay: the same name is the same content. */
export async function putDocumentsBack(from: string, to: string): Promise<void> {
  for (const sha256 of await listFiles(from)) {
    if (!existsSync(join(to, placeOf(sha256)))) await bring(sha256, { from, to, same: null })
  }
}
