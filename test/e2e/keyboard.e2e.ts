import type { Page } from '@playwright/test'
import { BARCODE, expect, ORDER, PIECES, readErpItem, SEARCH, section, test, toast } from './journey.ts'
import { tabTo } from './tab-to.ts'

async function logInByKeyboard(page: Page): Promise<void> {
  await page.goto(SEARCH)
  await expect(page.getByLabel('Usuário')).toBeFocused()
  await page.keyboard.type('operador')
  await tabTo(page, 'Senha', 'textbox')
  await page.keyboard.type('operador')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Código de barras ou ordem de produção')).toBeFocused()
}

test('tudo se faz só com o teclado', async ({ page, panel }) => {
  await logInByKeyboard(page)
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

test('pelo menu às Configurações, e um tema se escolhe com as setas', async ({ page }) => {
  await logInByKeyboard(page)
  await tabTo(page, 'Configurações', 'link')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Configurações', level: 1 })).toBeVisible()
  await tabTo(page, 'Do sistema', 'radio')
  for (const theme of ['Claro', 'Escuro']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: theme })).toBeChecked()
  }
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
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
