import type { Page } from '@playwright/test'
import { fillSide1, registerIn } from './cable.ts'
import { expect, openItemOfOrder, section, toast } from './journey.ts'
import { dialogOf, forces, heights, openMeasuring } from './measuring.ts'

/** Suspect pieces, as far as journeys share them. */

/** Printed by nobody in headless Chromium: what would have been printed is told to the page. */
export const keepPrinted = (page: Page): Promise<unknown> =>
  page.addInitScript(`window.print = () => { (window.top.printed ??= []).push(document.body.innerText) }`)

export const printed = (page: Page): Promise<string[]> => page.evaluate<string[]>('window.printed ?? []')

/** Three pieces of side 1, still to be saved. */
export async function fillReadings(page: Page, height: string): Promise<void> {
  const dialog = await openMeasuring(page)
  for (const nth of [1, 2, 3]) {
    await heights(dialog).getByLabel(`Leitura ${nth}`).fill(height)
    await forces(dialog).getByLabel(`Leitura ${nth}`).fill('92')
  }
  // what a last box says once it was left
  await forces(dialog).getByLabel('Leitura 1').focus()
}

export const measureGood = async (page: Page): Promise<void> => {
  await fillReadings(page, '1,1')
  await dialogOf(page).getByRole('button', { name: 'Salvar medição' }).click()
  await expect(dialogOf(page)).toBeHidden()
}

/** Up to the tap that saves it. */
export async function fillBad(page: Page): Promise<void> {
  await fillReadings(page, '1,17')
  await dialogOf(page).getByText('Parei e chamei a qualidade').click()
}

/** Side 1 was good, so many pieces were made of it, and now its height is out: at the toast. */
export async function measureBad(page: Page, pieces = 30): Promise<void> {
  await openItemOfOrder(page)
  await fillSide1(page)
  await measureGood(page)
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', pieces)
  await fillBad(page)
  await dialogOf(page).getByRole('button', { name: 'Salvar medição fora' }).click()
}

/** As quality opens it from the toast. */
export async function openFromToast(page: Page): Promise<void> {
  await toast(page).getByRole('button', { name: 'Ver peças suspeitas' }).click()
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await expect(page.getByRole('heading', { name: /^Contenção C-\d{6}$/ })).toBeVisible()
}
