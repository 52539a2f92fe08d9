import type { Page } from '@playwright/test'
import type { Panel } from '../panel.ts'
import { queryPanel } from './journey.ts'

/** Throwing pieces away, and what became of it. */

export const THROW_AWAY = '**/api/refugos'

export const scrapButton = (page: Page, where: string) => page.getByRole('button', { name: `Refugo: ${where}` })

export const scrapDialog = (page: Page) => page.getByRole('dialog', { name: /^Refugo - / })

/** Three taps and the number; `words` where the reason asks for some. */
export async function saveScrap(
  page: Page,
  reason: string,
  pieces: number,
  { where = 'lado 1', words = '' } = {},
): Promise<void> {
  await scrapButton(page, where).click()
  const dialog = scrapDialog(page)
  await dialog.getByRole('button', { name: reason, exact: true }).click()
  if (words) {
    await dialog.getByLabel('Qual?').fill(words)
    await dialog.getByLabel('Peças').fill(String(pieces))
  } else await page.keyboard.type(String(pieces))
  await dialog.getByRole('button', { name: 'Salvar' }).click()
}

type StoredScrap = { reason_code: string; note: string; pieces: number; undone: number }

/** Scrap that the page has saved: the demonstration has other. */
export const scrapsAtServer = (panel: Panel): StoredScrap[] =>
  queryPanel(
    panel,
    `select reason_code, note, pieces, undone_at is not null as undone from scraps
     where id not like '00000000-0000-4000-8000-5c%' order by recorded_at`,
  )
