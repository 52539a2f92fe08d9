import type { Page } from '@playwright/test'

const STEPS_MAX = 60

/** Walks with Tab until the wanted thing has the focus: what cannot be reached fails. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  role: 'button' | 'link' | 'textbox' | 'radio' | 'combobox' = 'button',
) {
  const wanted = page.getByRole(role, { name })
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}
