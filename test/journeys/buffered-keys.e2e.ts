import type { Page } from '@playwright/test'
import { untilWholeTexts } from '../support/journeys/handheld.ts'
import {
  expect,
  HAND_MS,
  logIn,
  ORDER,
  openItemOfOrder,
  readingLine,
  SEARCH,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { keyboardOf } from '../support/journeys/scanning.ts'

const LABEL = 'L26110099-2'

/** Counts what the form hears of what is written into it. */
const countInputs = `globalThis.inputs = 0; document.addEventListener('input', () => { globalThis.inputs++ }, { capture: true })`

/** Once the form has heard what was typed, its draft has it. */
const untilKept = (page: Page, text: string) =>
  expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain(text)

const countWritten = `globalThis.written = 0
  document.addEventListener('beforeinput', ({ data }) => { if (data) globalThis.written++ }, { capture: true })`

async function lotOf(page: Page) {
  await openItemOfOrder(page)
  await untilWholeTexts(page)
  const lot = section(page, 'Cabo').getByLabel('Lote')
  await lot.click()
  await page.evaluate(countInputs)
  return lot
}

test('uma etiqueta lida num campo chega ao formulário como leitura, não por suas teclas', async ({ page }) => {
  const lot = await lotOf(page)
  await scan(page, LABEL)
  await expect(readingLine(page)).toContainText('Lote')
  await expect(lot).toHaveValue(LABEL)
  expect(await page.evaluate('inputs')).toBe(0)
})

test('uma mão tão rápida quanto um leitor não perde letra, faça o que fizer depois', async ({ page }) => {
  const lot = await lotOf(page)
  await page.keyboard.type('A')
  await page.keyboard.type('B7')
  await page.keyboard.press('Tab')
  await expect(lot).toHaveValue('AB7')
  await lot.click()
  await page.keyboard.press('End')
  await page.keyboard.type('-X')
  await section(page, 'Cabo').getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(lot).toHaveValue('AB7-X')
  await lot.click()
  await page.keyboard.press('End')
  await page.keyboard.type('9Z')
  // nothing is pressed: the rest of the keys alone says that a hand typed them
  await untilKept(page, 'AB7-X9Z')
  await page.reload()
  await expect(section(page, 'Cabo').getByLabel('Lote')).toHaveValue('AB7-X9Z')
})

/** Keys without an end, a millisecond apart, the last one after `lastGapMs`. */
async function pressQuickly(page: Page, keys: string | string[], lastGapMs = 1): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const gaps = [...Array(keys.length - 2).fill(1), lastGapMs]
  await keyboardOf(devTools).type([...keys], () => gaps.shift(), 0)
  await devTools.detach()
}

test('um formulário que se desenha enquanto se digita não tira letra', async ({ page }) => {
  const lot = await lotOf(page)
  const untilHeard = async (text: string) => {
    await untilKept(page, text)
    await expect(lot).toHaveValue(text)
  }
  await page.keyboard.type('X1', { delay: HAND_MS })
  await untilHeard('X1')
  // as React writes into a box that it draws: what the form knows; before the timer by which the keys rest
  await page.evaluate(`addEventListener('keydown', ({ key, target }) => {
    const known = { D: 'X1', C: 'L9' }[key]
    if (known !== undefined) setTimeout(() => { target.value = known }, 20)
  }, { capture: true })`)
  await pressQuickly(page, 'DB')
  await untilHeard('X1DB')
  await page.keyboard.press('C')
  await untilHeard('X1DBC')
})

test('um número se ouve a cada dígito, e sinais em volta de um código curto ficam na sua ordem', async ({ page }) => {
  const lot = await lotOf(page)
  await pressQuickly(page, '*ABC*7', 60)
  await expect(lot).toHaveValue('*ABC*7')
  // no hand is at the next box before these keys have rested
  await untilKept(page, '*ABC*7')
  const quantity = section(page, 'Cabo').getByLabel('Quantidade de peças')
  await quantity.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.evaluate('globalThis.inputs = 0')
  await page.evaluate(
    `addEventListener('keyup', () => globalThis.heard = globalThis.inputs, { once: true, capture: true })`,
  )
  await page.keyboard.press('5')
  expect(await page.evaluate('heard')).toBe(1)
})

test('teclas que param antes do fim de uma etiqueta ficam no campo, na sua ordem e no seu lugar', async ({ page }) => {
  const lot = await lotOf(page)
  await page.keyboard.type('XY', { delay: HAND_MS })
  await page.keyboard.press('ArrowLeft')
  // longer than within a label, shorter than after one
  await pressQuickly(page, 'L26117', 60)
  await expect(lot).toHaveValue('XL26117Y')
  await page.keyboard.press('Z')
  await expect(lot).toHaveValue('XL26117ZY')
  await lot.blur()
  await expect(lot).toHaveValue('XL26117ZY')
})

test('Backspace entre teclas rápidas tira a última letra, e as outras ficam', async ({ page }) => {
  const lot = await lotOf(page)
  await pressQuickly(page, [...'L2611', 'Backspace', 'Z'], 60)
  await expect(lot).toHaveValue('L261Z')
  await untilKept(page, 'L261Z')
})

test('as letras de uma etiqueta não são escritas pelo navegador uma a uma', async ({ page }) => {
  const lot = await lotOf(page)
  await page.evaluate(countWritten)
  await scan(page, LABEL)
  await expect(lot).toHaveValue(LABEL)
  expect(await page.evaluate('written')).toBeLessThan(4)
})

test('na caixa de uma pesquisa também não, e a etiqueta toma o lugar do que lá estava', async ({ page }) => {
  await logIn(page, 'operador', SEARCH)
  await untilWholeTexts(page)
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.click()
  await page.keyboard.type('123', { delay: HAND_MS })
  await page.evaluate(countWritten)
  await scan(page, ORDER)
  await expect(box).toHaveValue(ORDER)
  await expect(page.getByRole('row').filter({ hasText: '000010' }).first()).toBeVisible()
  expect(await page.evaluate('written')).toBeLessThan(4)
})

test('uma leitura com um sinal que não é da etiqueta fica inteira na caixa da pesquisa', async ({ page }) => {
  await logIn(page, 'operador', SEARCH)
  await untilWholeTexts(page)
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await expect(box).toBeFocused()
  await pressQuickly(page, [...'L26', 'F8', ...'1121001', 'Enter'])
  await expect(toast(page)).toContainText('O leitor manda sinais que não são da etiqueta.')
  await expect(box).toHaveValue('L261121001')
})
