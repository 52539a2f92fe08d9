import { Filter } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { icon } from '../ui/icon-sizes.ts'
import { TextField, type TextFieldProps, takeFocus } from '../ui/TextField.tsx'
import { useWindowEvent } from '../ui/useWindowEvent.ts'

const elsewhere = 'input:not([type=radio], [type=checkbox]), textarea, select, [role=dialog], [role=alertdialog]'

/** `/` puts the cursor into the screen's first filter, unless somebody is typing or a dialog is open. */
export function useFilterKey(box: RefObject<HTMLInputElement | null>): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest(elsewhere)) return
    event.preventDefault()
    takeFocus(box.current)
  })
}

/** Where a person types what a list is to be narrowed to. */
export function FilterField(props: TextFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  useFilterKey(box)
  return <TextField {...props} leading={<Filter {...icon.md} />} inputRef={box} />
}
