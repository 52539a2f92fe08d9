import type { Locator, Page } from '@playwright/test'
import {
  BARCODE,
  expect,
  ORDER,
  PIECES,
  readErpItem,
  SEARCH,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import { STEP_MS } from '../support/slowness.ts'

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
  await page.keyboard.type(ORDER, { delay: 80 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  await enterAt(page, 'Ver detalhes do item 000010')

  await expect(section(page, 'Cabo')).toBeVisible()
  await expect(section(page, 'Cabo').getByLabel('Lote')).toBeFocused()
  await page.keyboard.type('L261121001', { delay: 80 })
  await enterAt(page, 'Selecionar máquina do cabo')
  await expect(page.getByLabel('Filtrar máquinas:')).toBeFocused()
  await page.keyboard.type('KX0001', { delay: 80 })
  await enterAt(page, /^Selecionar KX0001/)
  await expect(page.getByRole('dialog')).toBeHidden()
  await enterAt(page, 'Registrar cabo')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  expect(Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGCO)).toBe(PIECES)

  const side = section(page, 'Terminal Lado 1')
  await expect(side.getByLabel('Lote'), 'what is to be done next').toBeFocused()
  await page.keyboard.type('B23-004517/2', { delay: 80 })
  await enterAt(page, /^Força de extração .* Confirmar como medido/)
  await expect(side, 'confirmed, its button is gone').toBeFocused()
  for (const [opener, row] of [
    ['Selecionar mini aplicador do lado 1', /^Selecionar T1326030 MA-0001/],
    ['Selecionar máquina do lado 1', /^Selecionar PR0001/],
    ['Selecionar seladora do lado 1', /^Selecionar S0963244 Seladora/],
  ] as const) {
    await enterAt(page, opener)
    await expect(page.getByRole('dialog')).toBeVisible()
    await enterAt(page, row)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('button', { name: opener })).toBeFocused()
  }
  await tabTo(page, side.getByLabel('Quantidade de peças'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('7', { delay: 80 })
  await enterAt(page, 'Registrar lado 1')
  await expect(side).toContainText('Restam 113 peças')

  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  await enterAt(page, 'Sair do sistema')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('pelo menu às Configurações, e o que é do dispositivo se escolhe com as setas e o espaço', async ({ page }) => {
  await logInByKeyboard(page)
  await enterAt(page, 'Configurações', 'link')
  await expect(page.getByRole('heading', { name: 'Configurações', level: 1 })).toBeVisible()
  await tabTo(page, 'Igual ao sistema', 'radio')
  for (const theme of ['Claro', 'Escuro']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: theme })).toBeChecked()
  }
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await tabTo(page, '100%', 'radio')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '115%' })).toBeChecked()
  await tabTo(page, /^Cabeçalho e menu/, 'switch')
  await page.keyboard.press('Space')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('switch', { name: /^Cabeçalho e menu/ })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('banner')).toBeVisible()
  await tabTo(page, /^Som ao ler/, 'switch')
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Ouvir leitura certa' })).toBeDisabled()
})

test('Ctrl+B recolhe e expande o menu', async ({ page }) => {
  await logInByKeyboard(page)
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await expect(menu).toContainText('v2.0 - Painel Industrial')
  await page.keyboard.press('Control+b')
  await expect(menu).not.toContainText('v2.0 - Painel Industrial')
  // What a mouse reads in the tooltip is there for the keyboard too.
  const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  expect((await boxOf(menu.getByText('Gestão de Mini Aplicadores'))).width).toBeLessThan(2)
  // The last one is reached by scrolling on a screen as low as this.
  await page.setViewportSize({ width: 1280, height: 600 })
  for (const place of ['Gestão de Mini Aplicadores', 'Configurações']) {
    await tabTo(page, place, 'link')
    await expect(async () => {
      const [icon, name] = [await boxOf(menu.getByRole('link', { name: place })), await boxOf(menu.getByText(place))]
      expect(name.width).toBeGreaterThan(100)
      expect(name.x).toBeGreaterThanOrEqual(icon.x + icon.width)
      expect(Math.abs(name.y + name.height / 2 - icon.y - icon.height / 2)).toBeLessThan(3)
    }).toPass()
  }
  expect((await boxOf(menu)).width).toBe(70)
})

test('o Ctrl+B que um leitor põe antes do código não mexe no menu', async ({ page }) => {
  await page.clock.install()
  await logInByKeyboard(page)
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await expect(menu).toContainText('v2.0 - Painel Industrial')
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 1000)))
  await page.keyboard.press('Control+b')
  await page.keyboard.type(BARCODE)
  await page.clock.runFor(500)
  await expect(menu).toContainText('v2.0 - Painel Industrial')
  await page.keyboard.press('Control+b')
  await page.clock.runFor(500)
  await expect(menu).not.toContainText('v2.0 - Painel Industrial')
})

test('o menu por cima do conteúdo se fecha com Escape, sem sair do formulário nem perder o foco', async ({ page }) => {
  await logInByKeyboard(page)
  await page.keyboard.type(ORDER, { delay: 80 })
  await page.keyboard.press('Enter')
  await enterAt(page, 'Ver detalhes do item 000010')
  await expect(section(page, 'Cabo')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await tabTo(page, 'Voltar para a lista')
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await expect(menu).toBeHidden()
  for (const close of ['Escape', 'Control+b']) {
    await page.keyboard.press('Control+b')
    await expect(menu).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Corte e Crimpagem' })).toHaveAttribute('aria-current', 'page')
    await expect(async () => {
      await page.keyboard.press('Shift+Tab')
      await expect(menu.getByRole('link', { name: 'Configurações' })).toBeFocused({ timeout: STEP_MS })
    }).toPass()
    await page.keyboard.press(close)
    await expect(menu).toBeHidden()
    await expect(page.locator('main :focus'), 'back at work').toBeVisible()
  }
  await expect(section(page, 'Cabo')).toBeVisible()
})
