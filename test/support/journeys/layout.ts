import type { Page } from '@playwright/test'

/** Desk, wall, tablet on its side and upright, phone. */
export const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 800, height: 1280 },
  { width: 390, height: 844 },
] as const

/** In percent, as 'Configurações' offers them. */
export const textSizes = ['100', '115', '130'] as const
export type TextSize = (typeof textSizes)[number]

/**
 * What does not fit: the page itself when it can be pushed sideways, and any text that its own box cuts off. What ends in
 * an ellipsis says the rest in its tooltip, and what scrolls in its frame is not cut.
 */
const misfitsHere = `() => {
  const found = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > window.innerWidth) found.push('the page is ' + scrollWidth + ' px wide')
  for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element)
    if (style.overflowX !== 'hidden' && style.overflowX !== 'clip') continue
    if (style.clip !== 'auto' || style.clipPath !== 'none' || element.closest('svg, [title], .sr-only')) continue
    if (element.scrollWidth > element.clientWidth + 1 && element.textContent.trim() !== '') {
      found.push('cut: ' + element.textContent.trim().slice(0, 60))
    }
  }
  for (const button of document.querySelectorAll('button, a[href]')) {
    const box = button.getBoundingClientRect()
    const isShown = box.width > 1 && box.height > 1 && !button.closest('[class*=overflow-x-auto], [class*=overflow-auto]')
    if (isShown && (box.left < -1 || box.right > window.innerWidth + 1)) {
      found.push('out of sight: ' + (button.textContent.trim() || button.getAttribute('aria-label')))
    }
  }
  return found
}`

const LOOKS_MAX = 30

/** Shows the page with text of these sizes, one after the other, and says what does not fit then; the last one stays. */
export const misfitsOf = (page: Page, shown: readonly TextSize[]): Promise<string[]> =>
  page.evaluate<string[]>(`(async () => {
    const misfitsHere = ${misfitsHere}
    const found = []
    for (const size of ${JSON.stringify(shown)}) {
      document.documentElement.dataset.text = size
      // A window that has just changed its size draws once before the sidebar follows, and a chart after its box: on a loaded
      // machine some frames later. Only what stays does not fit.
      let misfits
      for (let look = 0; look < ${LOOKS_MAX}; look++) {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        misfits = misfitsHere()
        if (misfits.length === 0) break
      }
      found.push(...misfits.map((misfit) => 'text ' + size + ' %: ' + misfit))
    }
    return found
  })()`)
