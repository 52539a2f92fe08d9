/**
 * Keeps the place of whoever works by keyboard. When the element that has the focus goes - a row that was decided, a banner
 * that was dismissed, a button that has nothing left to do - the browser lets the focus fall to the page, and the next Tab
 * begins anew at its top or in the notices at its end.
 */

/** Gives a dialog, which knows better where the focus belongs, the time to move it first. */
const SETTLED_MS = 100

/** The element and what is around it, from the inside out. */
const withAncestors = (element: Element | null): Element[] =>
  element ? [element, ...withAncestors(element.parentElement)] : []

export function keepFocus(): void {
  /** A finger has its place on the glass, and a box that took the focus by itself would bring the keyboard up over it. */
  let isByKeyboard = false
  let focused: readonly Element[] = []
  /** Focused elements of the screen, to which whatever lies over it gives the focus back. */
  let focusedOnScreen: readonly Element[] = []
  const isGone = () => focused[0] !== undefined && (!focused[0].isConnected || focused[0].matches(':disabled'))
  /** To the nearest thing that is still there and takes the focus. */
  const giveBack = () => {
    if (!isGone()) return
    const places = [...focused, ...focusedOnScreen]
    focused = []
    if (!isByKeyboard) return
    for (const element of places) {
      if (document.activeElement !== document.body) return
      if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
    }
  }
  const hear = ({ type }: Event) => {
    isByKeyboard = type === 'keydown'
  }
  document.addEventListener('keydown', hear, { capture: true })
  document.addEventListener('pointerdown', hear, { capture: true })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    focused = withAncestors(target)
    if (target.closest('main')) focusedOnScreen = focused
  })
  const observer = new MutationObserver(() => {
    if (isGone()) setTimeout(giveBack, SETTLED_MS)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
