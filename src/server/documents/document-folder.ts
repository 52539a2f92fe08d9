import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { DOCUMENT_BYTES_MAX, IMAGE_PIXELS_MAX, IMAGE_SIDE_PIXELS_MAX } from '../../contract/documents.ts'
import { UPLOAD_HEADER } from '../../contract/endpoint.ts'
import { Refused } from '../http/refused.ts'
import { flush } from './backup-documents.ts'
import { type DocumentKind, recogniseDocument } from './document-kinds.ts'

/** An upload that is complete and not stored yet. Storing it moves `path` away. */
export type ReceivedFile = DocumentKind & { path: string; sha256: string; bytes: number }

/** The database may lie on the same disk: recordings come first. */
const FREE_BYTES_MIN = 100 * 1024 * 1024
const MEGABYTE = 1024 * 1024

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The folder may be on another machine, and its disk is not endless. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Refused(fullCodes.has(code) ? 'disk_full' : 'document_folder_unavailable')
  }
}

const partialsOf = (folder: string) => join(folder, 'recebendo')
const placeOf = (folder: string, sha256: string) => join(folder, sha256.slice(0, 2), sha256)

const uploadTooLarge = (bytesMax: number) => new Refused('upload_too_large', { values: { max: bytesMax / MEGABYTE } })

async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < DOCUMENT_BYTES_MAX + FREE_BYTES_MIN) throw new Refused('disk_full')
}

/** The chunks of a stream. After an early stop the rest is still read, or the client gets no answer. */
async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw new Refused('upload_broken')
  } finally {
    stream.resume()
  }
}

async function* counted(stream: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw uploadTooLarge(bytesMax)
    yield chunk
  }
  if (bytes === 0) throw new Refused('upload_empty')
}

/** The chunks of an upload. Refuses what is none, at once, and what is empty or larger, as it comes. */
export function uploadOf({ headers, body }: FastifyRequest, bytesMax = DOCUMENT_BYTES_MAX): AsyncGenerator<Buffer> {
  if (headers[UPLOAD_HEADER] === undefined) throw new Refused('upload_header_missing')
  if (!(body instanceof Readable)) throw new Refused('upload_empty')
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw uploadTooLarge(bytesMax)
  return counted(body, bytesMax)
}

async function write(chunks: AsyncIterable<Buffer>, file: FileHandle): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    hash.update(chunk)
    await onDisk(() => file.appendFile(chunk))
  }
  return { sha256: hash.digest('hex'), bytes }
}

async function recognise(file: FileHandle, bytes: number): Promise<DocumentKind> {
  const peek = async (at: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
    return buffer.subarray(0, bytesRead)
  }
  const kind = await onDisk(() => recogniseDocument(peek, bytes))
  if (kind === 'unknown') throw new Refused('document_kind_unknown')
  if (kind === 'damaged') throw new Refused('document_damaged')
  const { widthPx: width, heightPx: height } = kind
  const isBomb =
    (width ?? 0) * (height ?? 0) > IMAGE_PIXELS_MAX || Math.max(width ?? 0, height ?? 0) > IMAGE_SIDE_PIXELS_MAX
  if (isBomb) throw new Refused('image_too_large', { values: { width: width ?? 0, height: height ?? 0 } })
  return kind
}

/** Writes an upload to a temporary file. An upload that breaks off, or is no document, leaves nothing. */
export async function receiveFile(chunks: AsyncIterable<Buffer>, folder: string): Promise<ReceivedFile> {
  const path = join(partialsOf(folder), randomUUID())
  const file = await onDisk(async () => {
    await mkdir(dirname(path), { recursive: true })
    await requireSpace(folder)
    return await open(path, 'wx+', 0o600)
  })
  try {
    const { sha256, bytes } = await write(chunks, file)
    const kind = await recognise(file, bytes)
    await onDisk(() => file.sync())
    return { ...kind, path, sha256, bytes }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/**
 * Renames the upload to its SHA-256: whole or not at all, also after a power cut. The same bytes may exist already, left by
 * an upload whose row could not be committed.
 */
export const keepFile = (folder: string, { path, sha256 }: ReceivedFile): Promise<void> =>
  onDisk(async () => {
    const place = placeOf(folder, sha256)
    await mkdir(dirname(place), { recursive: true })
    await rename(path, place)
    await flush(dirname(place))
  })

/** Does nothing to a file that is stored already. */
export const dropFile = ({ path }: ReceivedFile): Promise<void> => rm(path, { force: true })

/** To be read and closed by the caller. */
export const openStored = (folder: string, sha256: string): Promise<FileHandle> =>
  onDisk(() => open(placeOf(folder, sha256), 'r'))
