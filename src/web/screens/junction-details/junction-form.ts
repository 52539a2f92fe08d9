import { useEffect, useState } from 'react'
import { emptyJunctionForm, type JunctionForm } from '../../../domain/junctions.ts'
import {
  dropOldJunctionDrafts,
  type JunctionPlace,
  readJunctionDraft,
  saveJunctionDraft,
} from '../../recording/junction-drafts.ts'

/**
 * What stands in the form, kept on the device until it is recorded. `recordedAt`: the latest act that recorded this
 * junction here before the screen was opened.
 */
export function useJunctionForm(place: JunctionPlace, recordedAt: number) {
  const [form, setForm] = useState(() => readJunctionDraft(place, recordedAt))
  useEffect(dropOldJunctionDrafts, [])
  useEffect(() => void saveJunctionDraft(place, form), [place, form])

  /** It has become a recording: empty for the next one, unless something else was typed meanwhile. */
  const clear = (recorded: JunctionForm) => setForm((now) => (now === recorded ? emptyJunctionForm : now))
  /** It was not recorded: it is to be corrected, unless something else was typed meanwhile. */
  const restore = (recorded: JunctionForm) => setForm((now) => (now === emptyJunctionForm ? recorded : now))

  return { form, setForm, clear, restore }
}
