import { useMutation, useQueryClient } from '@tanstack/react-query'
import { documents, type PlantDocument } from '../../../contract/documents.ts'
import type { DocumentEntry } from '../../parts/documents/documents.ts'
import { ApiError, errorText } from '../../server/api.ts'
import { invalidate } from '../../server/query.ts'
import { showToast } from '../../ui/toasts.ts'

/** What a press asks for. Without a document: a new one. */
export type Act =
  | { act: 'send'; document: PlantDocument | null; file: File | null }
  | { act: 'edit'; entry: DocumentEntry }
  | { act: 'withdraw'; entry: DocumentEntry }
  | { act: 'open'; entry: DocumentEntry }

type Change<Sent> = { run: (sent: Sent) => Promise<PlantDocument>; saidWhenDone: string; onDone: () => void }

/** One change of a document: says that it worked, and shows the list as it is then. */
export function useChange<Sent = void>({ run, saidWhenDone, onDone }: Change<Sent>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      showToast({ kind: 'success', text: saidWhenDone })
      onDone()
    },
    onSettled: () => invalidate(queries, documents.list),
  })
}

/** Also what is wrong with which field: the words of the refusal alone would leave a person guessing. */
export function changeFailure(error: unknown): string {
  const details = error instanceof ApiError ? error.details.map(({ message }) => message) : []
  return [errorText(error), ...new Set(details)].join(' ')
}
