import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { plantDay } from '../../../src/domain/plant/plant-time.ts'
import { logIn, section } from './journey.ts'

export const ADDRESS = '/pages/controle-crimpagens'
export const CHANGED = 'Registro alterado por outra pessoa. Recarregue.'
export const LIST = /\/api\/crimpagens(\?|$)/

export const open = async (page: Page, address = ADDRESS) => {
  await logIn(page, 'operador', address)
}
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })
export const rowOf = (page: Page, unit: string): Locator => page.getByRole('row').filter({ hasText: unit })
export const filterBox = (page: Page): Locator => page.getByLabel('Filtrar por mini aplicador')
export const pencil = (page: Page, unit: string): Locator =>
  page.getByRole('button', { name: `Alterar limite de ${unit}` })
export const limitBox = (page: Page, unit: string): Locator => page.getByLabel(`Novo limite de ${unit}`)
export const details = (page: Page): Locator => section(page, 'Detalhes Agendamento')
export const choice = (page: Page, unit: string): Locator => page.getByRole('button', { name: unit, exact: true })
export const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Zerar crimpagens' })
export const failing = (message = 'Banco de dados indisponível. Tente novamente em instantes.') => ({
  status: 503,
  json: { message, code: 'store_unavailable' },
})
/** So that only the server can say that somebody else was quicker. */
export const withoutLive = (page: Page) =>
  page.route('**/api/eventos', (route) => route.fulfill({ contentType: 'text/event-stream', body: ':\n\n' }))

export async function downloadOf(page: Page): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'EXPORTAR ARQUIVO' }).click()
  const file = await started
  return { name: file.suggestedFilename(), text: (await readFile(await file.path())).toString() }
}
export const today = () => plantDay(Date.now(), 'America/Sao_Paulo')
