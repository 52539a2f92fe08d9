import type { Page } from '@playwright/test'
import { details, form } from '../support/journeys/joining.ts'
import { expect, logIn, readingLine, scan, test } from '../support/journeys/journey.ts'
import { movedOf, watchMoves } from '../support/journeys/still.ts'
import { STEP_MS } from '../support/slowness.ts'

/** Nothing moves under a finger: neither by itself, nor what can be pressed within half a second of a key or a reading. */

test.use({ viewport: { width: 1280, height: 800 }, hasTouch: true })

/** On a device that has been here before: its font is there. */
async function enter(page: Page, address?: string): Promise<void> {
  await logIn(page, 'operador', address)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await watchMoves(page)
  await page.reload()
}

/** A label that is read before the list of what fits has come is read again. */
const readMachine = (page: Page, code: string, part: string) =>
  expect(async () => {
    await scan(page, code)
    await expect(readingLine(page)).toHaveText(`Máquina: ${code} · ${part}`, { timeout: STEP_MS })
  }).toPass()

test('uma junção aberta e preenchida: nada se move sem um toque', async ({ page }) => {
  await enter(page, details('J01'))
  await expect(form(page).getByLabel('Lote')).toBeVisible()
  await scan(page, 'L261118004')
  await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
  await readMachine(page, 'SP0001', 'Junção')
  await expect(form(page).getByLabel('Força (N)')).toBeFocused()
  expect(await movedOf(page)).toEqual([])
})

for (const [name, address] of [
  ['conferência', '/pages/conferencia-corte'],
  ['painel inicial', '/pages/dashboard'],
  ['equipamentos', '/pages/equipamentos'],
  ['relatórios', '/pages/relatorios'],
  ['Pendências', '/pages/pendencias'],
] as const) {
  test(`${name}: nada se move enquanto chega`, async ({ page }) => {
    await enter(page, address)
    await page.waitForLoadState('networkidle')
    expect(await movedOf(page)).toEqual([])
  })
}
