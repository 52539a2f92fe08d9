import type { Page } from '@playwright/test'

/** Runs in the page before anything else, also after each reload. */
const watching = `(() => {
  const pressable = 'button, a[href], input, select, [role=button]'
  const keys = { at: -1000 }
  const taps = { at: -1000 }
  addEventListener('keydown', ({ timeStamp }) => { keys.at = timeStamp }, true)
  addEventListener('pointerdown', ({ timeStamp }) => { taps.at = timeStamp }, true)
  window.moved = []
  const nameOf = (node) =>
    (node.getAttribute?.('aria-label') || node.textContent || node.parentElement?.textContent || node.nodeName).trim().slice(0, 60)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const isOfKey = entry.hadRecentInput && keys.at > taps.at && entry.startTime - keys.at < 500
      const moved = entry.sources.filter(({ node, previousRect, currentRect }) =>
        node && previousRect.height > 0 && currentRect.height > 0 &&
        (!entry.hadRecentInput || (isOfKey && node.nodeType === 1 && (node.matches(pressable) || node.querySelector(pressable)))))
      if (!entry.hadRecentInput || (isOfKey && moved.length > 0))
        window.moved.push((entry.hadRecentInput ? 'after a key: ' : '') +
          location.pathname + ' ' + entry.value.toFixed(4) + ' ' + moved.map(({ node }) => nameOf(node)).join(' | '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** Notes from now on what moves under a finger: without any input, and of what can be pressed within 500 ms of a key. */
export const watchMoves = (page: Page): Promise<unknown> => page.addInitScript(watching)

/** Since the page was loaded. */
export const movedOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(window.moved))))')
