import type { OthersDraft as Others } from '../acts/drafts.ts'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'

/** A colleague's draft in this form. */
export function OthersDraft({ of: draft }: { of: Others | null }) {
  if (!draft) return null
  return (
    <Alert
      kind="warning"
      action={
        <span className="flex flex-wrap gap-2">
          <Button onPress={draft.discard}>Descartar</Button>
          <Button onPress={draft.goOn}>Continuar</Button>
        </span>
      }
    >
      Rascunho de {draft.author}. Quem continua mede de novo.
    </Alert>
  )
}
