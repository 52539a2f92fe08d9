import type { Page } from '@playwright/test'
import { fillSide1, MEASURE, measureSide1, registerIn, SENT } from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, section, toast } from '../support/journeys/journey.ts'
import { test } from '../support/journeys/plant.ts'

const WAITING = 'Apontamento salvo. Será enviado ao ERP assim que ele responder.'

const side1 = (page: Page) => section(page, 'Terminal Lado 1')

test('o que só espera pela sua medição, com rede, não se diz salvo neste dispositivo nem enviado depois', async ({
  page,
  erp,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(MEASURE, async (route) => {
    await released
    await route.continue()
  })
  await openItemOfOrder(page)
  await fillSide1(page, /MA-0001|Sem Cadastro/)
  await erp.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await measureSide1(page, '1,1', '92')
  await registerIn(side1(page), 'Registrar lado 1', 10)
  await expect(side1(page)).toContainText('aguardando envio')
  await expect(page.getByText(/Salvo neste dispositivo/)).toHaveCount(0)
  release()
  await expect(toast(page).getByText(WAITING).or(toast(page).getByText(SENT))).toBeVisible()
  await expect(toast(page)).toContainText(WAITING)
})
