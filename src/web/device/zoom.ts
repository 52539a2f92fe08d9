/**
 * Keeps the page at 100 %: a panel that somebody has zoomed by accident, with gloves on, cannot be used. Who needs larger
 * text chooses it in 'Configurações'. A page can stop keys, wheel and pinch, and undo the pinch of a touch screen.
 */

export const CHECK_MS = 1000
const TURNED_MS = 100
export const TOLERANCE = 0.01

const keys = ['+', '-', '0', '=', '_']

const viewport = () => document.querySelector<HTMLMetaElement>('meta[name="viewport"]')

/** A limit that holds for a moment brings the page back; one that stayed would also forbid it to assistive tools. */
function resetScale(): void {
  const meta = viewport()
  const scale = window.visualViewport?.scale ?? 1
  if (!meta || Math.abs(scale - 1) <= TOLERANCE) return
  const { content } = meta
  meta.content = `${content}, maximum-scale=1`
  requestAnimationFrame(() => {
    meta.content = content
  })
}

export function lockZoom(): void {
  const stop = (event: Event) => event.preventDefault()
  window.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && keys.includes(event.key)) event.preventDefault()
  })
  window.addEventListener('wheel', (event) => event.ctrlKey && event.preventDefault(), { passive: false })
  window.addEventListener('touchmove', (event) => event.touches.length > 1 && event.preventDefault(), {
    passive: false,
  })
  // Safari's own names for a pinch
  for (const name of ['gesturestart', 'gesturechange']) window.addEventListener(name, stop, { passive: false })
  window.addEventListener('orientationchange', () => setTimeout(resetScale, TURNED_MS))
  setInterval(resetScale, CHECK_MS)
  resetScale()
}
