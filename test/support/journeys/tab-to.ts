import type { Locator, Page } from '@playwright/test'

const STEPS_MAX = 60

type Role = 'button' | 'link' | 'textbox' | 'radio' | 'combobox' | 'switch'

/** Walks with Tab until the wanted thing has the focus: what cannot be reached fails. */
export async function tabTo(page: Page, wanted: string | RegExp | Locator, role: Role = 'button') {
  const isNamed = typeof wanted === 'string' || wanted instanceof RegExp
  const target = isNamed ? page.getByRole(role, { name: wanted }) : wanted
  await target.first().waitFor()
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

/** Walks there and writes over what is in the box. */
export async function typeAt(page: Page, box: Locator, text: string) {
  await tabTo(page, box)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Walks there and presses Enter. */
export async function enterAt(page: Page, wanted: string | RegExp | Locator, role?: Role) {
  await tabTo(page, wanted, role)
  await page.keyboard.press('Enter')
}
