import type { Page } from '@playwright/test'
import {
  BARCODE,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItemOfOrder,
  readingLine,
  readUntil,
  scan,
  section,
  test,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

/** A sign whose code is no key that moves the cursor. */
const read = (page: Page, label: string) => scan(page, `A${label}~`)

async function openSettings(page: Page): Promise<void> {
  await page.goto('/pages/configuracoes')
  await expect(page.getByRole('button', { name: 'Ensinar o leitor' })).toBeVisible()
}

test('um leitor que põe sinais em volta do código se ensina com uma etiqueta, e se esquece', async ({ page }) => {
  await logIn(page)
  await openSettings(page)
  await page.getByRole('button', { name: 'Ensinar o leitor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ensinar o leitor' })
  await expect(dialog.getByRole('img', { name: 'Código de barras de PAINEL-0123' })).toBeVisible()
  await read(page, 'KX0001')
  await expect(dialog).toContainText('Isto não é PAINEL-0123 com poucos sinais em volta')
  await expect(dialog.getByRole('button', { name: 'Usar neste dispositivo' })).toBeDisabled()
  // by a hand: a text that comes at once is a reading here
  await dialog.getByLabel('Texto da etiqueta').selectText()
  await dialog.getByLabel('Texto da etiqueta').pressSequentially('KX0001', { delay: 90 })
  await read(page, 'KX0001')
  await expect(dialog.getByRole('status')).toHaveText(
    'O leitor põe "A" antes do código e "~" depois dele: o painel tira.',
  )
  await expect(dialog.getByLabel('Texto da etiqueta')).toHaveValue('KX0001')
  await expectAccessible(page)
  await picture(page, 'ensinar-o-leitor')
  await dialog.getByRole('button', { name: 'Usar neste dispositivo' }).click()
  await expect(page.getByText('O leitor põe "A" antes do código e "~" depois dele: o painel tira.')).toBeVisible()

  await openItemOfOrder(page)
  const lot = section(page, 'Cabo').getByLabel('Lote', { exact: true })
  await read(page, BARCODE)
  await expect(readingLine(page)).toContainText('Confere: item 000010')
  await readUntil(page, 'Máquina: KX0001', () => read(page, 'KX0001'))
  await lot.click()
  await read(page, 'L261121001')
  await expect(readingLine(page)).toContainText('Lote: L261121001')
  await expect(lot).toHaveValue('L261121001')
  // as another reader at the same device says it
  await scan(page, BARCODE)
  await expect(readingLine(page)).toContainText('Confere: item 000010')

  await page.goto('/pages/apontamento-corte-crimpagem')
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.selectText()
  await read(page, ORDER)
  await expect(box).toHaveValue(ORDER)
  await expect(page.getByRole('row').filter({ hasText: '000010' }).first()).toBeVisible()

  await openSettings(page)
  await page.getByRole('button', { name: 'Esquecer' }).click()
  await expect(page.getByText('O leitor põe sinais antes ou depois do código?')).toBeVisible()
})
