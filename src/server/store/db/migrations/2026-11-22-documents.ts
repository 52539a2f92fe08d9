import { index, must, type Step, table } from './steps.ts'

/** Drawings and instructions. The files themselves lie in a folder, each under its SHA-256. */
export const documents: Record<string, Step> = {
  documents: table('documents', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('title', c.key(255), must)
      .addColumn('version', c.integer, must)
      .addColumn('created_at', c.integer, must)
      .addColumn('updated_at', c.integer, must),
  ),
  document_targets: table('document_targets', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('document_id', c.integer, must)
      .addColumn('kind', c.key(16), must)
      .addColumn('code', c.key(255), must)
      // small letters may be longer than capitals
      .addColumn('code_key', c.key(600), must)
      .addColumn('revision', c.key(64), must),
  ),
  document_targets_document: index('document_targets_document', 'document_targets', 'document_id'),
  document_targets_code: index('document_targets_code', 'document_targets', 'code_key'),
  document_revisions: table('document_revisions', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('document_id', c.integer, must)
      .addColumn('revision', c.key(64), must)
      .addColumn('sha256', c.key(64), (col) => col.notNull().unique())
      .addColumn('file_name', c.key(255), must)
      .addColumn('media_type', c.key(64), must)
      .addColumn('bytes', c.integer, must)
      .addColumn('width_px', c.integer)
      .addColumn('height_px', c.integer)
      .addColumn('uploaded_at', c.integer, must)
      .addColumn('uploaded_by', c.key(255), must)
      .addColumn('withdrawn_at', c.integer)
      .addColumn('withdrawn_by', c.key(255))
      .addColumn('withdrawal_reason', c.longText),
  ),
  document_revisions_document: index('document_revisions_document', 'document_revisions', 'document_id'),
}
