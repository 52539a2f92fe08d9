import type { FastifyInstance } from 'fastify'
import { DOCUMENTS_LISTED_MAX, type DocumentList, documents, type PlantDocument } from '../../contract/documents.ts'
import type { Role } from '../../contract/values.ts'
import { byTitle, documentsFor, filterDocuments, seenBy } from '../../domain/documents.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { withVersion } from '../registers.ts'
import { listApplicators } from '../store/applicators.ts'
import { findDocument, listDocuments, listDocumentsNaming } from '../store/documents.ts'

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
}
