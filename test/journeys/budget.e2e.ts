import type { Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { cable, LATE_REFUSAL, NO_NETWORK, readMachine, SAVED_HERE, SUCCESS } from '../support/journeys/cable.ts'
import { expect, logIn, openItemOfOrder, readingLine, scan, test, toast } from '../support/journeys/journey.ts'

/** Taps and readings that a job may cost. Items, junctions and calls are counted where they are told. */

/** Presses of a finger; what a scanner types is none. */
const countTaps = (page: Page) =>
  page.evaluate(`window.taps = 0
    addEventListener('pointerdown', () => window.taps++, true)`)
const tapsOf = (page: Page) => page.evaluate<number>('window.taps')

for (const when of ['na hora', 'depois de salvo sem rede'] as const) {
  test(`lote recusado ${when}, bobina nova: 1 leitura e 1 toque`, async ({ page, tolerate }) => {
    tolerate(/422/)
    tolerate(NO_NETWORK)
    if (when !== 'na hora') tolerate(LATE_REFUSAL)
    await openItemOfOrder(page)
    await expect(cable(page).getByLabel('Lote')).toBeFocused()
    await scan(page, sampleBlockedLot)
    await readMachine(page, 'KX0001', 'Cabo')
    if (when !== 'na hora') await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    if (when !== 'na hora') {
      await expect(readingLine(page)).toContainText(SAVED_HERE)
      await page.context().setOffline(false)
    }
    await expect(readingLine(page)).toHaveText('Lote bloqueado: leia outro lote do cabo')
    await countTaps(page)
    await scan(page, 'L261122051')
    // a press within a second of the one before is taken for a finger that bounces
    await page.evaluate('new Promise((done) => setTimeout(done, 1000))')
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(toast(page)).toContainText(SUCCESS)
    expect(await tapsOf(page)).toBe(1)
  })
}

test('o relatório do turno: 1 toque', async ({ page }) => {
  await logIn(page, 'operador', '/pages/relatorios')
  await expect(page.getByRole('button', { name: 'Este turno' })).toBeVisible()
  await countTaps(page)
  await page.getByRole('button', { name: 'Este turno' }).click()
  await expect(page.getByRole('heading', { name: /^Produção de .* a \d\d:00$/ })).toBeVisible()
  expect(await tapsOf(page)).toBe(1)
})
