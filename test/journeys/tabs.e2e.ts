import type { BrowserContext } from '@playwright/test'
import {
  badge,
  cable,
  expectNothingWaiting,
  fillCable,
  NO_NETWORK,
  piecesAtErp,
  piecesAtServer,
  RECORD,
  saveHere,
  watchSent,
} from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, test, toast } from '../support/journeys/journey.ts'

/** A page on plain HTTP has none: then both tabs may send, and the id tells repetitions. */
const leaveWithoutLocks = (context: BrowserContext) =>
  context.addInitScript(`Object.defineProperty(navigator, 'locks', { value: undefined })`)

for (const locks of ['com', 'sem'] as const) {
  test(`duas abas ${locks} travas do navegador: cada apontamento uma vez`, async ({
    page,
    context,
    panel,
    tolerate,
  }) => {
    tolerate(NO_NETWORK)
    if (locks === 'sem') await leaveWithoutLocks(context)
    await openItemOfOrder(page)
    await fillCable(page)
    const other = await context.newPage()
    await other.goto('/pages/pendencias')
    await expect(other.getByText('Nada pendente', { exact: true })).toBeVisible()
    await context.setOffline(true)
    await saveHere(page, 5, 7, 9)
    await expect(other.getByRole('listitem').filter({ hasText: 'Aguardando envio' })).toHaveCount(3)
    const sent = watchSent(context)
    await context.setOffline(false)
    await expectNothingWaiting(page)
    await expectNothingWaiting(other)
    if (locks === 'com') expect(sent.map(({ body }) => body.QTD_REALIZADA)).toEqual([5, 7, 9])
    expect(piecesAtServer(panel)).toEqual([5, 7, 9])
    await expect.poll(() => piecesAtErp(panel)).toBe(21)
  })
}

test('sem travas a outra aba não envia o que está sendo recusado na frente do operador', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(/status of 409/)
  await leaveWithoutLocks(context)
  await openItemOfOrder(page)
  await fillCable(page)
  const other = await context.newPage()
  await other.goto('/pages/pendencias')
  await expect(other.getByText('Nada pendente', { exact: true })).toBeVisible()
  const sent = watchSent(context)
  const json = { message: 'Quantidade maior que o saldo disponível. Restam 3 peças.', code: 'quantity_exceeds_balance' }
  let refuse = () => undefined as unknown
  const isRefused = new Promise((resolve) => {
    refuse = () => resolve(null)
  })
  await page.route(RECORD, async (route) => {
    await isRefused
    await route.fulfill({ status: 409, json })
  })
  await cable(page).getByLabel('Quantidade de peças').fill('5')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect.poll(() => sent.length).toBe(1)
  // The second pass asks for the status when the first is through.
  for (const _pass of [1, 2]) {
    const nextPoll = other.waitForResponse('**/api/status')
    await other.evaluate('void window.dispatchEvent(new Event("online"))')
    await nextPoll
  }
  refuse()
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: quantity_exceeds_balance')
  await expect(badge(page)).toBeHidden()
  await expect(badge(other)).toBeHidden()
  expect(sent).toHaveLength(1)
  expect(piecesAtServer(panel)).toEqual([])
})
