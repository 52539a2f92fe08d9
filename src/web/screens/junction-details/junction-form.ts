import { useEffect, useState } from 'react'
import { emptyJunctionForm, type JunctionForm } from '../../../domain/junctions.ts'
import { dropOldDrafts, readDraft, saveDraft } from './drafts.ts'
import type { JunctionPlace } from './JunctionDetailsScreen.tsx'

/** What stands in the form, kept on the device until it is recorded. `recordedAt`: the latest act that recorded this junction here. */
export function useJunctionForm(place: JunctionPlace, recordedAt: number) {
  const [form, setForm] = useState(() => readDraft(place, recordedAt))
  useEffect(dropOldDrafts, [])
  useEffect(() => saveDraft(place, form), [place, form])

  /** It is on disk as a recording, or recorded: empty for the next one, unless something was typed meanwhile. */
  const clear = (recorded: JunctionForm) => setForm((now) => (now === recorded ? emptyJunctionForm : now))
  /** It was not recorded: it is to be corrected, unless something else was typed meanwhile. */
  const restore = (recorded: JunctionForm) => setForm((now) => (now === emptyJunctionForm ? recorded : now))

  return { form, setForm, clear, restore }
}
