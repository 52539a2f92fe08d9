import type { Page } from '@playwright/test'
import { cable, fillCable, SUCCESS } from '../support/journeys/cable.ts'
import {
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  searchFor,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

async function nameWorkplace(page: Page, name: string): Promise<void> {
  await page.goto('/pages/configuracoes')
  await page.getByLabel('Posto de trabalho').fill(name)
  await page.getByRole('button', { name: 'Salvar posto' }).click()
  await expect(toast(page)).toContainText('Posto de trabalho salvo.')
}

const machineOf = (page: Page, part: string) => section(page, part).getByLabel('Máquina', { exact: true })

test('um posto de trabalho limita as máquinas dos formulários; onde ele não tem nenhuma, todas servem', async ({
  page,
}) => {
  await logIn(page)
  await nameWorkplace(page, 'Bancada 2')
  const machines = page.getByRole('region', { name: 'Máquinas do posto' })
  await machines.getByRole('switch', { name: /^PR0001/ }).check({ force: true })
  await machines.getByRole('switch', { name: /^PR0002/ }).check({ force: true })
  await expectAccessible(page)
  await picture(page, 'configuracoes-posto')
  await page.reload()
  await expect(machines.getByRole('switch', { checked: true })).toHaveCount(2)

  await openItemOfOrder(page)
  await expect(machineOf(page, 'Cabo')).toHaveValue('')
  await section(page, 'Terminal Lado 1').getByRole('button', { name: 'Selecionar máquina do lado 1' }).click()
  const list = page.getByRole('dialog', { name: /^Selecionar Máquina/ })
  await expect(list.getByRole('button', { name: /^Selecionar (?!.*filtro)/ })).toHaveCount(2)
  await expect(list).toContainText('Só as máquinas de Bancada 2.')
  await picture(page, 'item-maquinas-do-posto')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Selecionar máquina do cabo' }).click()
  await expect(list.getByRole('button', { name: /^Selecionar KX/ })).toHaveCount(4)

  await page.goto('/pages/configuracoes')
  await machines.getByRole('switch', { name: /^PR0002/ }).uncheck({ force: true })
  await openItemOfOrder(page)
  await expect(machineOf(page, 'Terminal Lado 1'), 'the only one fills itself').toHaveValue(/^PR0001/)
})

test('com um posto de trabalho a última máquina fica para a próxima pessoa; sem ele, não', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await cable(page).getByLabel('Quantidade de peças').fill('10')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText(SUCCESS)

  const openOther = async () => {
    await logIn(page, 'admin')
    await searchFor(page, ORDER)
    await openItem(page, '000020')
  }
  await openOther()
  await expect(machineOf(page, 'Terminal Lado 1')).toBeVisible()
  await expect(machineOf(page, 'Cabo')).toHaveValue('')

  await nameWorkplace(page, 'Corte 1')
  await openOther()
  await expect(machineOf(page, 'Cabo')).toHaveValue(/^KX0001/)
  await expect(cable(page)).toContainText('deste tablet')
  await expect(cable(page), 'a lot is its shift’s').not.toContainText('Usar L261121001')
})
