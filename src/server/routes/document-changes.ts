import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import { type DocumentRevision, documentChanges, type PlantDocument } from '../../contract/documents.ts'
import { hasRevision, tidyTargets } from '../../domain/documents.ts'
import type { Context } from '../context.ts'
import { changeDocument, revisionExists } from '../documents.ts'
import { bind, type Call } from '../http.ts'
import { Refused } from '../refused.ts'
import { withVersion } from '../registers.ts'
import type { Tx } from '../store/db.ts'
import { findDocumentOfRevision, renameRevision, setWithdrawal, updateDocument } from '../store/documents.ts'

export function documentChangeRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, documentChanges.update, async ({ params: { id }, body }, call) => {
    const form = { titulo: body.titulo.trim(), vinculos: tidyTargets(body.vinculos) }
    const deed = { action: 'document_changed' as const, id, details: form }
    return withVersion(await changeDocument(call, deed, (tx) => updateDocument(tx, id, form)), call.reply)
  })

  bind(app, context, documentChanges.updateRevision, ({ params: { id }, body }, call) => {
    const revisao = body.revisao.trim()
    const deed = { action: 'revision_renamed' as const, details: { id, revisao } }
    return changeRevision(call, id, deed, async (tx, document) => {
      if (hasRevision(document, revisao, id)) throw revisionExists(revisao)
      await renameRevision(tx, id, revisao)
    })
  })

  bind(app, context, documentChanges.withdraw, ({ params: { id }, body: { motivo } }, call) => {
    const deed = { action: 'revision_withdrawn' as const, reason: motivo, details: { id } }
    return changeRevision(call, id, deed, async (tx, _document, { situacao }) => {
      if (situacao === 'retirado') throw new Refused('revision_withdrawn')
      const { caller, now } = call
      await setWithdrawal(tx, id, { at: now(), by: caller.fullName || caller.username, reason: motivo })
    })
  })

  bind(app, context, documentChanges.restore, ({ params: { id } }, call) => {
    const deed = { action: 'revision_restored' as const, details: { id } }
    return changeRevision(call, id, deed, async (tx, document, { situacao, revisao }) => {
      if (situacao !== 'retirado') throw new Refused('revision_not_withdrawn')
      if (hasRevision(document, revisao, id)) throw revisionExists(revisao)
      await setWithdrawal(tx, id, null)
    })
  })
}

async function changeRevision(
  call: Call,
  revisionId: number,
  deed: { action: AuditAction; reason?: string; details: object },
  change: (tx: Tx, document: PlantDocument, revision: DocumentRevision) => Promise<void>,
): Promise<PlantDocument> {
  const known = await findDocumentOfRevision(call.db.read, revisionId)
  if (!known) throw new Refused('not_found')
  const changed = await changeDocument(call, { ...deed, id: known.id }, async (tx, document) => {
    const revision = document.revisoes.find(({ id }) => id === revisionId)
    if (!revision) throw new Refused('not_found')
    await change(tx, document, revision)
  })
  return withVersion(changed, call.reply)
}
