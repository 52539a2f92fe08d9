import type { Page } from '@playwright/test'
import {
  expectNothingWaiting,
  fillCable,
  fillSide1,
  NO_NETWORK,
  piecesAtServer,
  RECORD,
  registerPieces,
} from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  crimpsOf,
  expect,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  queryPanel,
  searchFor,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { zoneInTheMorning } from '../support/journeys/morning.ts'
import {
  openToday,
  saveScrap,
  scrapHoursAgo,
  scrapsAtServer,
  THROW_AWAY,
  undoOf,
} from '../support/journeys/scrapping.ts'
import type { Panel } from '../support/panel.ts'
import { LONG, STEP_MS } from '../support/slowness.ts'

test.use({ panelEnv: { TIME_ZONE: zoneInTheMorning() } })

const undoneInTrail = (panel: Panel) =>
  queryPanel(panel, "select user_name, reason from audit_entries where action = 'scrap_undone'")

test('o autor desfaz no turno, e dois toques desfazem uma vez', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const before = crimpsOf(panel, 'MA-0001')
  await saveScrap(page, 'Altura fora', 12)
  await expect(toast(page)).toContainText('Refugo salvo: 12')
  const list = await openToday(page, '12 (Altura fora)')
  await undoOf(list, 'Altura fora').dblclick()
  await expect(toast(page)).toContainText('Refugo desfeito.')
  await expect(list).toBeHidden()
  expect(crimpsOf(panel, 'MA-0001')).toBe(before)
  expect(undoneInTrail(panel)).toHaveLength(1)
})

test('no turno seguinte só quem corrige desfaz, com motivo; o contador zerado no meio fica como está', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/403/)
  await openItemOfOrder(page)
  await fillSide1(page)
  await saveScrap(page, 'Altura fora', 12)
  await expect(toast(page)).toContainText('Refugo salvo: 12')
  const pressed = Promise.withResolvers<void>()
  let isShiftOver = false
  await page.route('**/api/refugos?*', async (route) => {
    const response = await route.fetch()
    if (isShiftOver) await pressed.promise
    await route.fulfill({ response })
  })
  let list = await openToday(page, '12 (Altura fora)')
  await expect(undoOf(list, 'Altura fora')).toBeVisible()
  // the shift ended while the list was open, and nothing has told the page
  isShiftOver = true
  scrapHoursAgo(panel, 5)
  await undoOf(list, 'Altura fora').click()
  await expect(toast(page)).toContainText('Acesso não permitido')
  pressed.resolve()
  await expect(undoOf(list, 'Altura fora')).toBeHidden()
  await page.unrouteAll({ behavior: 'wait' })
  const ask = await colleagueAt(panel)
  const reset = { miniaplicator: 'MA-0001', newLimitOfCrimps: 50_000 }
  await ask('POST', '/api/crimpagens/MA-0001/reset', reset)
  await logIn(page, 'admin')
  await searchFor(page, ORDER)
  await openItem(page)
  list = await openToday(page, '12 (Altura fora)')
  await undoOf(list, 'Altura fora').click()
  const dialog = page.getByRole('dialog', { name: 'Desfazer refugo' })
  await expect(dialog.getByRole('button', { name: 'Salvar' })).toBeDisabled()
  await dialog.getByLabel('Motivo').fill('Contou errado')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Refugo desfeito.')
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 12, undone: 1 }])
  expect(crimpsOf(panel, 'MA-0001'), 'reset, and of nothing crimped since').toBe(0)
  expect(undoneInTrail(panel)).toMatchObject([{ reason: 'Contou errado' }])
})

const UNDO = `${THROW_AWAY}/*/estorno`

/** The server has it, and the answer is lost for as long as this holds; the tablet then undoes its own. */
async function undoUnanswered(page: Page, beforeUndo: () => Promise<unknown>): Promise<void> {
  await page.route(THROW_AWAY, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await saveScrap(page, 'Altura fora', 12)
  const list = await openToday(page, '12 (Altura fora)')
  await expect(list).toContainText('aguardando envio')
  await beforeUndo()
  await expect(async () => {
    await undoOf(list, 'Altura fora').click({ timeout: STEP_MS })
    await expect(list).toBeHidden({ timeout: STEP_MS })
  }).toPass()
  await expect(toast(page)).toContainText('Refugo desfeito.')
}

test('o que pode ter chegado ao servidor se desfaz no tablet sem rede, e no servidor quando ela volta', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  const before = crimpsOf(panel, 'MA-0001')
  await undoUnanswered(page, async () => {
    await context.setOffline(true)
    await page.unrouteAll({ behavior: 'wait' })
  })
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 12, undone: 0 }])
  await context.setOffline(false)
  await expectNothingWaiting(page)
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 12, undone: 1 }])
  expect(crimpsOf(panel, 'MA-0001')).toBe(before)
})

test('o que o autor desfez no tablet só se desfaz no servidor quando ele entra', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await undoUnanswered(page, () => page.route(UNDO, (route) => route.abort()))
  await logIn(page, 'admin', '/pages/pendencias')
  await page.unrouteAll({ behavior: 'wait' })
  const waiting = page.getByRole('list', { name: 'Apontamentos neste dispositivo' })
  await expect(waiting).toContainText('Peça a Maria Souza que entre neste dispositivo.')
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 12, undone: 0 }])
  await logIn(page, 'operador', '/pages/pendencias')
  await expect.poll(() => scrapsAtServer(panel), LONG).toMatchObject([{ pieces: 12, undone: 1 }])
  await expectNothingWaiting(page)
})

test('o que o servidor não deixa desfazer é dito, e fica contado', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 403/)
  await openItemOfOrder(page)
  await fillSide1(page)
  await undoUnanswered(page, async () => {
    await page.route(UNDO, (route) => route.abort())
    // of an earlier shift: only who leads undoes it
    scrapHoursAgo(panel, 24)
  })
  await page.unrouteAll({ behavior: 'wait' })
  await expect(toast(page).filter({ hasText: 'Não foi desfeito' })).toContainText('Refugo · Terminal Lado 1', LONG)
  await expectNothingWaiting(page)
  expect(scrapsAtServer(panel)).toMatchObject([{ pieces: 12, undone: 0 }])
})

test('o que se desfez não segura a fila, ainda que o servidor já não tenha o programa que o desfaz', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await fillSide1(page)
  await undoUnanswered(page, async () => {
    for (const address of [UNDO, RECORD]) await page.route(address, (route) => route.abort())
  })
  await registerPieces(page, 5)
  await expect(page.getByRole('link', { name: /^Pendências: 2 neste dispositivo/ })).toBeVisible()
  await page.route('**/assets/undo-*.js', (route) => route.abort())
  await page.reload()
  await page.unroute(RECORD)
  await expect.poll(() => piecesAtServer(panel), LONG).toEqual([5])
})
