import { useEffect, useEffectEvent, useRef } from 'react'

/** A dialog that has just opened answers to no key: it may belong to the scan that opened it. */
const DEAF_MS = 400
/** A scanner that is as slow as a hand is no burst: the Enter after its last character still may not answer. */
const SUFFIX_MS = 300

/** Keeps a scanner from answering the dialog. */
export function useDeafDialog(isDialogOpen: boolean): void {
  const openedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (isDialogOpen) openedAt.current = performance.now()
  }, [isDialogOpen])
  const isOpen = useEffectEvent(() => isDialogOpen)
  useEffect(() => {
    let characterAt = Number.NEGATIVE_INFINITY
    const note = ({ key, timeStamp }: KeyboardEvent) => {
      if (key.length === 1 && key !== ' ') characterAt = timeStamp
    }
    const block = (event: KeyboardEvent) => {
      if (!isOpen() || (event.key !== 'Enter' && event.key !== ' ')) return
      const isStray = event.timeStamp - openedAt.current < DEAF_MS || event.timeStamp - characterAt < SUFFIX_MS
      if (!isStray) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', note, { capture: true })
    document.addEventListener('keydown', block, { capture: true })
    return () => {
      window.removeEventListener('keydown', note, { capture: true })
      document.removeEventListener('keydown', block, { capture: true })
    }
  }, [])
}
