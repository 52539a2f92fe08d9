import { useEffect, useEffectEvent } from 'react'
import { KEY_GAP_MS_MAX } from './scanner.ts'

/**
 * Escape goes back to the list unless a dialog is open. The Enter at the end of a scan presses no button: a lot
 * scanned while the focus is still on 'Registrar' would register once more.
 */
export function useFormKeys({ isDialogOpen, onLeave }: { isDialogOpen: boolean; onLeave: () => void }): void {
  const onEscape = useEffectEvent(() => {
    if (!isDialogOpen) onLeave()
  })
  useEffect(() => {
    let characterAt = Number.NEGATIVE_INFINITY
    const hear = (event: KeyboardEvent) => {
      const isInText = event.target instanceof HTMLInputElement
      if (event.key === 'Escape') onEscape()
      else if (event.key.length === 1 && event.key !== ' ') characterAt = event.timeStamp
      else if (!isInText && event.key !== 'Shift' && event.timeStamp - characterAt <= KEY_GAP_MS_MAX) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    // Before the dialog hears Escape: once it has closed, this would leave the screen as well.
    window.addEventListener('keydown', hear, { capture: true })
    return () => window.removeEventListener('keydown', hear, { capture: true })
  }, [])
}
