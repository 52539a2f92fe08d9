import type { Page } from '@playwright/test'
import { expect, openItemOfOrder, readingLine, scan, section, test } from '../support/journeys/journey.ts'

const LABEL = 'L26110099-2'

/** Counts what the form hears of what is written into it. */
const countInputs = `globalThis.inputs = 0; document.addEventListener('input', () => { globalThis.inputs++ }, { capture: true })`

async function lotOf(page: Page) {
  await openItemOfOrder(page)
  // bursts are buffered by a script that comes a moment after the page
  await page.waitForFunction(
    "performance.getEntriesByType('resource').some(({ name }) => name.includes('whole-texts'))",
  )
  const lot = section(page, 'Cabo').getByLabel('Lote')
  await lot.click()
  await page.evaluate(countInputs)
  return lot
}

test('uma etiqueta lida num campo chega uma vez ao formulário, não a cada tecla', async ({ page }) => {
  const lot = await lotOf(page)
  await scan(page, LABEL)
  await expect(readingLine(page)).toContainText('Lote')
  await expect(lot).toHaveValue(LABEL)
  expect(await page.evaluate('inputs')).toBe(1)
})

test('uma mão tão rápida quanto um leitor não perde letra, faça o que fizer depois', async ({ page }) => {
  const lot = await lotOf(page)
  await page.keyboard.type('A')
  await page.keyboard.type('B7')
  await page.keyboard.press('Tab')
  await expect(lot).toHaveValue('AB7')
  await lot.click()
  await page.keyboard.press('End')
  await page.keyboard.type('-X')
  await section(page, 'Cabo').getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(lot).toHaveValue('AB7-X')
  await lot.click()
  await page.keyboard.press('End')
  await page.keyboard.type('9Z')
  // nothing is pressed: the rest of the keys alone says that a hand typed them
  await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain('AB7-X9Z')
  await page.reload()
  await expect(section(page, 'Cabo').getByLabel('Lote')).toHaveValue('AB7-X9Z')
})
