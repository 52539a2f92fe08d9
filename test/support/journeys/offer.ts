import type { Locator, Page } from '@playwright/test'

/** What Chromium does where it can install; the tests run it without the means to. As text: it belongs to the page. */
export const offer = `(() => {
  const event = new Event('beforeinstallprompt', { cancelable: true })
  event.prompt = async () => {
    window.asked = (window.asked ?? 0) + 1
    return { outcome: window.outcome ?? 'accepted' }
  }
  window.dispatchEvent(event)
  return event.defaultPrevented
})()`

export const banner = (page: Page): Locator => page.getByRole('region', { name: 'Instalação do aplicativo' })
