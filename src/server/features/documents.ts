import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import {
  DOCUMENTS_LISTED_MAX,
  type DocumentList,
  type DocumentRevision,
  documentChanges,
  documentFiles,
  documents,
  documentUploads,
  type PlantDocument,
} from '../../contract/documents.ts'
import type { Role } from '../../contract/values.ts'
import {
  byTitle,
  documentsFor,
  filterDocuments,
  hasRevision,
  inlineDisposition,
  readRange,
  seenBy,
  tidyTargets,
} from '../../domain/plant/documents.ts'
import {
  dropFile,
  keepFile,
  openStored,
  type ReceivedFile,
  receiveFile,
  uploadOf,
} from '../documents/document-folder.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import { uploadedFileHeaders } from '../http/security-headers.ts'
import type { Call, Context } from '../panel.ts'
import { listApplicators } from '../store/applicators.ts'
import { isUniqueViolation, type Tx } from '../store/db/db.ts'
import {
  findDocument,
  findDocumentWith,
  insertDocument,
  insertRevision,
  listDocuments,
  listDocumentsNaming,
  renameRevision,
  setWithdrawal,
  takeDocument,
  updateDocument,
} from '../store/documents.ts'
import { noteChanges } from '../store/live-changes.ts'
import { recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'

/** Each reads from the network and writes to the disk that recordings need as well. */
const UPLOADS_MAX = 4

/** Needs an `app` of its own: nowhere else is anything but JSON taken. */
export function uploadRoutes(app: FastifyInstance, context: Context): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/octet-stream', (_request, bytes, done) => done(null, bytes))
  app.addContentTypeParser('*', (_request, _bytes, done) => done(new Refused('upload_unexpected'), undefined))

  let uploads = 0
  const received = async (call: Call, store: (file: ReceivedFile) => Promise<PlantDocument>) => {
    if (uploads >= UPLOADS_MAX) throw new Refused('overloaded', { headers: { 'retry-after': '5' } })
    uploads++
    try {
      return new Answer(201, withVersion(await receive(call, store), call.reply))
    } finally {
      uploads--
    }
  }

  bind(app, context, documentUploads.add, ({ query }, call) => {
    const { nome: fileName, titulo, revisao, vinculo: tipo, codigo, revisaoProduto = '' } = query
    const form = { titulo: titulo.trim(), vinculos: tidyTargets([{ tipo, codigo, revisao: revisaoProduto }]) }
    return received(call, (file) =>
      call.db.transaction(async (tx) => {
        const at = call.now()
        const documentId = await insertDocument(tx, { ...form, at })
        await addRevision(tx, call, { documentId, revision: revisao.trim(), fileName, file })
        const details = { ...form, revisao, nome: fileName, sha256: file.sha256 }
        await noteDocument(tx, call, { action: 'document_added', id: documentId, details })
        return await getDocument(tx, documentId)
      }),
    )
  })

  bind(app, context, documentUploads.addRevision, async ({ params: { id }, query }, call) => {
    const { nome: fileName, revisao } = query
    // refuse before 25 MB are sent for nothing
    const known = await findDocument(call.db.read, id)
    if (!known) throw new Refused('not_found')
    if (hasRevision(known, revisao)) throw revisionExists(revisao)
    return await received(call, (file) => {
      const details = { revisao, nome: fileName, sha256: file.sha256 }
      return changeDocument(call, { action: 'document_revised', id, details }, async (tx, document) => {
        if (hasRevision(document, revisao)) throw revisionExists(revisao)
        await addRevision(tx, call, { documentId: id, revision: revisao.trim(), fileName, file })
      })
    })
  })
}

const getDocument = async (tx: Tx, id: number): Promise<PlantDocument> => {
  const document = await findDocument(tx, id)
  if (!document) throw new Refused('not_found')
  return document
}

const addRevision = (
  tx: Tx,
  { caller, now }: Call,
  revision: { documentId: number; revision: string; fileName: string; file: ReceivedFile },
): Promise<void> => insertRevision(tx, { ...revision, uploadedBy: caller.fullName || caller.username, at: now() })

/** The file first, then its row: what a row names is there. */
async function receive(call: Call, store: (file: ReceivedFile) => Promise<PlantDocument>): Promise<PlantDocument> {
  const { request, config, db } = call
  const file = await receiveFile(uploadOf(request), config.documentsDir)
  try {
    refuseTwin(await findDocumentWith(db.read, { sha256: file.sha256 }), file)
    await keepFile(config.documentsDir, file)
    return await store(file)
  } catch (error) {
    // another request stored the same bytes at the same time
    if (isUniqueViolation(error)) refuseTwin(await findDocumentWith(db.read, { sha256: file.sha256 }), file)
    throw error
  } finally {
    await dropFile(file)
  }
}

function refuseTwin(document: PlantDocument | null, { sha256 }: ReceivedFile): void {
  const twin = document?.revisoes.find(({ arquivo }) => arquivo.sha256 === sha256)
  if (!document || !twin) return
  const revision = twin.situacao === 'retirado' ? `${twin.revisao} (retirada)` : twin.revisao
  throw new Refused('document_exists', { values: { title: document.titulo, revision } })
}

export function documentChangeRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, documentChanges.update, async ({ params: { id }, body }, call) => {
    const form = { titulo: body.titulo.trim(), vinculos: tidyTargets(body.vinculos) }
    const event = { action: 'document_changed' as const, id, details: form }
    return withVersion(await changeDocument(call, event, (tx) => updateDocument(tx, id, form)), call.reply)
  })

  bind(app, context, documentChanges.updateRevision, ({ params: { id }, body }, call) => {
    const revisao = body.revisao.trim()
    const event = { action: 'revision_renamed' as const, details: { id, revisao } }
    return changeRevision(call, id, event, async (tx, document) => {
      if (hasRevision(document, revisao, id)) throw revisionExists(revisao)
      await renameRevision(tx, id, revisao)
    })
  })

  bind(app, context, documentChanges.withdraw, ({ params: { id }, body: { motivo } }, call) => {
    const event = { action: 'revision_withdrawn' as const, reason: motivo, details: { id } }
    return changeRevision(call, id, event, async (tx, _document, { situacao }) => {
      if (situacao === 'retirado') throw new Refused('revision_withdrawn')
      const { caller, now } = call
      await setWithdrawal(tx, id, { at: now(), by: caller.fullName || caller.username, reason: motivo })
    })
  })

  bind(app, context, documentChanges.restore, ({ params: { id } }, call) => {
    const event = { action: 'revision_restored' as const, details: { id } }
    return changeRevision(call, id, event, async (tx, document, { situacao, revisao }) => {
      if (situacao !== 'retirado') throw new Refused('revision_not_withdrawn')
      if (hasRevision(document, revisao, id)) throw revisionExists(revisao)
      await setWithdrawal(tx, id, null)
    })
  })
}

async function changeRevision(
  call: Call,
  revisionId: number,
  event: { action: AuditAction; reason?: string; details: object },
  change: (tx: Tx, document: PlantDocument, revision: DocumentRevision) => Promise<void>,
): Promise<PlantDocument> {
  const known = await findDocumentWith(call.db.read, { id: revisionId })
  if (!known) throw new Refused('not_found')
  const changed = await changeDocument(call, { ...event, id: known.id }, async (tx, document) => {
    const revision = document.revisoes.find(({ id }) => id === revisionId)
    if (!revision) throw new Refused('not_found')
    await change(tx, document, revision)
  })
  return withVersion(changed, call.reply)
}

const revisionExists = (revision: string) => new Refused('revision_exists', { values: { revision: revision.trim() } })

type DocumentEvent = { action: AuditAction; id: number; reason?: string; details: object }

/** Records the audit event and the live change: the last step of a change. */
async function noteDocument(tx: Tx, call: Call, event: DocumentEvent): Promise<void> {
  await recordAuditEvent(tx, call, { ...event, kind: 'document' })
  await noteChanges(tx, [{ topic: 'documents', key: String(event.id) }], call.now())
}

/** Changes a locked document in one commit. */
const changeDocument = (
  call: Call,
  event: DocumentEvent,
  change: (tx: Tx, document: PlantDocument) => Promise<void>,
): Promise<PlantDocument> =>
  call.db.transaction(async (tx) => {
    const { versionSeen, now } = call
    const isTaken = await takeDocument(tx, event.id, { versionSeen, at: now() })
    const document = await findDocument(tx, event.id)
    if (!isTaken || !document) refuseOutdated(document)
    await change(tx, document)
    await noteDocument(tx, call, event)
    return (await findDocument(tx, event.id)) ?? document
  })

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
    const document = await findDocumentWith(call.db.read, { id })
    const revision = document && seenBy(call.caller.role, document)?.revisoes.find((one) => one.id === id)
    if (!revision) throw new Refused('not_found')
    return await sendFile(revision, call)
  })
}

/** The bytes of a revision never change. `Vary: Cookie`: the browser's cache must not serve them to another session. */
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
  const { range: rangeHeader, 'if-range': ifRange = headers.etag, 'if-none-match': known = '' } = request.headers
  if (known.includes(headers.etag)) {
    reply.code(304).headers(headers)
    return ''
  }
  const range = ifRange === headers.etag ? readRange(rangeHeader, bytes) : null
  if (range === 'unsatisfiable') {
    throw new Refused('range_unsatisfiable', { headers: { 'content-range': `bytes */${bytes}` } })
  }
  const file = await openStored(config.documentsDir, sha256)
  const { from, to } = range ?? { from: 0, to: bytes - 1 }
  reply.headers({ ...headers, 'content-length': to - from + 1 })
  if (range) reply.code(206).header('content-range', `bytes ${from}-${to}/${bytes}`)
  return file.createReadStream({ start: from, end: to })
}
