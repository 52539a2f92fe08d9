import type { Locator, Page } from '@playwright/test'
import { expect } from './journey.ts'

export const CHARTS = '/pages/analise-graficos'
export const UNIT = 'MA-0006'
export const unavailable = {
  status: 503,
  json: { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' },
}

export const filterDialog = (page: Page, title = 'Selecionar Mini Aplicador'): Locator =>
  page.getByRole('dialog', { name: title, exact: true })
export const chart = (page: Page, title: string | RegExp): Locator => page.getByRole('img', { name: title })

export async function openFilters(page: Page, title?: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Selecionar Filtros' }).click()
  const dialog = filterDialog(page, title)
  await expect(dialog.getByRole('button', { name: /^Selecionar este/ }).first()).toBeVisible()
  return dialog
}

/** Both charts of it are drawn. */
export async function choose(page: Page, name: string, title?: string): Promise<void> {
  const dialog = await openFilters(page, title)
  await dialog.getByRole('textbox', { name: /^Filtrar/ }).fill(name)
  await dialog.getByRole('button', { name: new RegExp(`: ${name}$`) }).click()
  await expect(dialog).toBeHidden()
  await drawn(page)
}

/** Both charts are drawn. */
export const drawn = (page: Page): Promise<void> => expect(chart(page, /\. Gráfico de /)).toHaveCount(2)
