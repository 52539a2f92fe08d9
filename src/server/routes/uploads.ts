import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { DOCUMENT_BYTES_MAX, documentUploads, type PlantDocument, UPLOAD_HEADER } from '../../contract/documents.ts'
import { hasRevision, tidyTargets } from '../../domain/documents.ts'
import type { Context } from '../context.ts'
import { dropFile, keepFile, type ReceivedFile, receiveFile, uploadTooLarge } from '../document-folder.ts'
import { changeDocument, noteDocument, revisionExists } from '../documents.ts'
import { bind, type Call } from '../http.ts'
import { Answer, Refused } from '../refused.ts'
import { withVersion } from '../registers.ts'
import { isUniqueViolation, type Tx } from '../store/db.ts'
import { findDocument, findDocumentOfFile, insertDocument, insertRevision } from '../store/documents.ts'

/** Each reads from the network and writes to the disk that recordings need as well. */
const UPLOADS_MAX = 4

/** Of an `app` of its own: nowhere else is anything but JSON taken. */
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
    // before 25 MB are sent, and kept, for nothing
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
  if (request.headers[UPLOAD_HEADER] === undefined) throw new Refused('upload_header_missing')
  if (!(request.body instanceof Readable)) throw new Refused('upload_empty')
  if (Number(request.headers['content-length'] ?? 0) > DOCUMENT_BYTES_MAX) throw uploadTooLarge()
  const file = await receiveFile(request.body, config.documentsDir)
  try {
    refuseTwin(await findDocumentOfFile(db.read, file.sha256), file)
    await keepFile(config.documentsDir, file)
    return await store(file)
  } catch (error) {
    // somebody sent the same bytes at the same time
    if (isUniqueViolation(error)) refuseTwin(await findDocumentOfFile(db.read, file.sha256), file)
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
