/**
 * Keeps the place of whoever works by keyboard. When the element that has the focus goes - a row that was decided, a banner
 * that was dismissed, a button that has nothing left to do - the browser lets the focus fall to the page, and the next Tab
 * begins anew at its top or in the notices at its end.
 */

/** Whoever knows better where the focus belongs, as a dialog does, comes first. */
const SETTLED_MS = 100

/** A finger has its place on the glass, and a box that took the focus by itself would bring the keyboard up over it. */
let isByKeyboard = false

/** The element that had the focus and what is around it, from the inside out. */
let held: readonly Element[] = []
/** The same on the screen itself: what lay over it gives the focus back. */
let heldOnScreen: readonly Element[] = []

function withAncestors(element: Element): Element[] {
  const path: Element[] = []
  for (let one: Element | null = element; one; one = one.parentElement) path.push(one)
  return path
}

function note({ target }: FocusEvent): void {
  if (!(target instanceof Element)) return
  held = withAncestors(target)
  if (target.closest('main')) heldOnScreen = held
}

const isGone = (): boolean => {
  const [last] = held
  return last !== undefined && (!last.isConnected || last.matches(':disabled'))
}

/** To the nearest thing that is still there and takes the focus. */
function giveBack(): void {
  if (!isGone()) return
  const places = [...held, ...heldOnScreen]
  held = []
  if (!isByKeyboard) return
  for (const element of places) {
    if (document.activeElement !== document.body) return
    if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
  }
}

export function keepFocus(): void {
  const hear = ({ type }: Event) => {
    isByKeyboard = type === 'keydown'
  }
  document.addEventListener('keydown', hear, { capture: true })
  document.addEventListener('pointerdown', hear, { capture: true })
  document.addEventListener('focusin', note)
  const observer = new MutationObserver(() => {
    if (isGone()) setTimeout(giveBack, SETTLED_MS)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
