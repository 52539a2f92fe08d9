import type { Page } from '@playwright/test'
import { BARCODE, expect, ORDER, PIECES, readErpItem, SEARCH, section, test, toast } from './journey.ts'

const STEPS_MAX = 60

/** Walks with Tab until the wanted thing has the focus: what cannot be reached fails. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'textbox' | 'radio' = 'button') {
  const wanted = page.getByRole(role, { name })
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}

test('tudo se faz só com o teclado', async ({ page, panel }) => {
  await page.goto(SEARCH)
  await expect(page.getByLabel('Usuário')).toBeFocused()
  await page.keyboard.type('operador')
  await tabTo(page, 'Senha', 'textbox')
  await page.keyboard.type('operador')
  await page.keyboard.press('Enter')

  await expect(page.getByLabel('Código de barras ou ordem de produção')).toBeFocused()
  await page.keyboard.type(ORDER, { delay: 60 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  await tabTo(page, 'Ver detalhes do item 000010')
  await page.keyboard.press('Enter')

  await expect(section(page, 'Cabo')).toBeVisible()
  await tabTo(page, 'Lote', 'textbox')
  await page.keyboard.type('L261121001', { delay: 60 })
  await tabTo(page, 'Selecionar máquina do cabo')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Filtrar máquinas:')).toBeFocused()
  await page.keyboard.type('KX0001', { delay: 60 })
  await tabTo(page, /^Selecionar KX0001/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await tabTo(page, 'Registrar cabo')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  expect(Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGCO)).toBe(PIECES)

  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  await tabTo(page, 'Sair do sistema')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('Ctrl+B recolhe e expande o menu', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await expect(menu).toContainText('v2.0 - Painel Industrial')
  await page.keyboard.press('Control+b')
  await expect(menu).not.toContainText('v2.0 - Painel Industrial')
})
