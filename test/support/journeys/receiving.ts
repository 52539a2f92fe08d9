import type { Locator, Page } from '@playwright/test'
import { expect, ORDER } from './journey.ts'

/** Receiving cut items by scanner, as far as journeys share it. */

export const RECEIPTS = '**/api/conferencia-corte/recebimentos'

export const box = (page: Page): Locator => page.getByLabel('Código de barras')
export const row = (page: Page, item: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: item, exact: true }) })
export const progress = (page: Page): Locator =>
  page
    .locator('div')
    .filter({ hasText: /^\d+ de \d+ recebidos$/ })
    .last()

export async function logInAtCheck(page: Page): Promise<void> {
  await page.goto('/pages/conferencia-corte')
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Conferência de Corte' })).toBeVisible()
}

/** With the list of an order on screen and the cursor where the scanner types. */
export async function openCheck(page: Page, order = ORDER): Promise<void> {
  await logInAtCheck(page)
  await page.getByLabel('Ordem de produção').fill(order)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText(/^\d+ de \d+ recebidos$/)).toBeVisible()
  await expect(box(page)).toBeFocused()
}

/** `wire`: what the question names of it, item first. */
export async function expectQuestion(page: Page, wire: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: 'Confirmar Recebimento' })
  await expect(dialog).toContainText(`Deseja confirmar o recebimento do Item ${wire}`)
}

export async function answer(page: Page, text: 'Sim' | 'Não'): Promise<void> {
  await page.getByRole('button', { name: text, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
}
