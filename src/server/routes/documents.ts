import type { FastifyInstance } from 'fastify'
import {
  DOCUMENTS_LISTED_MAX,
  type DocumentList,
  type DocumentRevision,
  documentFiles,
  documents,
  type PlantDocument,
} from '../../contract/documents.ts'
import type { Role } from '../../contract/values.ts'
import { byTitle, documentsFor, filterDocuments, inlineDisposition, readRange, seenBy } from '../../domain/documents.ts'
import type { Context } from '../context.ts'
import { openKept } from '../document-folder.ts'
import { bind, type Call } from '../http.ts'
import { Refused } from '../refused.ts'
import { withVersion } from '../registers.ts'
import { uploadedFileHeaders } from '../security-headers.ts'
import { listApplicators } from '../store/applicators.ts'
import { findDocument, findDocumentOfRevision, listDocuments, listDocumentsNaming } from '../store/documents.ts'

const seen = (role: Role, all: readonly PlantDocument[]): PlantDocument[] =>
  all.flatMap((document) => seenBy(role, document) ?? [])

const listed = (found: readonly PlantDocument[]): DocumentList => ({
  documentos: found.toSorted(byTitle).slice(0, DOCUMENTS_LISTED_MAX),
  total: found.length,
})

export function documentRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, documents.list, async ({ query: { texto = '', vinculo = null } }, { db, caller }) =>
    listed(filterDocuments(seen(caller.role, await listDocuments(db.read)), { texto, vinculo })),
  )

  bind(app, context, documents.forWork, async ({ query }, { db, caller }) => {
    const { produto = '', revisao = '', terminal1 = '', terminal2 = '' } = query
    const isGiven = (code: string) => code.trim() !== ''
    const terminals = [terminal1, terminal2].filter(isGiven)
    const pairs = await Promise.all(terminals.map((terminal) => listApplicators(db.read, { terminal })))
    const applicators = pairs.flat().map(({ miniaplicator }) => miniaplicator)
    const naming = await listDocumentsNaming(db.read, [produto, ...terminals, ...applicators].filter(isGiven))
    return listed(documentsFor(seen(caller.role, naming), { produto, revisao, terminals, applicators }))
  })

  bind(app, context, documents.get, async ({ params: { id } }, { db, caller, reply }) => {
    const document = await findDocument(db.read, id)
    return withVersion(document && seenBy(caller.role, document), reply)
  })

  bind(app, context, documentFiles.get, async ({ params: { id } }, call) => {
    const document = await findDocumentOfRevision(call.db.read, id)
    const revision = document && seenBy(call.caller.role, document)?.revisoes.find((one) => one.id === id)
    if (!revision) throw new Refused('not_found')
    return await sendFile(revision, call)
  })
}

/** A revision's bytes never change. Whoever has no session any more must not get them from what the browser kept. */
const headersOf = ({ arquivo }: DocumentRevision) => ({
  ...uploadedFileHeaders,
  'content-type': arquivo.tipo,
  'content-disposition': inlineDisposition(arquivo.nome),
  'cache-control': 'private, max-age=31536000, immutable',
  vary: 'Cookie',
  etag: `"${arquivo.sha256}"`,
  'accept-ranges': 'bytes',
})

async function sendFile(revision: DocumentRevision, { request, reply, config }: Call) {
  const { sha256, bytes } = revision.arquivo
  const headers = headersOf(revision)
  const { range: asked, 'if-range': ifRange = headers.etag, 'if-none-match': known = '' } = request.headers
  if (known.includes(headers.etag)) {
    reply.code(304).headers(headers)
    return ''
  }
  const range = ifRange === headers.etag ? readRange(asked, bytes) : null
  if (range === 'unsatisfiable') {
    throw new Refused('range_unsatisfiable', { headers: { 'content-range': `bytes */${bytes}` } })
  }
  const file = await openKept(config.documentsDir, sha256)
  const { from, to } = range ?? { from: 0, to: bytes - 1 }
  reply.headers({ ...headers, 'content-length': to - from + 1 })
  if (range) reply.code(206).header('content-range', `bytes ${from}-${to}/${bytes}`)
  return file.createReadStream({ start: from, end: to })
}
