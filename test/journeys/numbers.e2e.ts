import type { Locator, Page } from '@playwright/test'
import { fillSide1, piecesAtServer } from '../support/journeys/cable.ts'
import { expect, expectAccessible, logIn, openItemOfOrder, section, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const MARK = 'Corrigido. Confira.'
const FORCE_WARNING = 'Força de extração deve ser um número inteiro maior que 0. Corrigido para 1'

/** Typed key by key, then left; the box shows each key until then. */
async function typeInto(page: Page, box: Locator, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text)
  await expect(box).toHaveValue(text)
  await page.keyboard.press('Tab')
}

const wrong = ['70,7', '2.5', '-5', '7x', '1.00', '+3']

test('uma caixa de número inteiro mostra o que se digita e não faz de 70,7 um 707', async ({ page, panel }) => {
  await openItemOfOrder(page)
  const side = section(page, 'Terminal Lado 1')
  const force = side.getByRole('textbox', { name: /^Força de extração/ })
  const pieces = side.getByLabel('Quantidade de peças')
  for (const text of wrong) {
    await typeInto(page, force, text)
    await expect(force).toHaveValue('1')
    await expect(side.getByText(MARK)).toHaveCount(1)
    await expect(toast(page).getByText(FORCE_WARNING).first()).toBeVisible()
    await typeInto(page, pieces, text)
    await expect(pieces).toHaveValue('1')
    await expect(side.getByText(MARK)).toHaveCount(2)
    await force.focus()
    await pieces.focus()
    await expect(side.getByText(MARK), 'touched again').toHaveCount(0)
  }
  await typeInto(page, pieces, '500')
  await expect(pieces).toHaveValue('120')
  await expect(side.getByText(MARK)).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'item-corrigido')
  await pieces.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('1.000')
  await page.keyboard.press('Tab')
  await expect(pieces, 'a thousand, within what is left').toHaveValue('120')
  await force.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('1.000')
  await page.keyboard.press('Tab')
  await expect(force).toHaveValue('1000')
  await typeInto(page, force, '70')
  await typeInto(page, pieces, '7')
  await expect(side.getByText(MARK)).toHaveCount(0)

  await fillSide1(page)
  const register = page.getByRole('button', { name: 'Registrar lado 1' })
  await pieces.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2,5')
  await register.click()
  await expect(side.getByText(MARK)).toHaveCount(1)
  expect(piecesAtServer(panel), 'what was corrected in this very press has not been seen').toEqual([])
  await register.click()
  await expect.poll(() => piecesAtServer(panel)).toEqual([1])
})

test('o aviso de limite não aceita o que não é inteiro', async ({ page }) => {
  await logIn(page, 'admin')
  await page.goto('/pages/configuracoes?aba=fabrica')
  const percent = page.getByLabel('Avisar a partir de (% do limite)')
  const save = page.getByRole('button', { name: 'Salvar' }).last()
  for (const text of ['70,7', '2.5', '-5', '101', 'x']) {
    await percent.fill('')
    await percent.pressSequentially(text)
    await expect(percent).toHaveValue(text.slice(0, 3))
    await expect(save).toBeDisabled()
  }
})
