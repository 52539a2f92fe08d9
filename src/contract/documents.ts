import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { optionalName, sayingName, writtenName } from './names.ts'
import { Instant, optionalText, RowKey, saying, text } from './values.ts'

export const DOCUMENT_BYTES_MAX = 25 * 1024 * 1024
/** Decoded, four bytes each: a tablet must be able to hold them. */
export const IMAGE_PIXELS_MAX = 50_000_000
export const IMAGE_SIDE_PIXELS_MAX = 16_384
export const DOCUMENT_TITLE_LENGTH_MAX = 120
export const DOCUMENT_REVISION_LENGTH_MAX = 20
const FILE_NAME_LENGTH_MAX = 200
const DOCUMENT_TARGETS_MAX = 50
/** A plant that has more finds them by searching. */
export const DOCUMENTS_LISTED_MAX = 500
export const documentMediaTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] as const
export type DocumentMediaType = (typeof documentMediaTypes)[number]

export const targetKinds = ['produto', 'terminal', 'miniaplicador'] as const
export type TargetKind = (typeof targetKinds)[number]

const code = writtenName(NAME_LENGTH_MAX)
const productRevision = optionalName(DOCUMENT_REVISION_LENGTH_MAX)

/** The thing a document is about. `revisao`: the customer's revision of a product; empty for all of them, and for tools. */
export const DocumentTarget = z.strictObject({ tipo: z.enum(targetKinds), codigo: code, revisao: productRevision })
export type DocumentTarget = z.infer<typeof DocumentTarget>

/** The newest that is not withdrawn; an older one; one that operators see no more. */
const revisionSituations = ['vigente', 'obsoleto', 'retirado'] as const
export type RevisionSituation = (typeof revisionSituations)[number]

export const DocumentRevision = z.strictObject({
  id: z.int(),
  revisao: z.string(),
  situacao: z.enum(revisionSituations),
  arquivo: z.strictObject({
    nome: z.string(),
    /** By its content, whatever its name says. */
    tipo: z.enum(documentMediaTypes),
    bytes: z.int(),
    sha256: z.string(),
    /** Null for a PDF. */
    larguraPx: z.nullable(z.int()),
    alturaPx: z.nullable(z.int()),
  }),
  enviadoEm: Instant,
  enviadoPor: z.string(),
  retirada: z.nullable(z.strictObject({ em: Instant, por: z.string(), motivo: z.string() })),
})
export type DocumentRevision = z.infer<typeof DocumentRevision>

export const PlantDocument = z.strictObject({
  id: z.int(),
  titulo: z.string(),
  vinculos: z.array(DocumentTarget),
  /** Newest first, at least one. Only administrators get those that were withdrawn. */
  revisoes: z.array(DocumentRevision),
  version: z.int(),
})
export type PlantDocument = z.infer<typeof PlantDocument>

/** `total`: how many match, listed or not. */
export const DocumentList = z.strictObject({ documentos: z.array(PlantDocument), total: z.int() })
export type DocumentList = z.infer<typeof DocumentList>

const titulo = sayingName(DOCUMENT_TITLE_LENGTH_MAX)
const revisao = writtenName(DOCUMENT_REVISION_LENGTH_MAX)

/** Kept as it is shown: neither a path, nor with signs that turn the writing round and so hide its ending. */
const FileName = text(FILE_NAME_LENGTH_MAX).check(
  z.regex(/^[^/\\]*$/u, "O nome não pode ter '/' nem '\\'"),
  z.regex(/^[^\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u, 'O nome tem sinais que não são aceitos'),
  z.refine((name) => !/^[\s.]*$/u.test(name), 'Campo obrigatório'),
)

export const DocumentForm = z.strictObject({
  titulo,
  vinculos: z.array(DocumentTarget).check(z.minLength(1, 'Campo obrigatório'), z.maxLength(DOCUMENT_TARGETS_MAX)),
})
export type DocumentForm = z.infer<typeof DocumentForm>

export const WITHDRAWAL_REASON_LENGTH_MAX = 500

/** Calls open to everybody. */
export const documents = {
  list: endpoint({
    path: '/api/documentos',
    summary: 'Documentos com as suas revisões, por título; operadores não veem o que foi retirado',
    access: 'read',
    /** `texto`: every word of it somewhere in title, codes, revisions or file names. `vinculo`: what it is about. */
    query: z.strictObject({ texto: z.optional(optionalText(100)), vinculo: z.optional(z.enum(targetKinds)) }),
    reply: DocumentList,
    live: ['documents'],
  }),
  forWork: endpoint({
    path: '/api/trabalho/documentos',
    summary:
      'Documentos de um produto e revisão, dos terminais dados e dos mini aplicadores que crimpam estes terminais',
    access: 'read',
    query: z.strictObject({
      produto: z.optional(optionalText(NAME_LENGTH_MAX)),
      /** As the ERP has it, however long that is. */
      revisao: z.optional(optionalText(NAME_LENGTH_MAX)),
      terminal1: z.optional(optionalText(NAME_LENGTH_MAX)),
      terminal2: z.optional(optionalText(NAME_LENGTH_MAX)),
    }),
    reply: DocumentList,
    live: ['documents'],
  }),
  get: endpoint({
    path: '/api/documentos/:id',
    summary: 'Um documento com as suas revisões',
    access: 'read',
    params: RowKey,
    reply: PlantDocument,
    refusals: ['not_found'],
  }),
}

export const documentFiles = {
  get: endpoint({
    path: '/api/documentos/revisoes/:id/arquivo',
    summary: 'O arquivo de uma revisão; aceita Range e If-None-Match',
    access: 'read',
    suffices: 'cookie',
    params: RowKey,
    reply: z.string(),
    statuses: [200, 206],
    file: 'application/octet-stream',
    refusals: ['not_found', 'range_unsatisfiable', 'document_folder_unavailable'],
  }),
}

const uploadRefusals = [
  'upload_header_missing',
  'upload_unexpected',
  'unsupported_media_type',
  'upload_empty',
  'upload_too_large',
  'upload_broken',
  'document_kind_unknown',
  'document_damaged',
  'image_too_large',
  'document_exists',
  'disk_full',
  'document_folder_unavailable',
  'overloaded',
] as const

/** Calls of administrators alone, here and below. */
export const documentUploads = {
  add: endpoint({
    method: 'POST',
    path: '/api/documentos',
    summary: 'Envia um documento novo: o arquivo é o corpo (PDF, PNG, JPEG ou WebP, até 25 MB)',
    access: 'documents',
    upload: true,
    query: z.strictObject({
      nome: FileName,
      titulo,
      revisao,
      vinculo: z.enum(targetKinds),
      codigo: code,
      revisaoProduto: z.optional(productRevision),
    }),
    reply: PlantDocument,
    statuses: [201],
    refusals: uploadRefusals,
  }),
  addRevision: endpoint({
    method: 'POST',
    path: '/api/documentos/:id/revisoes',
    summary: 'Envia uma revisão nova de um documento; a anterior fica obsoleta',
    access: 'documents',
    upload: true,
    params: RowKey,
    query: z.strictObject({ nome: FileName, revisao }),
    reply: PlantDocument,
    statuses: [201],
    refusals: ['not_found', 'revision_exists', ...uploadRefusals],
  }),
}

export const documentChanges = {
  update: endpoint({
    method: 'PUT',
    path: '/api/documentos/:id',
    summary: 'Altera o título de um documento e do que ele trata',
    access: 'documents',
    params: RowKey,
    body: DocumentForm,
    reply: PlantDocument,
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  updateRevision: endpoint({
    method: 'PUT',
    path: '/api/documentos/revisoes/:id',
    summary: 'Corrige o nome de uma revisão',
    access: 'documents',
    params: RowKey,
    body: z.strictObject({ revisao }),
    reply: PlantDocument,
    refusals: ['not_found', 'revision_exists'],
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/documentos/revisoes/:id/retirada',
    summary: 'Retira uma revisão: operadores não a veem mais, o arquivo fica guardado',
    access: 'documents',
    params: RowKey,
    body: z.strictObject({ motivo: saying(WITHDRAWAL_REASON_LENGTH_MAX) }),
    reply: PlantDocument,
    refusals: ['not_found', 'revision_withdrawn'],
  }),
  restore: endpoint({
    method: 'DELETE',
    path: '/api/documentos/revisoes/:id/retirada',
    summary: 'Devolve uma revisão retirada',
    access: 'documents',
    params: RowKey,
    reply: PlantDocument,
    refusals: ['not_found', 'revision_exists', 'revision_not_withdrawn'],
  }),
}
