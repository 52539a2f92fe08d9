import type {
  DocumentForm,
  DocumentMediaType,
  DocumentRevision,
  DocumentTarget,
  PlantDocument,
} from '../../contract/documents.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { keysOfName } from '../../domain/people/names.ts'
import { withSituations } from '../../domain/plant/documents.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { changeVersion, insertsRow, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type RevisionRow = Omit<Tables['document_revisions'], 'id'> & { id: number }

const toRevision = (row: RevisionRow): Omit<DocumentRevision, 'situacao'> => ({
  id: row.id,
  revisao: row.revision,
  arquivo: {
    nome: row.file_name,
    tipo: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    larguraPx: row.width_px,
    alturaPx: row.height_px,
  },
  enviadoEm: toInstant(row.uploaded_at),
  enviadoPor: row.uploaded_by,
  retirada:
    row.withdrawn_at === null
      ? null
      : { em: toInstant(row.withdrawn_at), por: row.withdrawn_by ?? '', motivo: row.withdrawal_reason ?? '' },
})

/** Null: all of them. */
async function read(db: Reader, ids: readonly number[] | null): Promise<PlantDocument[]> {
  if (ids?.length === 0) return []
  let heads = db.selectFrom('documents').select(['id', 'title', 'version']).orderBy('id')
  let targets = db.selectFrom('document_targets').selectAll().orderBy('id')
  let revisions = db.selectFrom('document_revisions').selectAll().orderBy('id', 'desc')
  if (ids) {
    heads = heads.where('id', 'in', ids)
    targets = targets.where('document_id', 'in', ids)
    revisions = revisions.where('document_id', 'in', ids)
  }
  const targetsOf = Map.groupBy(await targets.execute(), (row) => row.document_id)
  const revisionsOf = Map.groupBy(await revisions.execute(), (row) => row.document_id)
  const rows = await heads.execute()
  return rows.map(({ id, title, version }) => ({
    id,
    titulo: title,
    vinculos: (targetsOf.get(id) ?? []).map(({ kind, code, revision }) => ({
      tipo: kind,
      codigo: code,
      revisao: revision,
    })),
    revisoes: withSituations((revisionsOf.get(id) ?? []).map(toRevision)),
    version,
  }))
}

export const listDocuments = (db: Reader): Promise<PlantDocument[]> => read(db, null)

/** Documents that name one of these codes, of whatever kind. */
export async function listDocumentsNaming(db: Reader, codes: readonly string[]): Promise<PlantDocument[]> {
  if (codes.length === 0) return []
  const rows = await db
    .selectFrom('document_targets')
    .select('document_id')
    .distinct()
    .where('code_key', 'in', codes.flatMap(keysOfName))
    .execute()
  return await read(
    db,
    rows.map((row) => row.document_id),
  )
}

export async function findDocument(db: Reader, id: number): Promise<PlantDocument | null> {
  const [document] = await read(db, [id])
  return document ?? null
}

/** The document that has this revision, or these bytes; null when none does. */
export async function findDocumentWith(
  db: Reader,
  revision: { id: number } | { sha256: string },
): Promise<PlantDocument | null> {
  const row = await db
    .selectFrom('document_revisions')
    .select('document_id')
    .where((e) => e.and(revision))
    .executeTakeFirst()
  return row ? await findDocument(db, row.document_id) : null
}

const insertTargets = async (tx: Tx, documentId: number, targets: readonly DocumentTarget[]): Promise<void> => {
  const rows = targets.map(({ tipo, codigo, revisao }) => ({
    document_id: documentId,
    kind: tipo,
    code: codigo,
    code_key: nameKey(codigo),
    revision: revisao,
  }))
  await tx.insertInto('document_targets').values(rows).execute()
}

/** Returns its id. It needs a revision to be one. */
export async function insertDocument(tx: Tx, { titulo, vinculos, at }: DocumentForm & { at: number }): Promise<number> {
  const id = await tx
    .insertInto('documents')
    .values({ title: titulo, version: 1, created_at: at, updated_at: at })
    .$call(insertsRow)
  await insertTargets(tx, id, vinculos)
  return id
}

type NewRevision = {
  documentId: number
  revision: string
  fileName: string
  file: { sha256: string; bytes: number; mediaType: DocumentMediaType; widthPx: number | null; heightPx: number | null }
  uploadedBy: string
  at: number
}

/** Throws a unique violation when some document has these bytes already. */
export async function insertRevision(tx: Tx, { documentId, revision, fileName, file, uploadedBy, at }: NewRevision) {
  await tx
    .insertInto('document_revisions')
    .values({
      document_id: documentId,
      revision,
      sha256: file.sha256,
      file_name: fileName,
      media_type: file.mediaType,
      bytes: file.bytes,
      width_px: file.widthPx,
      height_px: file.heightPx,
      uploaded_at: at,
      uploaded_by: uploadedBy,
    })
    .execute()
}

/**
 * Takes the document's row until the end of the transaction: of two changes one comes after the other. False when it is
 * gone or is not of this version any more; null takes any.
 */
export const takeDocument = (
  tx: Tx,
  id: number,
  { versionSeen, at }: { versionSeen: number | null; at: number },
): Promise<boolean> => changeVersion(tx, 'documents', { id, versionSeen }, { updated_at: at })

export async function updateDocument(tx: Tx, id: number, { titulo, vinculos }: DocumentForm): Promise<void> {
  await tx.updateTable('documents').set({ title: titulo }).where('id', '=', id).execute()
  await tx.deleteFrom('document_targets').where('document_id', '=', id).execute()
  await insertTargets(tx, id, vinculos)
}

export async function renameRevision(tx: Tx, id: number, revision: string): Promise<void> {
  await tx.updateTable('document_revisions').set({ revision }).where('id', '=', id).execute()
}

/** Null gives it back. */
export async function setWithdrawal(
  tx: Tx,
  id: number,
  withdrawal: { at: number; by: string; reason: string } | null,
): Promise<void> {
  await tx
    .updateTable('document_revisions')
    .set({
      withdrawn_at: withdrawal?.at ?? null,
      withdrawn_by: withdrawal?.by ?? null,
      withdrawal_reason: withdrawal?.reason ?? null,
    })
    .where('id', '=', id)
    .execute()
}
