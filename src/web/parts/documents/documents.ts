import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type DocumentList,
  type DocumentMediaType,
  type DocumentTarget,
  documentFiles,
  documents,
  type PlantDocument,
  type TargetKind,
} from '../../../contract/documents.ts'
import { byTitle, documentsFor, filterDocuments } from '../../../domain/plant/documents.ts'
import {
  agreeCached,
  type CachedDocument,
  findCachedFile,
  keepFile,
  listCached,
} from '../../device/cached-documents.ts'
import { currentUser } from '../../device/credentials.ts'
import { call, callForFile, Unreachable } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'
import { useTurn } from '../../ui/Later.tsx'

/** One revision of a document: what a person opens. */
export type DocumentEntry = CachedDocument

export const targetKindTexts: Record<TargetKind, string> = {
  produto: 'Produto',
  terminal: 'Terminal',
  miniaplicador: 'Mini aplicador',
}

export const mediaTypeTexts: Record<DocumentMediaType, string> = {
  'application/pdf': 'PDF',
  'image/png': 'Imagem',
  'image/jpeg': 'Imagem',
  'image/webp': 'Imagem',
}

export const targetText = ({ tipo, codigo, revisao }: DocumentTarget): string =>
  `${targetKindTexts[tipo]} ${codigo}${revisao === '' ? '' : ` rev. ${revisao}`}`

const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${formatCount(Math.max(1, Math.round(bytes / 1000)))} KB`
    : `${oneDecimal.format(bytes / 1e6)} MB`

/** Only what holds, or everything there is, the newest revision of each document first. */
export const entriesOf = (found: readonly PlantDocument[], { isAll }: { isAll: boolean }): DocumentEntry[] =>
  found.flatMap((document) =>
    document.revisoes
      .filter(({ situacao }) => isAll || situacao === 'vigente')
      .map((revision) => ({ document, revision })),
  )

/** Each document with those of its revisions that this device keeps. */
async function cachedDocuments(): Promise<PlantDocument[]> {
  const found = new Map<number, PlantDocument>()
  for (const { document, revision } of await listCached()) {
    const before = found.get(document.id)?.revisoes ?? []
    found.set(document.id, { ...document, revisoes: [...before, revision].toSorted((one, other) => other.id - one.id) })
  }
  return [...found.values()].toSorted(byTitle)
}

/** `isCached`: the server is away, and this is what the device has. `total`: how many there are, listed or not. */
type DocumentReading = { documents: readonly PlantDocument[]; total: number; isCached: boolean }

async function orCached(
  read: Promise<DocumentList>,
  choose: (cached: readonly PlantDocument[]) => readonly PlantDocument[],
): Promise<DocumentReading> {
  try {
    const { documentos, total } = await read
    return { documents: documentos, total, isCached: false }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const cached = choose(await cachedDocuments())
    return { documents: cached, total: cached.length, isCached: true }
  }
}

type ListFilter = { text: string; kind: TargetKind | '' }

export function useDocuments({ text, kind }: ListFilter) {
  const parts = { query: { ...(text === '' ? {} : { texto: text }), ...(kind === '' ? {} : { vinculo: kind }) } }
  const read = async (signal: AbortSignal) => {
    const filter = { texto: text, vinculo: kind === '' ? null : kind }
    const reading = await orCached(call(documents.list, parts, { signal }), (cached) => filterDocuments(cached, filter))
    const isWhole = text === '' && kind === '' && reading.total === reading.documents.length
    if (isWhole && !reading.isCached) await agreeCached(reading.documents)
    return reading
  }
  return useQuery({ ...query(documents.list, parts, { read }), placeholderData: keepPreviousData })
}

/** The operator's work in hand. A side without terminal is empty. */
export type WorkInHand = { product: string; revision: string; terminals: readonly [string, string] }

export function useWorkDocuments({ product, revision, terminals: [one, other] }: WorkInHand) {
  const parts = { query: { produto: product, revisao: revision, terminal1: one, terminal2: other } }
  const terminals = [one, other].filter((terminal) => terminal !== '')
  const read = (signal: AbortSignal) =>
    orCached(call(documents.forWork, parts, { signal }), (cached) =>
      documentsFor(cached, { produto: product, revisao: revision, terminals, applicators: [] }),
    )
  // The work itself first.
  return useQuery({ ...query(documents.forWork, parts, { read }), enabled: useTurn(2) > 1 })
}

/** 25 MB through the Wi-Fi of a shop floor. */
const FILE_MS_MAX = 180_000

/** A file never changes under its SHA-256: what this device has, nobody is asked for. */
export async function loadFile(entry: DocumentEntry, signal: AbortSignal): Promise<Blob> {
  const cached = await findCachedFile(entry)
  if (cached) return cached
  const { id, arquivo } = entry.revision
  const username = currentUser()?.username
  const answer = await callForFile(documentFiles.get, { params: { id } }, { signal, answerMsMax: FILE_MS_MAX })
  const file = new Blob([answer], { type: arquivo.tipo })
  if (username !== undefined) await keepFile(entry, file, username)
  return file
}
