import type { Page } from '@playwright/test'
import { cable, fillCable, fillSide1, RECORD, registerIn, SUCCESS } from '../support/journeys/cable.ts'
import { expect, logIn, openItemOfOrder, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { STEP_MS } from '../support/slowness.ts'

test.use({ reducedMotion: 'no-preference' })

const TOAST_MS = 5000
const BALANCE = 'Quantidade maior que o saldo disponível. Restam 3 peças.'

const refuse = (page: Page, code: string, message: string) =>
  page.route(RECORD, (route) => route.fulfill({ status: 409, json: { code, message } }))

/** Whether a notice stands on a 'Registrar', wherever the page is scrolled to; and how far from the lower edge it is at first. */
const placed = `(async () => {
  const notices = document.querySelector('section[aria-label=Avisos]')
  const below = innerHeight - notices.getBoundingClientRect().bottom
  const covered = []
  for (let top = 0; top < document.documentElement.scrollHeight - innerHeight + 40; top += 40) {
    scrollTo(0, top)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const notice = notices.getBoundingClientRect()
    for (const button of document.querySelectorAll('button')) {
      const { left, right, top: start, bottom } = button.getBoundingClientRect()
      const isApart = left >= notice.right || right <= notice.left || start >= notice.bottom || bottom <= notice.top
      if (button.textContent.startsWith('Registrar') && !isApart) covered.push(top)
    }
  }
  return { below, covered }
})()`

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 800, height: 1280 },
]) {
  test(`um aviso fica embaixo, nunca sobre 'Registrar', e diz o que foi apontado: ${viewport.width}x${viewport.height}`, async ({
    page,
    tolerate,
  }) => {
    tolerate(/409/)
    await page.setViewportSize(viewport)
    await openItemOfOrder(page)
    await fillCable(page)
    await refuse(page, 'quantity_exceeds_balance', BALANCE)
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(toast(page)).toContainText(BALANCE)
    const { below, covered } = await page.evaluate<{ below: number; covered: number[] }>(placed)
    expect(below).toBeLessThan(viewport.height / 2)
    expect(covered).toEqual([])

    await page.unroute(RECORD)
    await registerIn(cable(page), 'Registrar cabo', 10)
    await expect(toast(page)).toContainText(SUCCESS)
    await expect(toast(page)).toContainText('Cabo · 10 peças · item 000010')

    // the new one takes the place of the old one, at the lower right
    await registerIn(cable(page), 'Registrar cabo', 20)
    await expect(toast(page)).toContainText('Cabo · 20 peças · item 000010')
    await expect(toast(page).getByRole('status')).toHaveCount(1)
    const box = await toast(page).boundingBox()
    expect(box && { width: box.width, right: viewport.width - box.x - box.width }).toEqual({ width: 320, right: 16 })
  })
}

test('um aviso que chega por cima de um botão não rouba o toque que já começou nele', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  // less than what is open: a form that closes above would move the button below
  await cable(page).getByLabel('Quantidade de peças').fill('10')
  const machine = page.getByRole('button', { name: 'Selecionar máquina do lado 2' })
  const scroll = `scrollBy(0, document.querySelector('[aria-label="Selecionar máquina do lado 2"]').getBoundingClientRect().bottom + 40 - innerHeight)`
  await page.evaluate(scroll)
  await machine.hover()
  await page.mouse.down()
  await page.getByRole('button', { name: 'Registrar cabo' }).evaluate((button: { click(): void }) => button.click())
  await expect(toast(page)).toContainText(SUCCESS)
  const [pressed, notice] = [await machine.boundingBox(), await toast(page).boundingBox()]
  if (!pressed || !notice) throw new Error('The button or the notice is not on the screen: scroll to the button first.')
  const covers = (at: 'x' | 'y', size: 'width' | 'height') =>
    notice[at] < pressed[at] && notice[at] + notice[size] > pressed[at] + pressed[size]
  expect([covers('x', 'width'), covers('y', 'height')], 'the notice covers it').toEqual([true, true])
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: 'Selecionar Máquina - Terminal Lado 2' })).toBeVisible()
})

test('um sucesso que aparece sob um mouse parado se fecha no seu tempo; um mouse que vai até ele o segura', async ({
  page,
}) => {
  await page.clock.install()
  await openItemOfOrder(page)
  await fillCable(page)
  const quantity = cable(page).getByLabel('Quantidade de peças')
  const success = toast(page).getByRole('status')
  /** Without the mouse. A second press within a second would be a finger that bounces. */
  const register = async (pieces: number) => {
    await page.clock.runFor(1000)
    await quantity.fill(String(pieces))
    await page.getByRole('button', { name: 'Registrar cabo' }).press('Enter')
    await expect(success).toContainText(`Cabo · ${pieces} peças`)
  }
  await register(10)
  const box = await success.boundingBox()
  if (!box) throw new Error('No success is on the screen.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await success.getByRole('button', { name: 'Fechar' }).press('Enter')
  await expect(success).toHaveCount(0)
  await page.mouse.move(x, y)

  await register(20)
  await page.clock.runFor(TOAST_MS)
  await expect(success).toHaveCount(0)

  await register(30)
  await page.mouse.move(x + 10, y)
  await page.mouse.move(10, 10)
  await page.mouse.move(x, y)
  await page.clock.runFor(2 * TOAST_MS)
  await expect(success, 'it is being read').toBeVisible()
  await page.mouse.move(10, 10)
  await page.clock.runFor(TOAST_MS)
  await expect(success).toHaveCount(0)
})

test('uma recusa é dita também no seu campo, e a tentativa seguinte da mesma parte a retira', async ({
  page,
  tolerate,
}) => {
  tolerate(/409/)
  await openItemOfOrder(page)
  await fillCable(page)
  await fillSide1(page)
  await refuse(page, 'quantity_exceeds_balance', BALANCE)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText('Cabo · 120 peças · item 000010')
  const quantity = cable(page).getByLabel('Quantidade de peças')
  await expect(quantity).toHaveAccessibleDescription(BALANCE)
  await picture(page, 'notice-refused')

  await page.unroute(RECORD)
  await refuse(page, 'section_complete', 'Esta etapa já está 100% apontada.')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(toast(page)).toContainText('Esta etapa já está 100% apontada.')
  await expect(toast(page), 'that of the cable is another part’s').toContainText(BALANCE)
  await expect(page.locator('[data-part=l1]').getByText('Esta etapa já está 100% apontada.')).toBeVisible()

  await page.unroute(RECORD)
  await quantity.fill('3')
  await expect(quantity, 'it was typed over').not.toHaveAccessibleDescription(BALANCE)
  // within a second of the refusal it would be a finger that bounces
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(toast(page)).toContainText(SUCCESS, { timeout: STEP_MS })
  }).toPass()
  await expect(toast(page)).not.toContainText(BALANCE)
  await expect(toast(page)).toContainText('Esta etapa já está 100% apontada.')
})

test('um erro de quem aponta não mostra código; "Detalhes" o tem', async ({ page, tolerate }) => {
  tolerate(/409/)
  await openItemOfOrder(page)
  await fillCable(page)
  await refuse(page, 'quantity_exceeds_balance', BALANCE)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText(BALANCE)
  await expect(toast(page)).not.toContainText('quantity_exceeds_balance')
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: quantity_exceeds_balance')
})

test('que o navegador pode apagar o que guarda se diz uma vez por dispositivo, e depois na situação do sistema', async ({
  page,
}) => {
  await page.addInitScript('navigator.storage.persist = () => Promise.resolve(false)')
  await logIn(page, 'operador', '/pages/pendencias')
  const notice = page.getByText('Este navegador pode apagar apontamentos guardados')
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(page.getByText('Nenhum apontamento aguardando envio neste dispositivo.')).toBeVisible()
  await page.getByRole('button', { name: /^Situação do sistema/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Dados deste dispositivo: o navegador pode apagá-los')
  await expect(notice).toHaveCount(0)
})
