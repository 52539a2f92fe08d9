import type { Page } from '@playwright/test'
import { readerOf, stored } from '../support/journeys/handheld.ts'
import {
  BARCODE,
  expect,
  logIn,
  ORDER,
  openItemOfOrder,
  readingLine,
  readUntil,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { randomFrom } from '../support/journeys/scanning.ts'

const OTHER_BARCODE = '010162140100100002000S'
const BADGE = 'PIC-000000000'

async function openForm(page: Page) {
  await openItemOfOrder(page)
  const cable = section(page, 'Cabo')
  await expect(cable).toBeVisible()
  const reader = await readerOf(page)
  return { lot: cable.getByLabel('Lote', { exact: true }), quantity: cable.getByLabel('Quantidade de peças'), reader }
}

for (const way of ['commit', 'compose'] as const) {
  test(`uma leitura que vem inteira (${way}) faz o que a mesma faz por teclas`, async ({ page }) => {
    const { lot, quantity, reader } = await openForm(page)
    const read = (text: string) => reader.read(text, way)
    await lot.click()
    await read('L261121001')
    await expect(readingLine(page)).toContainText('Lote: L261121001')
    await expect(lot).toHaveValue('L261121001')
    await read('KX0001')
    await expect(readingLine(page)).toContainText('Máquina: KX0001')
    await expect(lot).toHaveValue('L261121001')
    await read(BARCODE)
    await expect(readingLine(page)).toContainText('Confere: item 000010')
    await read(`]C0${BARCODE}`)
    await expect(readingLine(page)).toContainText('Confere: item 000010')
    await read('L261121002')
    await expect(readingLine(page)).toContainText('Lote trocado (antes L261121001)')
    await quantity.click()
    const before = await quantity.inputValue()
    await readUntil(page, 'Lote: L261121003', () => read('L261121003'))
    await expect(quantity).toHaveValue(before)
    // a number pasted into the box of one is no label
    await quantity.selectText()
    await reader[way]('1200')
    await expect(quantity).toHaveValue('1200')
    await lot.click()
    await read(BADGE)
    await expect(toast(page)).toContainText('Crachá e PIN só valem numa estação compartilhada')
    await expect(lot).toHaveValue('L261121002')
    expect(await page.evaluate<string>(stored)).not.toContain(BADGE)
    await read(OTHER_BARCODE)
    await expect(page.getByRole('main')).toContainText('Item 000020')
  })
}

test('na pesquisa uma leitura inteira abre o item, toma o lugar da anterior, e um crachá não é procurado', async ({
  page,
}) => {
  await logIn(page)
  const reader = await readerOf(page)
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.click()
  await reader.commit('L2611210')
  await reader.commit(ORDER)
  await expect(box).toHaveValue(ORDER)
  await reader.enter()
  await expect(page.getByRole('row').filter({ hasText: '000010' }).first()).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  // by a hand
  await box.selectText()
  await box.pressSequentially(BADGE, { delay: 90 })
  await reader.enter()
  await expect(toast(page)).toContainText('Crachá e PIN só valem numa estação compartilhada')
  await expect(box).toHaveValue('')
  expect(requests.filter((url) => url.includes('PIC-'))).toEqual([])
  expect(await page.evaluate<string>(stored)).not.toContain(BADGE)
  await box.click()
  await reader.commit(`]C0${OTHER_BARCODE}`)
  await expect(page.getByRole('region', { name: 'Cabo', exact: true })).toBeVisible()
})

test('40 leituras inteiras no formulário: nenhuma fica na caixa errada, nenhuma se junta à anterior', async ({
  page,
}) => {
  const { lot, quantity, reader } = await openForm(page)
  const random = randomFrom(47)
  const pieces = await quantity.inputValue()
  for (let nth = 0; nth < 40; nth++) {
    const code = random.pick([`L26${1_000_000 + nth}`, 'KX0001', BARCODE])
    const label = random.pick([code, `]C0${code}`, `*${code}*`])
    await (random.chance(0.5) ? lot : quantity).click()
    const before = await lot.inputValue()
    await reader[random.pick(['commit', 'compose'] as const)](label)
    if (random.chance(0.7)) await reader.enter()
    await expect(readingLine(page), label).toContainText(
      /^(Lote|Máquina: KX0001|Confere: item 000010|Nada a preencher)/,
    )
    expect(code.startsWith('L26') ? [before, code] : [before], label).toContain(await lot.inputValue())
    await expect(quantity).toHaveValue(pieces)
  }
})
