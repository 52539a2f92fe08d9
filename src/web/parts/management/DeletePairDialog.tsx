import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { errorText, Unreachable } from '../../server/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { showToast } from '../../ui/toasts.ts'
import { failureOf, GONE_TEXT, isConflict, isGone, type Management, type Pair, pairText } from './management.ts'

type Props<Field extends string> = {
  management: Management<Field>
  pair: Pair<Field>
  onDeleted: () => void
  onClose: () => void
}

/** Asks, naming the pair as this page knows it; what somebody else has changed meanwhile is asked anew. */
export function DeletePairDialog<Field extends string>({ management, pair, onDeleted, onClose }: Props<Field>) {
  const { calls, texts } = management
  const queries = useQueryClient()
  const [seen, setSeen] = useState(pair)
  const [problem, setProblem] = useState<Error | null>(null)
  const isHeld = useRef(false)

  const { mutate, isPending } = useMutation({
    mutationFn: () => calls.delete(seen),
    onSuccess: () => {
      queries.setQueryData(calls.list.queryKey, (before) => before?.filter(({ id }) => id !== seen.id))
      showToast({ kind: 'success', text: texts.deleted })
      onDeleted()
    },
    onError: (error) => {
      if (isConflict(error) || isGone(error)) return setProblem(error)
      if (error instanceof Unreachable) setProblem(error)
      showToast({ kind: 'error', ...failureOf(error, texts.deleteFailed) })
    },
    onSettled: () => {
      isHeld.current = false
      void queries.invalidateQueries(calls.list)
    },
  })
  const confirm = () => {
    if (isHeld.current) return
    isHeld.current = true
    setProblem(null)
    mutate()
  }
  const reload = async () => {
    try {
      setSeen(await calls.get(seen.id))
      setProblem(null)
    } catch (error) {
      setProblem(error as Error)
    }
  }
  return (
    <ConfirmDialog
      title="Confirmar Exclusão"
      kind="danger"
      confirmText="Excluir"
      busyText="Excluindo..."
      isBusy={isPending}
      error={problem && <Problem problem={problem} onReload={() => void reload()} />}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{texts.deleteQuestion(pairText(management, seen))}</p>
      {texts.deleteNote && <p className="text-muted">{texts.deleteNote}</p>}
    </ConfirmDialog>
  )
}

function Problem({ problem, onReload }: { problem: Error; onReload: () => void }) {
  if (isGone(problem)) return GONE_TEXT
  if (!isConflict(problem)) return errorText(problem)
  return (
    <span className="flex flex-wrap items-center justify-between gap-2">
      {problem.message}
      <Button onPress={onReload}>Recarregar</Button>
    </span>
  )
}
