import { useEffect, useEffectEvent, useRef } from 'react'

/** A dialog that has just opened answers to no key: it may belong to the scan that opened it. */
const DEAF_MS = 400

/** Keeps a scanner from answering the dialog that it opened. */
export function useDeafDialog(isDialogOpen: boolean): void {
  const openedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (isDialogOpen) openedAt.current = performance.now()
  }, [isDialogOpen])
  const isDeaf = useEffectEvent((at: number) => isDialogOpen && at - openedAt.current < DEAF_MS)
  useEffect(() => {
    const block = (event: KeyboardEvent) => {
      if ((event.key !== 'Enter' && event.key !== ' ') || !isDeaf(event.timeStamp)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    document.addEventListener('keydown', block, { capture: true })
    return () => document.removeEventListener('keydown', block, { capture: true })
  }, [])
}
