import { documents, type PlantDocument } from '../../../contract/documents.ts'
import type { DocumentEntry } from '../../parts/documents/documents.ts'
import { ApiError, errorText } from '../../server/api.ts'

/** A press on the screen. Without a document: a new one. */
export type Act =
  | { act: 'send'; document: PlantDocument | null; file: File | null }
  | { act: 'edit' | 'withdraw' | 'open'; entry: DocumentEntry }

/** Answers that every change of a document invalidates. */
export const changes = [documents.list] as const

/** Also what is wrong with which field: the words of the refusal alone would leave a person guessing. */
export function changeFailure(error: unknown): string {
  const details = error instanceof ApiError ? error.details.map(({ message }) => message) : []
  return [errorText(error), ...new Set(details)].join(' ')
}
