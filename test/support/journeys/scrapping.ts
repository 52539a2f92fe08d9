import type { Locator, Page } from '@playwright/test'
import type { Panel } from '../panel.ts'
import { changePanel, queryPanel } from './journey.ts'

/** Throwing pieces away, and what became of it. */

export const THROW_AWAY = '**/api/refugos'

export const scrapButton = (page: Page, where: string) => page.getByRole('button', { name: `Refugo: ${where}` })

export const scrapDialog = (page: Page) => page.getByRole('dialog', { name: /^Refugo - / })

/** Three taps and the number; `words` where the reason asks for some, after a tap that shows it unless it is the only one. */
export async function saveScrap(
  page: Page,
  reason: string,
  pieces: number,
  { where = 'lado 1', words = '', isOnly = false } = {},
): Promise<void> {
  await scrapButton(page, where).click()
  const dialog = scrapDialog(page)
  // none of the usual ones asks for words
  if (words && !isOnly) await dialog.getByRole('button', { name: 'Todos os motivos' }).click()
  await dialog.getByRole('button', { name: reason, exact: true }).click()
  if (words) {
    await dialog.getByLabel('Qual?').fill(words)
    await dialog.getByLabel('Peças').fill(String(pieces))
  } else await page.keyboard.type(String(pieces))
  await dialog.getByRole('button', { name: 'Salvar' }).click()
}

/** Opens the list of what was thrown away today in a section, which says so in these words. */
export async function openToday(page: Page, text: string): Promise<Locator> {
  await page.getByRole('button', { name: `Refugo hoje: ${text}` }).click()
  return page.getByRole('dialog', { name: 'Refugo de hoje' })
}

export const undoOf = (list: Locator, reason: string) =>
  list.getByRole('listitem').filter({ hasText: reason }).getByRole('button', { name: 'Desfazer' })

/** Scrap of the demonstration has ids of its own, or comes of its containments. */
const MADE_HERE = "origin = 'operador' and id not like '00000000-0000-4000-8000-5c%'"

/** What was thrown away here was thrown away hours ago. */
export const scrapHoursAgo = (panel: Panel, hours: number): void =>
  changePanel(panel, `update scraps set recorded_at = recorded_at - ${hours} * 3600000 where ${MADE_HERE}`)

type StoredScrap = { reason_code: string; note: string; pieces: number; undone: number }

export const scrapsAtServer = (panel: Panel): StoredScrap[] =>
  queryPanel(
    panel,
    `select reason_code, note, pieces, undone_at is not null as undone from scraps where ${MADE_HERE} order by recorded_at`,
  )
