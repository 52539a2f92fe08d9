import type { Page } from '@playwright/test'

/**
 * What a screen reader would say of changes from now on: text that comes into a live region which was there before it,
 * and which no dialog hides. Resolves to what to ask it by; each text is told once.
 */
export async function listenToChanges(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`window.said = []
    new MutationObserver((changes) => {
      const regions = new Set(changes.map(({ target }) =>
        (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest('[role=status],[role=alert],[aria-live]')))
      for (const region of regions) {
        const text = region?.closest('[aria-hidden=true],[inert]') ? '' : region?.textContent
        if (text) window.said.push(text)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })`)
  return async () => (await page.evaluate('window.said.splice(0)')) as string[]
}
