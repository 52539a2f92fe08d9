import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../device/toasts.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { failureOf, isGone, type Management, type Pair, pairText, problemText } from './management.ts'

type Props<Field extends string> = {
  management: Management<Field>
  pair: Pair<Field>
  onDeleted: () => void
  onClose: () => void
}

/** Asks, naming the pair as this page knows it; what somebody else has changed meanwhile is asked anew. */
export function DeletePairDialog<Field extends string>({ management, pair, onDeleted, onClose }: Props<Field>) {
  const { changes, calls, texts } = management
  const queries = useQueryClient()
  const [seen, setSeen] = useState(pair)
  const { save, isBusy, error, isChanged, reload } = useSave({
    send: () => calls.delete(seen),
    changes,
    toast: texts.deleted,
    onSaved: () => {
      queries.setQueryData(calls.list.queryKey, (before) => before?.filter(({ id }) => id !== seen.id))
      onDeleted()
    },
    onFailed: (thrown) => {
      if (!isChangedMeanwhile(thrown) && !isGone(thrown)) {
        showToast({ kind: 'error', ...failureOf(thrown, texts.deleteFailed) })
      }
    },
    reread: async () => setSeen(await calls.get(seen.id)),
  })
  const problem = problemText(error, isChanged)
  return (
    <ConfirmDialog
      title="Confirmar Exclusão"
      kind="danger"
      confirmText="Excluir"
      busyText="Excluindo..."
      isBusy={isBusy}
      error={problem && <Problem text={problem} onReload={isChanged && !isGone(error) ? reload : null} />}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{texts.deleteQuestion(pairText(management, seen))}</p>
      {texts.deleteNote && <p className="text-muted">{texts.deleteNote}</p>}
    </ConfirmDialog>
  )
}

type ProblemProps = { text: string; onReload: (() => void) | null }

const Problem = ({ text, onReload }: ProblemProps) => (
  <span className="flex flex-wrap items-center justify-between gap-2">
    {text}
    {onReload && <Button onPress={onReload}>Recarregar</Button>}
  </span>
)
