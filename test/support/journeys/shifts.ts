import type { Page } from '@playwright/test'
import { STEP_MS } from '../slowness.ts'

/** An answer to a press has come by then, also with three browsers on two cores: 2.8 s were seen. */
const ANSWER_MS_MAX = 2 * STEP_MS
/** Before each line that a page says of a shift. */
const MARK = 'layout shift: '

/**
 * Runs in each page but a sheet for paper, which is read as it comes; before anything else, also after each reload. Said at once:
 * with a page that was closed or reloaded, whatever it had kept would be lost. A first visit gets its font after its first screen,
 * and moves then (decision 019).
 */
const watching = `(() => {
  if (location.pathname.startsWith('/api/')) return
  const { debug } = console
  let pressedAt = -Infinity
  let fontAt = -Infinity
  for (const type of ['keydown', 'pointerdown', 'click', 'input', 'drop', 'resize'])
    addEventListener(type, ({ timeStamp }) => { pressedAt = timeStamp }, { capture: true, passive: true })
  document.fonts.addEventListener('loadingdone', ({ timeStamp }) => { fontAt = timeStamp })
  const nameOf = (node) =>
    node ? (node.getAttribute?.('aria-label') || node.textContent || node.nodeName).trim().slice(0, 40) : 'gone'
  const rectOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(',')
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value, sources } of list.getEntries()) {
      // a notice that goes leaves the others where they are: the box around them ends lower. The mark of the first screen, while
      // its page is still being read, is a drawing. And the line of readings makes room for the item's name on scrolling
      const isNoTarget = ({ node }) =>
        (node?.matches ? node : node?.parentElement)?.closest('[aria-label=Avisos], #root > div:has(> svg) > *, [aria-label=Leitura]') ||
        node?.matches?.('svg:has(+ [aria-label=Leitura])')
      // in the header's corner a word comes on the left of what stays where it was: what a finger aimed at is still under it
      const isWider = ({ previousRect, currentRect }) =>
        ['y', 'height', 'right'].every((edge) => Math.abs(previousRect[edge] - currentRect[edge]) < 1)
      if (sources.length > 0 && sources.every((source) => isNoTarget(source) || isWider(source))) continue
      if (hadRecentInput || startTime - pressedAt < ${ANSWER_MS_MAX}) continue
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        nameOf(node) + ' ' + rectOf(previousRect) + ' to ' + rectOf(currentRect))
      const shift = '${MARK}' + location.pathname + ' ' + value.toFixed(4) + ' ' + moved.join(' | ')
      // a slow machine draws with the font before it says that the font has come
      document.fonts.ready.then(() => {
        if (Math.abs(startTime - fontAt) >= ${STEP_MS}) debug(shift)
      })
    }
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/**
 * Hears of what moves in a page from now on though nobody has pressed anything (Layout Instability). An answer to a press may
 * come later than the 500 ms of `hadRecentInput` on a slow machine.
 */
export async function watchShifts(page: Page, onShift: (shift: string) => void): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'debug' && message.text().startsWith(MARK)) onShift(message.text())
  })
  await page.addInitScript(watching)
}
