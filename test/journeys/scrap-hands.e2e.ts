import type { Page } from '@playwright/test'
import { fillCable, fillSide1 } from '../support/journeys/cable.ts'
import {
  expect,
  expectAccessibleInBothThemes,
  openItemOfOrder,
  pick,
  queryPanel,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { misfitsOf } from '../support/journeys/layout.ts'
import { picture } from '../support/journeys/picture.ts'
import { scrapButton, scrapDialog, scrapsAtServer } from '../support/journeys/scrapping.ts'
import { enterAt, tabTo, typeAt } from '../support/journeys/tab-to.ts'

const PORTRAIT = { width: 800, height: 1280 }

/** So that whatever 'Registrar' lies under the dialog would register. */
async function fillSide2(page: Page): Promise<void> {
  await section(page, 'Terminal Lado 2').getByLabel('Lote').fill('B23-004517/2')
  const title = 'Selecionar Mini Aplicador - Terminal T0925590'
  await pick(page, 'Selecionar mini aplicador do lado 2', title, /Sem Cadastro/)
  await pick(page, 'Selecionar máquina do lado 2', 'Selecionar Máquina - Terminal Lado 2', /PR0001/)
}

/** Two presses of one finger at one place of the glass, one right after the other, whatever lies there by then. */
async function tapTwice(page: Page): Promise<void> {
  const box = await scrapDialog(page).getByRole('button', { name: 'Salvar' }).boundingBox()
  if (!box) throw new Error('there is nothing to tap')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left', clickCount: 1 } as const
  const glass = await page.context().newCDPSession(page)
  const types = ['mousePressed', 'mouseReleased', 'mousePressed', 'mouseReleased'] as const
  await Promise.all(types.map((type) => glass.send('Input.dispatchMouseEvent', { type, ...at })))
}

for (const viewport of [{ width: 1280, height: 800 }, PORTRAIT])
  test(`dois toques em 'Salvar' são um refugo e mais nada, em ${viewport.width} por ${viewport.height}`, async ({
    page,
    panel,
  }) => {
    await page.setViewportSize(viewport)
    await openItemOfOrder(page)
    await fillCable(page)
    await fillSide1(page)
    await fillSide2(page)
    for (const pieces of [1, 2, 3]) {
      await scrapButton(page, 'lado 1').click()
      await scrapDialog(page).getByRole('button', { name: 'Altura fora' }).click()
      await page.keyboard.type(String(pieces))
      await tapTwice(page)
      await expect(toast(page)).toContainText(`Refugo salvo: ${pieces} · Altura fora.`)
      await expect(scrapDialog(page)).toBeHidden()
    }
    expect(scrapsAtServer(panel).map(({ pieces }) => pieces)).toEqual([1, 2, 3])
    expect(queryPanel(panel, 'select id from recordings'), 'nor did the second tap register what lay below').toEqual([])
  })

test('em pé, com texto de 130 % e só pelo teclado: motivo, número, Enter; e desfaz', async ({ page, panel }) => {
  await page.setViewportSize(PORTRAIT)
  await openItemOfOrder(page)
  await fillSide1(page)
  await misfitsOf(page, ['130'])
  await enterAt(page, 'Refugo: lado 1')
  const dialog = scrapDialog(page)
  await expect(dialog).toBeVisible()
  expect(await misfitsOf(page, ['130'])).toEqual([])
  await expectAccessibleInBothThemes(page)
  await picture(page, 'refugo-130')
  await enterAt(page, 'Altura fora')
  await expect(dialog.getByLabel('Peças')).toBeFocused()
  await tabTo(page, 'Retrabalho', 'switch')
  await typeAt(page, dialog.getByLabel('Peças'), '60')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Refugo de 60 peças em 120. Confirma?' })
  expect(await misfitsOf(page, ['130'])).toEqual([])
  await enterAt(page, question.getByRole('button', { name: 'Corrigir' }))
  await typeAt(page, dialog.getByLabel('Peças'), '6')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Refugo salvo: 6 · Altura fora.')
  await expect(scrapButton(page, 'lado 1'), 'back where the keyboard was').toBeFocused()
  await enterAt(page, 'Refugo hoje: 6 (Altura fora)')
  const list = page.getByRole('dialog', { name: 'Refugo de hoje' })
  await expect(list).toBeVisible()
  expect(await misfitsOf(page, ['130'])).toEqual([])
  await expectAccessibleInBothThemes(page)
  await enterAt(page, 'Desfazer')
  await expect(toast(page)).toContainText('Refugo desfeito.')
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 6, undone: 1 }])
})
