import type { Page } from '@playwright/test'
import {
  fillCable,
  fillSide1,
  MEASURE,
  measureSide1,
  NO_NETWORK,
  partOf,
  RECORD,
  registerIn,
  registerPieces,
  SAVED,
  SENT,
  SUCCESS,
} from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, readingLine, section, toast } from '../support/journeys/journey.ts'
import { test } from '../support/journeys/plant.ts'

const WAITING = 'Apontamento salvo. Será enviado ao ERP assim que ele responder.'

const side1 = (page: Page) => section(page, 'Terminal Lado 1')

/** What is below the line stays where it is. At the top of the page: further down the line names the item too. */
const heightOf = async (page: Page) => {
  await page.evaluate('scrollTo(0, 0)')
  return (await readingLine(page).locator('..').boundingBox())?.height
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`o que deu certo está na linha de leitura, e nada se move: ${viewport.width}x${viewport.height}`, async ({
    page,
    tolerate,
  }) => {
    tolerate(NO_NETWORK)
    await page.setViewportSize(viewport)
    await openItemOfOrder(page)
    await fillCable(page)
    const height = viewport.width < 768 ? 64 : 52
    await expect.poll(() => heightOf(page)).toBe(height)
    await registerPieces(page, 10)
    await expect(readingLine(page)).toHaveText('Registrado: 10 peças · Cabo')
    await expect(toast(page), 'the specification names it').toContainText(SUCCESS)
    await expect.poll(() => heightOf(page)).toBe(height)

    await page.context().setOffline(true)
    await toast(page).getByRole('button', { name: 'Fechar' }).click()
    await registerPieces(page, 20)
    await expect(readingLine(page)).toHaveText('Salvo neste dispositivo: 20 peças · Cabo')
    await expect.poll(() => heightOf(page)).toBe(height)
    await expect(toast(page).getByRole('status')).toHaveCount(0)

    await page.context().setOffline(false)
    await expect(readingLine(page)).toHaveText('Enviado: 20 peças · Cabo')
    await expect(toast(page).getByText(SENT)).toHaveCount(0)
  })
}

test('o que a linha de leitura pergunta fica: o que deu certo se diz num aviso', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(RECORD, async (route) => {
    await released
    await route.abort()
  })
  await openItemOfOrder(page)
  await fillCable(page)
  const [registerCable, registerSide1] = ['cabo', 'lado 1'].map((part) =>
    page.getByRole('button', { name: `Registrar ${part}` }),
  )
  await registerCable?.press('Enter')
  // before the attempt of the cable is given up
  await registerSide1?.press('Enter')
  await expect(readingLine(page)).toContainText('Falta')
  release()
  await expect(toast(page)).toContainText(SAVED)
  await expect(readingLine(page)).toContainText('Falta')
})

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
  await expect(partOf(page, 'l1')).toContainText('peças aguardando envio')
  await expect(page.getByText(/Salvo neste dispositivo/)).toHaveCount(0)
  release()
  await expect(toast(page).getByText(WAITING).or(toast(page).getByText(SENT))).toBeVisible()
  await expect(toast(page)).toContainText(WAITING)
})
