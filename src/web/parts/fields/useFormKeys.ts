import { useWindowEvent } from '../../ui/useWindowEvent.ts'

/** Escape goes back to the list unless a dialog is open. */
export function useFormKeys({ isDialogOpen, onLeave }: { isDialogOpen: boolean; onLeave: () => void }): void {
  const hear = ({ key }: KeyboardEvent) => key === 'Escape' && !isDialogOpen && onLeave()
  // Before the dialog hears Escape: once it has closed, this would leave the screen as well.
  useWindowEvent('keydown', hear, { capture: true })
}
