import { useEffect, useState } from 'react'
import { emptyJunctionForm, type JunctionForm } from '../../../domain/junctions.ts'
import { clearTyped, dropOldDrafts, readTyped, restoreTyped, saveTyped } from '../../recording/drafts.ts'
import { junctionDraft } from '../../recording/kinds.ts'

const isEmpty = (form: JunctionForm) => Object.values(form).every((text) => text === '')

/**
 * What stands in the form, kept on the device under `key` until it is recorded. `recordedAt`: the latest act that
 * recorded this junction here before the screen was opened.
 */
export function useJunctionForm(key: string, recordedAt: number) {
  const [form, setForm] = useState(() => {
    const typed = readTyped<{ form: JunctionForm }>(key, () => recordedAt)
    return typed.form ? { ...emptyJunctionForm, ...typed.form } : emptyJunctionForm
  })
  useEffect(() => dropOldDrafts(junctionDraft), [])
  useEffect(() => saveTyped(key, isEmpty(form) ? {} : { form }), [key, form])

  const steps = {
    section: 'form',
    onKept: () => clearTyped(key, 'form'),
    /** Empty for the next one, unless something else was typed meanwhile. */
    onRecorded: () => setForm((now) => (now === form ? emptyJunctionForm : now)),
    /** It is to be corrected, unless something else was typed meanwhile. */
    onNotRecorded: () => {
      restoreTyped(key, { form })
      setForm((now) => (now === emptyJunctionForm ? form : now))
    },
  }

  return { form, setForm, steps }
}
