import type { Page } from '@playwright/test'
import { NO_NETWORK } from '../support/journeys/cable.ts'
import { arrow, details, form, heading, logInAt, register, SEARCH } from '../support/journeys/joining.ts'
import {
  BARCODE,
  expect,
  HAND_MS,
  ORDER,
  queryPanel,
  scan,
  test,
  toast,
  untilFetched,
} from '../support/journeys/journey.ts'
import { LONG } from '../support/slowness.ts'

const ITEM_CALL = '**/api/apontamentos/itens**'

/** All presses of a finger: keys and readings are none. */
const countTaps = (page: Page) =>
  page.evaluate(`window.taps = 0
    addEventListener('pointerdown', () => window.taps++, true)`)

for (const network of ['com rede', 'sem rede depois de aberta a ordem'] as const) {
  test(`uma junção inteira com 3 toques, 3 leituras e 6 teclas, ${network}`, async ({ page, panel, tolerate }) => {
    tolerate(NO_NETWORK)
    await logInAt(page, SEARCH)
    const count = { scans: 0, keys: 0 }
    const read = async (code: string) => {
      count.scans++
      await scan(page, code)
    }
    const type = async (...keys: string[]) => {
      for (const key of keys) {
        count.keys++
        // as quick as a hand
        await page.keyboard.press(key, { delay: 90 })
      }
    }
    await countTaps(page)
    await expect(page.getByLabel('Ordem de produção')).toBeFocused()
    await read(ORDER)
    await expect(arrow(page, 'J01')).toBeVisible()
    await untilFetched(page, 'JunctionDetailsScreen')
    await page.waitForLoadState('networkidle')
    if (network !== 'com rede') await page.context().setOffline(true)
    await arrow(page, 'J01').click()
    await expect(form(page).getByLabel('Lote')).toBeFocused()
    await read('L261118004')
    await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
    await read('SP0001')
    await expect(form(page).getByLabel('Força (N)')).toBeFocused()
    await expect(form(page).getByLabel('Força (N)')).not.toHaveAttribute('inputmode', 'none')
    await type('9', '2', 'Enter')
    await expect(form(page).getByLabel('Altura (mm)')).toBeFocused()
    await type('1', ',', '1')
    await expect(form(page).getByLabel('Estanqueidade')).toHaveValue('Sim')
    await expect(form(page).getByLabel('Quantidade de peças')).toHaveValue('120')
    await expect(form(page)).toContainText('Restam 120 peças')
    await register(page).click()
    const next = page.getByRole('button', { name: 'Próxima junção: J02' })
    await expect(next).toBeVisible()
    await next.click()
    await expect(heading(page, 'Junção J02')).toBeVisible()
    await expect(form(page).getByLabel('Força (N)')).toBeFocused()
    expect(await page.evaluate('window.taps')).toBe(3)
    expect(count).toEqual({ scans: 3, keys: 6 })
    await page.context().setOffline(false)
    await expect
      .poll(() => queryPanel(panel, 'select pieces, lot, machine from recordings'), LONG)
      .toEqual([{ pieces: 120, lot: 'L261118004', machine: expect.stringContaining('SP0001') }])
  })
}

test('o que se digita na quantidade fica; sem isso ela segue o que resta', async ({ page }) => {
  await logInAt(page, details('J01'))
  const quantity = form(page).getByLabel('Quantidade de peças')
  await expect(quantity).toHaveValue('120')
  await quantity.fill('')
  await expect(quantity).toHaveValue('')
  await quantity.fill('500')
  await quantity.blur()
  await expect(toast(page)).toContainText('Quantidade deve estar entre 1 e 120. Corrigido para 120')
  await form(page).getByLabel('Força (N)').click()
  await page.keyboard.press('Enter')
  await expect(form(page).getByLabel('Altura (mm)'), 'the next empty one').toBeFocused()
})

test('a etiqueta que leva o cursor da quantidade à força fica, e a quantidade digitada também', async ({ page }) => {
  await logInAt(page, details('J01'))
  await page.waitForLoadState('networkidle')
  await expect(form(page).getByLabel('Lote')).toBeFocused()
  await scan(page, 'L261118004')
  await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
  const quantity = form(page).getByLabel('Quantidade de peças')
  await quantity.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('50', { delay: HAND_MS })
  await scan(page, 'SP0001')
  await expect(form(page).getByLabel('Força (N)')).toBeFocused()
  await expect(form(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^SP0001/)
  await expect(quantity).toHaveValue('50')
  await expect(toast(page)).not.toContainText('Quantidade deve estar')
})

test('quem sai da junção enquanto o item lido é procurado fica na tela para onde foi', async ({ page }) => {
  await logInAt(page, details('J01'))
  await page.waitForLoadState('networkidle')
  await expect(form(page).getByLabel('Lote')).toBeFocused()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(ITEM_CALL, async (route) => {
    await released
    await route.continue()
  })
  const request = page.waitForRequest(ITEM_CALL)
  await scan(page, BARCODE)
  await request
  await page.getByRole('link', { name: 'Pendências', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Pendências' })).toBeVisible()
  const answered = page.waitForResponse(ITEM_CALL)
  release()
  await (await answered).finished()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  await expect(page).toHaveURL(/pendencias$/)
  await expect(page.getByRole('heading', { name: 'Pendências' })).toBeVisible()
})
