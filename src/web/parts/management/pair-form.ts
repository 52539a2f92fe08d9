import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refusalText } from '../../../contract/errors.ts'
import { lookOf } from '../../../domain/names.ts'
import { errorText, Unreachable } from '../../server/api.ts'
import { showToast } from '../../ui/toasts.ts'
import {
  failureOf,
  GONE_TEXT,
  isConflict,
  isDuplicate,
  isGone,
  type Management,
  namesOf,
  type Pair,
  type PairForm,
} from './management.ts'
import { dropPairDraft, keepPairDraft, readPairDraft } from './pair-drafts.ts'

export type PairFormArgs<Field extends string> = {
  management: Management<Field>
  /** The row to change; null for a new one. */
  pair: Pair<Field> | null
  pairs: readonly Pair<Field>[]
  onClose: () => void
}

/** What stands under each field, once somebody has been there. */
function fieldErrors<Field extends string>(management: Management<Field>, names: PairForm<Field>) {
  const { error } = management.schema.safeParse(names)
  const errors: Partial<Record<Field, string>> = {}
  for (const { path, message } of error?.issues ?? []) errors[path[0] as Field] ??= message
  return errors
}

const emptyForm = <Field extends string>({ fields }: Management<Field>) =>
  Object.fromEntries(fields.map(({ name }) => [name, ''])) as PairForm<Field>

/** A form of two names: what is typed, what is wrong with it, and saving it. */
export function usePairForm<Field extends string>({ management, pair, pairs, onClose }: PairFormArgs<Field>) {
  const { topic, fields } = management
  const draft = useState(() => readPairDraft<Field>(topic))[0]
  const kept = draft && (draft.seen?.id ?? null) === (pair?.id ?? null) ? draft : null
  const [seen, setSeen] = useState(kept?.seen ?? pair)
  const [form, setForm] = useState(() => kept?.form ?? (pair ? namesOf(management, pair) : emptyForm(management)))
  const [touched, setTouched] = useState<Partial<Record<Field, boolean>>>({})
  /** What was typed before somebody else's change was read into the form. */
  const [typed, setTyped] = useState<PairForm<Field> | null>(null)

  const names = namesOf(management, form)
  const wrong = fieldErrors(management, names)
  const isSame = (other: Pair<Field>) => fields.every(({ name }) => lookOf(other[name]) === lookOf(names[name]))
  const isTaken = pairs.some((other) => other.id !== seen?.id && isSame(other))
  const isComplete = fields.every(({ name }) => touched[name])

  const set = (next: PairForm<Field>) => {
    setForm(next)
    keepPairDraft(topic, { seen, form: next, isOpen: true })
  }
  const saving = usePairSaving({ management, seen, onClose })
  const reload = async () => {
    const read = await saving.reread()
    if (!read) return
    setSeen(read)
    setTyped(names)
    setForm(namesOf(management, read))
    keepPairDraft(topic, { seen: read, form: namesOf(management, read), isOpen: true })
  }
  return {
    form,
    seen,
    typed,
    errors: Object.fromEntries(Object.entries(wrong).filter(([name]) => touched[name as Field])) as Partial<
      Record<Field, string>
    >,
    formError: isTaken && isComplete ? refusalText('pair_exists') : null,
    isValid: Object.keys(wrong).length === 0 && !isTaken,
    problem: saving.problem,
    isSaving: saving.isSaving,
    change: (name: Field, text: string) => {
      saving.forget()
      set({ ...form, [name]: text })
    },
    touch: (name: Field) => setTouched((before) => ({ ...before, [name]: true })),
    touchAll: () => setTouched(Object.fromEntries(fields.map(({ name }) => [name, true])) as Record<Field, boolean>),
    save: () => saving.save(names),
    reload,
    restoreTyped: () => {
      if (typed) set(typed)
      setTyped(null)
    },
    /** Escape keeps what was typed, 'Cancelar' does not. */
    leave: () => {
      if (readPairDraft(topic)?.isOpen) keepPairDraft(topic, { seen, form, isOpen: false })
      onClose()
    },
    cancel: () => {
      if (kept || readPairDraft(topic)?.isOpen) dropPairDraft(topic)
      onClose()
    },
  }
}

export type PairFormState<Field extends string> = ReturnType<typeof usePairForm<Field>>

/** Why the last try did not work. A conflict is solved by reading the row again. */
export type Problem = { text: string; isConflict: boolean }

type SavingArgs<Field extends string> = Pick<PairFormArgs<Field>, 'management' | 'onClose'> & {
  seen: Pair<Field> | null
}

function usePairSaving<Field extends string>({ management, seen, onClose }: SavingArgs<Field>) {
  const { topic, calls, texts } = management
  const queries = useQueryClient()
  const [problem, setProblem] = useState<Problem | null>(null)
  /** The second press of a double click comes before the screen has been drawn again. */
  const isHeld = useRef(false)

  const tell = (error: Error) => {
    if (isConflict(error)) return setProblem({ text: error.message, isConflict: true })
    if (isGone(error)) return setProblem({ text: GONE_TEXT, isConflict: false })
    if (isDuplicate(error)) return setProblem({ text: error.message, isConflict: false })
    if (error instanceof Unreachable) setProblem({ text: errorText(error), isConflict: false })
    showToast({ kind: 'error', ...failureOf(error, seen ? texts.updateFailed : texts.createFailed) })
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (names: PairForm<Field>) => (seen ? calls.update(seen, names) : calls.create(names)),
    onSuccess: (saved) => {
      queries.setQueryData(calls.list.queryKey, (before) =>
        before ? [...before.filter(({ id }) => id !== saved.id), saved] : before,
      )
      showToast({ kind: 'success', text: seen ? texts.updated : texts.created })
      dropPairDraft(topic)
      onClose()
    },
    onError: tell,
    onSettled: () => {
      isHeld.current = false
      void queries.invalidateQueries(calls.list)
    },
  })
  const save = (names: PairForm<Field>) => {
    if (isHeld.current) return
    isHeld.current = true
    setProblem(null)
    mutate(names)
  }
  const reread = async () => {
    if (!seen) return null
    try {
      const read = await calls.get(seen.id)
      setProblem(null)
      return read
    } catch (error) {
      setProblem({ text: isGone(error) ? GONE_TEXT : errorText(error), isConflict: !isGone(error) })
      return null
    }
  }
  return { problem, isSaving: isPending, save, reread, forget: () => problem?.isConflict || setProblem(null) }
}
