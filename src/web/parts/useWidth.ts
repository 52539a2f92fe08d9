import { type RefObject, useLayoutEffect, useState } from 'react'

/** Size of a chart's text: 13 px where a rem has 16. */
export const PX_OF_REM = 0.8125

/** Width of an element, in whole pixels, and its text size; both again when they change. */
export function useWidth(element: RefObject<HTMLElement | null>): { width: number; fontPx: number } {
  const [size, setSize] = useState({ width: 0, fontPx: 13 })
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const now = { width: Math.floor(shown.clientWidth), fontPx: PX_OF_REM * rem }
      // the observer begins by a notice of what was just measured, and has one of each change of the height
      setSize((before) => (before.width === now.width && before.fontPx === now.fontPx ? before : now))
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(shown)
    return () => sizes.disconnect()
  }, [element])
  return size
}
