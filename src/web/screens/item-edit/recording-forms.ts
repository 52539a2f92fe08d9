import { useEffect, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { carriedCable, carriedSide, freshForms, type RecordingForms } from '../../../domain/recording-form.ts'
import { readTyped, saveDraft } from '../../recording/drafts.ts'
import type { RecordedHere } from '../../recording/outbox.ts'

type Parts = Partial<RecordingForms>

export type FormChange = <P extends Part>(part: P, change: (form: RecordingForms[P]) => RecordingForms[P]) => void

/**
 * What stands in the three forms of an item: what was typed (kept on the device until it is recorded), else what the
 * last recording left for the next one, else the item's defaults.
 */
export function useRecordingForms(item: CutItem, recorded: readonly RecordedHere[]) {
  const [typed, setTyped] = useState<Parts>(() => readTyped(item, recorded))
  const [carried, setCarried] = useState<Parts>({})
  const forms: RecordingForms = { ...freshForms(item), ...carried, ...typed }

  useEffect(() => saveDraft(item, typed), [item, typed])

  const change: FormChange = (part, apply) =>
    setTyped((before) => ({ ...before, [part]: apply(before[part] ?? forms[part]) }))

  /**
   * The part is on disk as a recording: shown until its fate is known, but no draft any more. What was typed while it was
   * being written is the next one's, and a draft again.
   */
  const release = (part: Part, recorded: RecordingForms) => {
    setTyped((before) => {
      const { [part]: typedNow, ...rest } = before
      return typedNow === recorded[part] ? rest : { ...before }
    })
    setCarried((before) => ({ ...before, [part]: recorded[part] }))
  }

  /** The part was recorded as it stood in `recorded`. What was typed meanwhile is for the next one. */
  const carryOver = (part: Part, recorded: RecordingForms) => {
    const next = part === 'cabo' ? carriedCable(recorded.cabo) : carriedSide(recorded[part])
    setCarried((before) => ({ ...before, [part]: next }))
  }

  /** The part was not recorded: it is to be corrected, unless that has begun. */
  const restore = (part: Part, recorded: RecordingForms) => {
    setTyped((before) => ({ [part]: recorded[part], ...before }))
  }

  return { forms, change, release, carryOver, restore }
}
