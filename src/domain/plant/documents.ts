import type { DocumentRevision, DocumentTarget, PlantDocument, TargetKind } from '../../contract/documents.ts'
import type { Role } from '../../contract/values.ts'
import { nameKey } from '../acts/recordings.ts'
import { compareNames, isSameName } from '../people/names.ts'
import { isAllowed } from '../people/permissions.ts'

/** Newest first, as they were uploaded. A revision that was withdrawn does not make the one before it obsolete. */
export function withSituations(revisions: readonly Omit<DocumentRevision, 'situacao'>[]): DocumentRevision[] {
  const current = revisions.find(({ retirada }) => retirada === null)
  return revisions.map((revision) => ({
    ...revision,
    situacao: revision.retirada ? 'retirado' : revision === current ? 'vigente' : 'obsoleto',
  }))
}

/** A document as this role may see it; null where it may not. */
export function seenBy(role: Role, document: PlantDocument): PlantDocument | null {
  if (isAllowed(role, 'documents')) return document
  const revisoes = document.revisoes.filter(({ situacao }) => situacao !== 'retirado')
  return revisoes.length > 0 ? { ...document, revisoes } : null
}

export const byTitle = (one: PlantDocument, other: PlantDocument): number =>
  compareNames(one.titulo, other.titulo) || one.id - other.id

/** As people type on a tablet: neither case nor accents matter. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const textOf = ({ titulo, vinculos, revisoes }: PlantDocument) =>
  folded(
    [
      titulo,
      ...vinculos.flatMap(({ codigo, revisao }) => [codigo, revisao]),
      ...revisoes.flatMap(({ revisao, arquivo }) => [revisao, arquivo.nome]),
    ].join('\n'),
  )

type DocumentFilter = { texto: string; vinculo: TargetKind | null }

/** Every word of the text must be in it somewhere. */
export function filterDocuments(documents: readonly PlantDocument[], { texto, vinculo }: DocumentFilter) {
  const words = folded(texto).split(/\s+/).filter(Boolean)
  return documents.filter((document) => {
    if (vinculo !== null && !document.vinculos.some(({ tipo }) => tipo === vinculo)) return false
    const text = textOf(document)
    return words.every((word) => text.includes(word))
  })
}

/** The work in hand of an operator. */
type Work = { produto: string; revisao: string; terminals: readonly string[]; applicators: readonly string[] }

const isIn = (names: readonly string[], name: string) => names.some((one) => isSameName(one, name))

/** A product's document without revision is about all of them. */
function isAbout({ tipo, codigo, revisao }: DocumentTarget, work: Work): boolean {
  if (tipo === 'terminal') return isIn(work.terminals, codigo)
  if (tipo === 'miniaplicador') return isIn(work.applicators, codigo)
  return isIn([work.produto], codigo) && (revisao.trim() === '' || isIn([work.revisao], revisao))
}

export const documentsFor = (documents: readonly PlantDocument[], work: Work): PlantDocument[] =>
  documents.filter(({ vinculos }) => vinculos.some((target) => isAbout(target, work)))

const keyOf = ({ tipo, codigo, revisao }: DocumentTarget) => JSON.stringify([tipo, nameKey(codigo), nameKey(revisao)])

/** Each once, as it is kept; only products have revisions. */
export function tidyTargets(targets: readonly DocumentTarget[]): DocumentTarget[] {
  const tidied = targets.map(({ tipo, codigo, revisao }) => ({
    tipo,
    codigo: codigo.trim(),
    revisao: tipo === 'produto' ? revisao.trim() : '',
  }))
  return [...new Map(tidied.map((target) => [keyOf(target), target])).values()]
}

/** Two revisions that operators see may not be called alike. */
export const hasRevision = ({ revisoes }: PlantDocument, revision: string, exceptId: number | null = null): boolean =>
  revisoes.some(
    ({ id, revisao, situacao }) => id !== exceptId && situacao !== 'retirado' && isSameName(revisao, revision),
  )

type ByteRange = { from: number; to: number }

/**
 * The part of a file that a `Range` header asks for, both ends within it: null for all of it, also where it asks for
 * several parts (RFC 9110, 14.2: that may be ignored); 'unsatisfiable' where the file has none of it.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '')
    return Number(last) === 0 ? 'unsatisfiable' : { from: Math.max(0, bytes - Number(last)), to: bytes - 1 }
  if (last !== '' && Number(last) < Number(first)) return null
  if (Number(first) >= bytes) return 'unsatisfiable'
  return { from: Number(first), to: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}

/** RFC 6266: in letters that every header may carry, and in full. */
export function inlineDisposition(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w. ()-]/g, '_')
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `inline; filename="${plain}"; filename*=UTF-8''${full}`
}
