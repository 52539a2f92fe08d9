import { useRef } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { type CorrectedForm, correctCable, correctSide, type RecordingForms } from '../../../domain/recording-form.ts'
import { showToast } from '../../device/toasts.ts'
import type { FormChange } from './recording-forms.ts'

type Typed = { item: CutItem; forms: RecordingForms; change: FormChange }

/** Brings what was typed within its bounds, with a warning, and knows whether the operator has seen it. */
export function useCorrections({ item, forms, change }: Typed) {
  const correctedInPress = useRef(false)

  const correctInto = <P extends Part>(part: P, { form, warnings }: CorrectedForm<RecordingForms[P]>): boolean => {
    if (JSON.stringify(form) !== JSON.stringify(forms[part])) change(part, () => form)
    for (const text of warnings) showToast({ kind: 'warning', text })
    return warnings.length > 0
  }
  const correct = (part: Part): boolean =>
    part === 'cabo'
      ? correctInto(part, correctCable(forms.cabo, item, part))
      : correctInto(part, correctSide(forms[part], item, part))

  return {
    onLeaveField: (part: Part) => {
      if (correct(part)) correctedInPress.current = true
    },
    /** Before the press takes the focus from a field: what was corrected earlier has been seen. */
    onPressStart: () => {
      correctedInPress.current = false
    },
    /** False when this very press corrected something: the next one registers it. */
    isSeen: (part: Part): boolean => {
      const isUnseen = correctedInPress.current || correct(part)
      correctedInPress.current = false
      return !isUnseen
    },
  }
}
