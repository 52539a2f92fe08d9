import { cable, fillCable, NO_NETWORK, registerPieces, SUCCESS } from '../support/journeys/cable.ts'
import {
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  queryPanel,
  searchFor,
  section,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { COLLEAGUE, test } from '../support/journeys/plant.ts'

test('o que outra pessoa aponta muda o que resta, e não a quantidade que foi digitada', async ({
  page,
  browser,
  baseURL,
}) => {
  await openItemOfOrder(page)
  await expect(cable(page)).toContainText('Restam 120 peças')
  await cable(page).getByLabel('Quantidade de peças').fill('30')
  await cable(page).getByLabel('Lote').click()

  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await logIn(other, COLLEAGUE)
  await searchFor(other, ORDER)
  await openItem(other)
  await fillCable(other)
  await registerPieces(other, 80)
  await expect(toast(other)).toContainText(SUCCESS)

  await expect(cable(page)).toContainText('Restam agora 40')
  await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('30')
  await picture(page, 'item-restam-agora')
  await cable(page).getByLabel('Quantidade de peças').fill('20')
  await expect(cable(page)).toContainText('Restam 40 peças')
  await other.context().close()
})

const AGED = /Restam 120 peças · segundo dados de \d\d:\d\d/

test('sem o ERP e sem rede o que resta diz de quando é', async ({ page, erp, tolerate }) => {
  tolerate(NO_NETWORK)
  // the machines of a field, where the ERP went before they were asked for the first time
  tolerate(/503.*\/api\/maquinas/)
  await openItemOfOrder(page)
  await expect(cable(page)).toContainText('Restam 120 peças')
  await expect(cable(page)).not.toContainText('segundo dados de')
  await erp.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await page.reload()
  await expect(cable(page)).toContainText(AGED)
  await expect(section(page, 'Terminal Lado 1')).toContainText(AGED)
  await picture(page, 'item-dados-de')

  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  await openItem(page)
  await expect(cable(page)).toContainText(AGED)
  await page.context().setOffline(false)
})

test('um item que saiu do ERP continua na tela, com o que foi digitado, e não se registra', async ({
  page,
  panel,
  erp,
  tolerate,
}) => {
  tolerate(/status of (404|422)/)
  await openItemOfOrder(page)
  await fillCable(page)
  await erp.state.setFaults([{ id: 'F33' }])
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Este item não está mais no ERP')
  for (const name of ['Registrar cabo', 'Registrar lado 1', 'Registrar lado 2']) {
    await expect(page.getByRole('button', { name })).toBeDisabled()
  }
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  expect(queryPanel(panel, "select id from recordings where state <> 'refused'")).toEqual([])
  await expectAccessible(page)
  await picture(page, 'item-fora-do-erp')
})
