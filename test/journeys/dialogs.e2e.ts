import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, logIn, scan, test, toast } from '../support/journeys/journey.ts'

test.use({ reducedMotion: 'no-preference' })

// With axe at every stop.

const open = async (page: Page) => {
  await logIn(page, 'operador', '/pages/mini-aplicadores')
  await expect(page.getByText(/^\d+ registros$/)).toBeVisible()
}
const form = (page: Page): Locator => page.getByRole('dialog', { name: /mini aplicador$/ })
const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Confirmar Exclusão' })
const fill = async (page: Page, terminal: string, miniaplicator: string) => {
  await form(page).getByLabel('Terminal').fill(terminal)
  await form(page).getByLabel('Miniaplicador').fill(miniaplicator)
}
const edit = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^Editar / })
    .first()
    .click()

test('um código lido no formulário troca o nome que estava lá, e não grava sozinho', async ({ page }) => {
  await open(page)
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.method() === 'PUT'
  })
  await edit(page)
  await expect(form(page).getByLabel('Terminal')).toBeFocused()
  await scan(page, 'T9999999')
  await expect(form(page).getByLabel('Miniaplicador')).toBeFocused()
  await expect(form(page).getByLabel('Terminal')).toHaveValue('T9999999')
  expect(isSent).toBe(false)
  await scan(page, 'MA-9001')
  await expect(toast(page)).toContainText('Mini aplicador atualizado com sucesso')
  await expect(page.getByRole('row', { name: 'T9999999' })).toContainText('MA-9001')
})

/** Keeps what is written on its way until it is let go. */
const hold = async (page: Page) => {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/miniaplicadores/**', async (route) => {
    if (route.request().method() !== 'GET') await isReleased
    await route.fallback()
  })
  return release
}

test('enquanto se grava ou exclui, a janela não se fecha sem dizer o que houve', async ({ page, tolerate }) => {
  // the deleted row goes long after the press, by the answer that was waited for
  tolerate(/^layout shift: \/pages\/mini-aplicadores /)
  await open(page)
  const stays = async (dialog: Locator, busy: string) => {
    await expect(dialog.getByRole('button', { name: busy })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Fechar' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 300)
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
  }
  const release = await hold(page)
  await edit(page)
  await fill(page, 'ZZ-95', 'MA-9001')
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await stays(form(page), 'Salvando...')
  release()
  await expect(form(page)).toBeHidden()
  await expect(toast(page)).toContainText('Mini aplicador atualizado com sucesso')

  const releaseNext = await hold(page)
  await page.getByRole('button', { name: 'Excluir ZZ-95 - MA-9001' }).click()
  await question(page).getByRole('button', { name: 'Excluir' }).click()
  await stays(question(page), 'Excluindo...')
  releaseNext()
  await expect(question(page)).toBeHidden()
  await expect(toast(page)).toContainText('Mini aplicador excluído com sucesso')
})

test('no telefone um aviso não cobre o título nem os botões de uma janela, e o tipo dela se vê', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 480 })
  await open(page)
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await fill(page, '0-96', 'MA-9001')
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Sucesso')
  await page.getByRole('button', { name: 'Editar 0-96 - MA-9001' }).click()
  await expect(form(page).getByRole('heading')).toBeVisible()
  const spanOf = async (shown: Locator) => {
    const box = await shown.boundingBox()
    if (!box) throw new Error('Not on screen')
    return { top: box.y, bottom: box.y + box.height }
  }
  const notice = toast(page).getByRole('status')
  await notice.hover()
  await expect.poll(async () => (await spanOf(notice)).bottom - (await spanOf(form(page))).top).toBeLessThanOrEqual(0)
  expect((await spanOf(form(page).getByRole('button', { name: 'Salvar' }))).bottom).toBeLessThanOrEqual(480)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Excluir 0-96 - MA-9001' }).click()
  await expect(question(page).locator('svg.lucide-octagon-alert')).toBeVisible()
})
