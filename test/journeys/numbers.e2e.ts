import type { Locator, Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { fillSide1, NO_NETWORK, piecesAtServer, SAVED_HERE } from '../support/journeys/cable.ts'
import * as crimpControl from '../support/journeys/crimp-control.ts'
import { details, fillJunction, form, leaveRefused, logInAt, register } from '../support/journeys/joining.ts'
import {
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  readingLine,
  SEARCH,
  searchFor,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const MARK = 'Corrigido. Confira.'
const FORCE_WARNING = 'Força de extração deve ser um número inteiro maior que 0. Corrigido para 1'

/** Quicker keys are a scanner's. */
const byHand = { delay: 80 }

/** Typed key by key, then left; the box shows each key until then. */
async function typeInto(page: Page, box: Locator, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text, byHand)
  await expect(box).toHaveValue(text)
  await page.keyboard.press('Tab')
}

/** As `typeInto`, at one stroke. */
async function pasteInto(page: Page, box: Locator, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
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
  await page.keyboard.type('2,5', byHand)
  await register.click()
  await expect(side.getByText(MARK)).toHaveCount(1)
  expect(piecesAtServer(panel), 'what was corrected in this very press has not been seen').toEqual([])
  await register.click()
  await expect.poll(() => piecesAtServer(panel)).toEqual([1])
})

test('o aviso de limite não aceita o que não é inteiro', async ({ page }) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=fabrica')
  const percent = page.getByLabel('Avisar a partir de (% do limite)')
  const save = page.getByRole('button', { name: 'Salvar' }).last()
  for (const text of ['70,7', '2.5', '-5', '101', 'x']) {
    await percent.fill('')
    await percent.pressSequentially(text)
    await expect(percent).toHaveValue(text.slice(0, 3))
    await expect(save).toBeDisabled()
  }
})

test('as outras caixas de número inteiro do item também mostram o que se digita ou se cola', async ({ page }) => {
  await openItemOfOrder(page)
  const side2 = section(page, 'Terminal Lado 2')
  const boxes: [Locator, thousand: string][] = [
    [section(page, 'Cabo').getByLabel('Quantidade de peças'), '120'],
    [side2.getByLabel('Quantidade de peças'), '120'],
    [side2.getByRole('textbox', { name: /^Força de extração/ }), '1000'],
  ]
  for (const [box, thousand] of boxes) {
    for (const text of wrong) {
      for (const enter of [typeInto, pasteInto]) {
        await enter(page, box, text)
        await expect(box).toHaveValue('1')
        await expect(box).toHaveAccessibleDescription(new RegExp(MARK))
      }
    }
    for (const enter of [typeInto, pasteInto]) {
      await enter(page, box, '1.000')
      await expect(box).toHaveValue(thousand)
    }
  }
})

test('as peças de uma junção: o que não é inteiro se corrige à vista, e só o segundo toque registra', async ({
  page,
  panel,
}) => {
  await logInAt(page, details('J01'))
  await fillJunction(page, 30)
  const pieces = form(page).getByLabel('Quantidade de peças')
  for (const text of wrong) {
    for (const enter of [typeInto, pasteInto]) {
      await enter(page, pieces, text)
      await expect(pieces).toHaveValue('1')
      await expect(pieces).toHaveAccessibleDescription(new RegExp(MARK))
      await expect(toast(page).getByText('Quantidade deve estar entre 1 e 120. Corrigido para 1').first()).toBeVisible()
    }
  }
  await pasteInto(page, pieces, '1.000')
  await expect(pieces, 'a thousand, within what is planned').toHaveValue('120')
  await pieces.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('7,5', byHand)
  await register(page).click()
  await expect(pieces).toHaveValue('1')
  expect(piecesAtServer(panel), 'what was corrected in this very press has not been seen').toEqual([])
  await register(page).click()
  await expect.poll(() => piecesAtServer(panel)).toEqual([1])
})

test('uma caixa com vírgula toma vírgula e ponto por uma, e nada do que não é número', async ({ page }) => {
  await openItemOfOrder(page)
  const height = section(page, 'Terminal Lado 1').getByRole('textbox', { name: /^Altura de crimpagem/ })
  const keys = async (box: Locator, text: string) => {
    await box.fill('')
    await box.pressSequentially(text, byHand)
  }
  const typed: [text: string, shown: string, left: string][] = [
    ['1,1', '1,1', '1,10'],
    ['1.1', '1,1', '1,10'],
    ['1.1255', '1,125', '1,125'],
    ['1x', '1', '1,00'],
    ['0,00', '0,00', '0,01'],
    ['x', '', ''],
  ]
  for (const [text, shown, left] of typed) {
    await keys(height, text)
    await expect(height).toHaveValue(shown)
    await page.keyboard.press('Tab')
    await expect(height).toHaveValue(left)
  }
  await page.goto(details('J01'))
  for (const [label, shown] of [
    ['Força (N)', '92,5'],
    ['Altura (mm)', '92,55'],
  ] as const) {
    const box = form(page).getByLabel(label)
    for (const text of ['92,55', '92.55', '9x2,55']) {
      await keys(box, text)
      await expect(box).toHaveValue(shown)
    }
  }
})

test('numa correção em Pendências o que não é inteiro é visto antes de ser enviado', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const dialog = page.getByRole('dialog')
  const pieces = dialog.getByLabel('Quantidade de peças')
  const correct = async (box: Locator, warning: string, texts: string[]) => {
    for (const text of texts) {
      await typeInto(page, box, text)
      await dialog.getByRole('button', { name: 'Reenviar' }).click()
      await expect(box).toHaveValue('1')
      await expect(dialog.getByText(warning)).toBeVisible()
    }
  }
  await logInAt(page, details('J01'))
  await leaveRefused(page)
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  await correct(pieces, 'Quantidade deve estar entre 1 e 120. Corrigido para 1', [...wrong, ''])
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await page.goto(SEARCH)
  await searchFor(page, ORDER)
  await openItem(page)
  await fillSide1(page)
  const side = section(page, 'Terminal Lado 1')
  await side.getByLabel('Lote').fill(sampleBlockedLot)
  await side.getByLabel('Quantidade de peças').fill('10')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Pendências: 2 exigem ação' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Terminal Lado 1' })
    .getByRole('button', { name: 'Corrigir e reenviar' })
    .click()
  await correct(dialog.getByRole('textbox', { name: /^Força de extração/ }), FORCE_WARNING, wrong)
  await correct(pieces, 'Quantidade deve estar entre 1 e 120. Corrigido para 1', [...wrong, ''])
  expect(piecesAtServer(panel), 'nothing was sent').toEqual([12, 10])
})

test('limite, novo limite e ordem de serviço não aceitam o que não é inteiro', async ({ page }) => {
  const { choice, limitBox, open, pencil, question } = crimpControl
  await open(page)
  await pencil(page, 'MA-0003').click()
  const limit = limitBox(page, 'MA-0003')
  for (const text of wrong) {
    await typeInto(page, limit, text)
    await limit.press('Enter')
    await expect(limit).toHaveAccessibleDescription(/O limite deve ser um número inteiro/)
    await expect(limit).toHaveValue(text)
  }
  await limit.press('Escape')

  await page.goto(`${crimpControl.ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0005').click()
  const order = crimpControl.details(page).getByLabel('Ordem de Serviço')
  for (const text of wrong) {
    await typeInto(page, order, text)
    await crimpControl.details(page).getByRole('button', { name: 'SALVAR DETALHES' }).click()
    await expect(order).toHaveAccessibleDescription(/Informe a ordem de serviço, diferente de zero/)
    await expect(order).toHaveValue(text)
  }
  await crimpControl.details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  const newLimit = question(page).getByLabel('Novo limite de crimpagens')
  for (const text of wrong) {
    await typeInto(page, newLimit, text)
    await expect(newLimit).toHaveAccessibleDescription(/O limite deve ser um número inteiro/)
  }
  await typeInto(page, newLimit, 'abc')
  await expect(newLimit).toHaveAccessibleDescription('Novo limite: 100.000')
  await pasteInto(page, newLimit, '1.000')
  await expect(newLimit).toHaveAccessibleDescription('Novo limite: 1.000')
})
