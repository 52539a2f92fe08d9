import type { Locator, Page } from '@playwright/test'
import { sampleBlockedLot } from '../../../demo/simulator/sample-catalogue.ts'
import { SAVED_HERE } from './cable.ts'
import { expect, ORDER, pick, readingLine, section } from './journey.ts'

/** Junctions, as far as journeys share them. */

export const SEARCH = '/pages/juncoes'
export const details = (position: string): string =>
  `/pages/juncoes/detalhes/010101/${ORDER}/${encodeURIComponent(position)}`
export const READ_JUNCTION = '**/api/juncao/obter-detalhes?*'
export const RECORD_JUNCTION = '**/api/juncao/registrar-apontamento'

export async function logInAt(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(new RegExp(`${address.split('/').at(-1)}$`))
}

export async function searchOrder(page: Page, order = ORDER): Promise<void> {
  await page.getByLabel('Ordem de produção').fill(order)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText(`Última pesquisa: ${order} (Ordem de produção) - Filial: Unidade 1`)).toBeVisible()
}

export const arrow = (page: Page, position: string): Locator =>
  page.getByRole('button', { name: `Detalhes da junção ${position}`, exact: true })
export const form = (page: Page): Locator => section(page, 'Apontamento de junção')
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true })

/** Of a position with terminals. */
export async function fillJunction(page: Page, pieces: number, lot = 'L261118004'): Promise<void> {
  await form(page).getByLabel('Lote').fill(lot)
  await form(page).getByLabel('Força (N)').fill('92,5')
  await form(page).getByLabel('Altura (mm)').fill('1,12')
  await form(page).getByLabel('Estanqueidade').selectOption('Sim')
  await pick(page, 'Selecionar máquina', 'Selecionar Máquina - Junção', /(US|SP)0001/)
  await form(page).getByLabel('Quantidade de peças').fill(String(pieces))
}

export const register = (page: Page): Locator => form(page).getByRole('button', { name: 'Registrar' })

/** What this device took for the ERP, which refused it afterwards, opened in Pendências. */
export async function leaveRefused(page: Page): Promise<void> {
  await fillJunction(page, 12, sampleBlockedLot)
  await page.context().setOffline(true)
  await register(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Pendências: 1 exige ação' }).click()
}
