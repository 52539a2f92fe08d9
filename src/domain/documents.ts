import type { DocumentRevision, DocumentTarget, PlantDocument, TargetKind } from '../contract/documents.ts'
import type { Role } from '../contract/values.ts'
import { compareNames } from './names.ts'
import { nameKey } from './recordings.ts'

/** Newest first, as they were uploaded. A revision that was withdrawn does not make the one before it obsolete. */
export function withSituations(revisions: readonly Omit<DocumentRevision, 'situacao'>[]): DocumentRevision[] {
  const current = revisions.find(({ retirada }) => retirada === null)
  return revisions.map((revision) => ({
    ...revision,
    situacao: revision.retirada ? 'retirado' : revision === current ? 'vigente' : 'obsoleto',
  }))
}

/** What somebody of this role may see of a document; null when that is nothing. */
export function seenBy(role: Role, document: PlantDocument): PlantDocument | null {
  if (role === 'admin') return document
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

export type DocumentFilter = { texto: string; vinculo: TargetKind | null }

/** Every word of the text must be in it somewhere. */
export function filterDocuments(documents: readonly PlantDocument[], { texto, vinculo }: DocumentFilter) {
  const words = folded(texto).split(/\s+/).filter(Boolean)
  return documents.filter((document) => {
    if (vinculo !== null && !document.vinculos.some(({ tipo }) => tipo === vinculo)) return false
    const text = textOf(document)
    return words.every((word) => text.includes(word))
  })
}

/** What an operator has in hand. */
export type Work = { produto: string; revisao: string; terminals: readonly string[]; applicators: readonly string[] }

const isIn = (names: readonly string[], name: string) => names.some((one) => nameKey(one) === nameKey(name))

/** A product's document without revision is about all of them. */
function isAbout({ tipo, codigo, revisao }: DocumentTarget, work: Work): boolean {
  if (tipo === 'terminal') return isIn(work.terminals, codigo)
  if (tipo === 'miniaplicador') return isIn(work.applicators, codigo)
  return isIn([work.produto], codigo) && (revisao.trim() === '' || isIn([work.revisao], revisao))
}

export const documentsFor = (documents: readonly PlantDocument[], work: Work): PlantDocument[] =>
  documents.filter(({ vinculos }) => vinculos.some((target) => isAbout(target, work)))
