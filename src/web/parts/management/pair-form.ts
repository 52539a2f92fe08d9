import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Topic } from '../../../contract/endpoint.ts'
import { refusalText } from '../../../contract/errors.ts'
import { lookOf } from '../../../domain/people/names.ts'
import { currentUser } from '../../device/credentials.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import { showToast } from '../../device/toasts.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import {
  failureOf,
  isDuplicate,
  isGone,
  type Management,
  namesOf,
  type Pair,
  type PairForm,
  problemText,
} from './management.ts'

/** A form typed and not yet saved, and the row as it was when that began; null for a new one. */
type PairDraft<Field extends string> = {
  seen: Pair<Field> | null
  form: PairForm<Field>
  /** Left open: a reload or a new login returns to the form. */
  isOpen: boolean
}

const keyOf = (topic: Topic) => `cadastro:${topic}:${currentUser()?.username ?? ''}`

export const readPairDraft = <Field extends string>(topic: Topic): PairDraft<Field> | null =>
  readFromTab(keyOf(topic)) as PairDraft<Field> | null

const keepPairDraft = <Field extends string>(topic: Topic, draft: PairDraft<Field>) => writeToTab(keyOf(topic), draft)

export type PairFormArgs<Field extends string> = {
  management: Management<Field>
  /** The row to change; null for a new one. */
  pair: Pair<Field> | null
  pairs: readonly Pair<Field>[]
  onClose: () => void
}

/** Fault below each field, once somebody has been there. */
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
  const ownDraft = draft && (draft.seen?.id ?? null) === (pair?.id ?? null) ? draft : null
  const [seen, setSeen] = useState(ownDraft?.seen ?? pair)
  const [form, setForm] = useState(() => ownDraft?.form ?? (pair ? namesOf(management, pair) : emptyForm(management)))
  const [touched, setTouched] = useState<Partial<Record<Field, boolean>>>({})
  /** The form as typed, before somebody else's change was read into it. */
  const [typed, setTyped] = useState<PairForm<Field> | null>(null)

  const names = namesOf(management, form)
  const wrong = fieldErrors(management, names)
  const isSame = (other: Pair<Field>) => fields.every(({ name }) => lookOf(other[name]) === lookOf(names[name]))
  const isTaken = pairs.some((other) => other.id !== seen?.id && isSame(other))
  const isComplete = fields.every(({ name }) => touched[name])

  /** Shows a form and keeps it as a draft. `pairSeen`: the stored pair that it changes; null: a new one. */
  const showForm = (next: PairForm<Field>, pairSeen = seen) => {
    setForm(next)
    keepPairDraft(topic, { seen: pairSeen, form: next, isOpen: true })
  }
  const take = (read: Pair<Field>) => {
    setSeen(read)
    setTyped(names)
    showForm(namesOf(management, read), read)
  }
  const { save, isBusy, error, isChanged, forget, reload } = usePairSave({ management, seen, names, take, onClose })
  return {
    form,
    seen,
    typed,
    errors: Object.fromEntries(Object.entries(wrong).filter(([name]) => touched[name as Field])) as Partial<
      Record<Field, string>
    >,
    formError: isTaken && isComplete ? refusalText('pair_exists') : null,
    isValid: Object.keys(wrong).length === 0 && !isTaken,
    problem: problemText(error, isChanged),
    isConflict: isChanged && !isGone(error),
    isSaving: isBusy,
    change: (name: Field, text: string) => {
      if (!isChanged) forget()
      showForm({ ...form, [name]: text })
    },
    touch: (name: Field) => setTouched((before) => ({ ...before, [name]: true })),
    touchAll: () => setTouched(Object.fromEntries(fields.map(({ name }) => [name, true])) as Record<Field, boolean>),
    save: () => save(),
    reload,
    restoreTyped: () => {
      if (typed) showForm(typed)
      setTyped(null)
    },
    /** Escape keeps what was typed, 'Cancelar' does not. */
    leave: () => {
      if (readPairDraft(topic)?.isOpen) keepPairDraft(topic, { seen, form, isOpen: false })
      onClose()
    },
    cancel: () => {
      if (ownDraft || readPairDraft(topic)?.isOpen) dropFromTab(keyOf(topic))
      onClose()
    },
  }
}

export type PairFormState<Field extends string> = ReturnType<typeof usePairForm<Field>>

type SaveArgs<Field extends string> = Pick<PairFormArgs<Field>, 'management' | 'onClose'> & {
  seen: Pair<Field> | null
  names: PairForm<Field>
  /** The row as somebody else has saved it meanwhile. */
  take: (read: Pair<Field>) => void
}

function usePairSave<Field extends string>({ management, seen, names, take, onClose }: SaveArgs<Field>) {
  const { topic, changes, calls, texts } = management
  const queries = useQueryClient()
  return useSave({
    send: () => (seen ? calls.update(seen, names) : calls.create(names)),
    changes,
    toast: seen ? texts.updated : texts.created,
    onSaved: (saved) => {
      queries.setQueryData(calls.list.queryKey, (before) =>
        before ? [...before.filter(({ id }) => id !== saved.id), saved] : before,
      )
      dropFromTab(keyOf(topic))
      onClose()
    },
    onFailed: (thrown) => {
      if (isChangedMeanwhile(thrown) || isGone(thrown) || isDuplicate(thrown)) return
      showToast({ kind: 'error', ...failureOf(thrown, seen ? texts.updateFailed : texts.createFailed) })
    },
    reread: async () => {
      if (seen) take(await calls.get(seen.id))
    },
  })
}
