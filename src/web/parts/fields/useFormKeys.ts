import { useEffect, useEffectEvent } from 'react'

/** Escape goes back to the list unless a dialog is open. */
export function useFormKeys({ isDialogOpen, onLeave }: { isDialogOpen: boolean; onLeave: () => void }): void {
  const onEscape = useEffectEvent(() => {
    if (!isDialogOpen) onLeave()
  })
  useEffect(() => {
    const hear = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onEscape()
    }
    // Before the dialog hears Escape: once it has closed, this would leave the screen as well.
    window.addEventListener('keydown', hear, { capture: true })
    return () => window.removeEventListener('keydown', hear, { capture: true })
  }, [])
}
