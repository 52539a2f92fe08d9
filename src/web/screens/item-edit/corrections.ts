import type { CutItem, Part } from '../../../contract/items.ts'
import { type CorrectedForm, correctCable, correctSide, type RecordingForms } from '../../../domain/recording-form.ts'
import { showToast } from '../../device/toasts.ts'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import type { FormChange } from './recording-forms.ts'

type Typed = { item: CutItem; forms: RecordingForms; change: FormChange }

/** Brings what was typed within its bounds, with a warning. */
export function useCorrections({ item, forms, change }: Typed) {
  const correctInto = <P extends Part>(part: P, { form, warnings }: CorrectedForm<RecordingForms[P]>): boolean => {
    if (JSON.stringify(form) !== JSON.stringify(forms[part])) change(part, () => form)
    for (const text of warnings) showToast({ kind: 'warning', text })
    return warnings.length > 0
  }
  return useSeenCorrection((part: Part) =>
    part === 'cabo'
      ? correctInto(part, correctCable(forms.cabo, item, part))
      : correctInto(part, correctSide(forms[part], item, part)),
  )
}
