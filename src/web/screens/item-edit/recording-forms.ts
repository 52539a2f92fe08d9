import { useEffect, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { carriedCable, carriedSide, freshForms, type RecordingForms } from '../../../domain/recording-form.ts'
import { clearTyped, readTyped, restoreTyped, saveTyped } from '../../recording/drafts.ts'
import { itemDraft } from '../../recording/kinds.ts'
import { type RecordedHere, recordedAt } from '../../recording/queue.ts'

type Parts = Partial<RecordingForms>

export type FormChange = <P extends Part>(part: P, change: (form: RecordingForms[P]) => RecordingForms[P]) => void

/**
 * What stands in the three forms of an item: what was typed (kept on the device until it is recorded), else what the
 * last recording left for the next one, else the item's defaults.
 */
export function useRecordingForms(item: CutItem, recorded: readonly RecordedHere[]) {
  const place = { branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR }
  const key = itemDraft.keyOf(place)
  const [typed, setTyped] = useState<Parts>(() =>
    readTyped(key, (part) => recordedAt(recorded, { ...place, part: part as Part })),
  )
  const [carried, setCarried] = useState<Parts>({})
  const forms: RecordingForms = { ...freshForms(item), ...carried, ...typed }

  useEffect(() => saveTyped(key, typed, item), [key, item, typed])

  const change: FormChange = (part, apply) =>
    setTyped((before) => ({ ...before, [part]: apply(before[part] ?? forms[part]) }))

  /** What a press on 'Registrar' makes of the forms as they stand now. */
  const stepsOf = (part: Part) => ({
    section: part,
    /** Shown until its outcome is known, but no draft any more. What was typed meanwhile is the next one's, and a draft. */
    onKept: () => {
      clearTyped(key, part)
      setTyped((before) => {
        const { [part]: typedNow, ...rest } = before
        return typedNow === forms[part] ? rest : { ...before }
      })
      setCarried((before) => ({ ...before, [part]: forms[part] }))
    },
    onRecorded: () => {
      const next = part === 'cabo' ? carriedCable(forms.cabo) : carriedSide(forms[part])
      setCarried((before) => ({ ...before, [part]: next }))
    },
    /** It is to be corrected, unless that has begun. */
    onNotRecorded: () => {
      restoreTyped(key, { [part]: forms[part] }, item)
      setTyped((before) => ({ [part]: forms[part], ...before }))
    },
  })

  return { forms, change, stepsOf }
}
