import type { Locator, Page } from '@playwright/test'
import type { Panel } from '../panel.ts'
import { expect, queryPanel } from './journey.ts'

/** 'Medir', as far as journeys share it. */

export const heights = (dialog: Locator): Locator => dialog.getByRole('group', { name: /Altura de crimpagem/ })
export const forces = (dialog: Locator): Locator => dialog.getByRole('group', { name: /Força de extração/ })

/** Key by key, and Enter after each, as people do: that of the last box saves. */
export async function typeReadings(page: Page, ...readings: string[]): Promise<void> {
  for (const reading of readings) {
    await page.keyboard.type(reading, { delay: 80 })
    await page.keyboard.press('Enter')
  }
}

type Stored = { act: string; characteristic: string; readings: string; verdict: string; action: string | null }

/** Without those of the sample data. */
export const samplesAt = (panel: Panel): Stored[] =>
  queryPanel<Stored>(
    panel,
    `select act_id as act, characteristic, readings_json as readings, verdict, action from measurements
     where act_id not like '00000000-0000-4000-8000-%' order by received_at, rowid`,
  )

/** By recordings. */
export const namedAt = (panel: Panel): string[] =>
  queryPanel<{ act: string }>(
    panel,
    "select act_id as act from recording_measurements where act_id not like '00000000-0000-4000-8000-ce%'",
  ).map(({ act }) => act)

/** What is posted to measure and to record from now on, in its order. */
export function watchSent(page: Page): string[] {
  const sent: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && /medicoes|corte-crimpagem|registrar-apontamento/.test(pathname))
      sent.push(pathname)
  })
  return sent
}

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Medição - Terminal T1326030, 0,50 mm²' })

export async function openMeasuring(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Medir: lado 1' }).click()
  const dialog = dialogOf(page)
  await expect(dialog).toBeVisible()
  return dialog
}

/** Three pieces of one height and force, still to be saved. */
export async function fillMeasuring(page: Page, height: string, force: string): Promise<Locator> {
  const dialog = await openMeasuring(page)
  for (const nth of [1, 2, 3]) {
    await heights(dialog).getByLabel(`Leitura ${nth}`).fill(height)
    await forces(dialog).getByLabel(`Leitura ${nth}`).fill(force)
  }
  return dialog
}
