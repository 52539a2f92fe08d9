import type { Locator, Page } from '@playwright/test'
import {
  badge,
  expectNothingWaiting,
  fillSide1,
  MEASURE,
  measureSide1,
  NO_NETWORK,
  RECORD,
  registerIn,
  SAVED_HERE,
} from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  BARCODE,
  crimpsOf,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItemOfOrder,
  queryPanel,
  readErpItem,
  readingLine,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import type { Panel } from '../support/panel.ts'
import { LONG } from '../support/slowness.ts'

/** What comes after an administrator has ended the session waits for an administrator. */

async function recordOffline(page: Page): Promise<void> {
  await openItemOfOrder(page)
  await fillSide1(page)
  await page.context().setOffline(true)
  for (const pieces of [1, 2, 4, 8, 16]) {
    await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', pieces)
    await expect(readingLine(page)).toContainText(SAVED_HERE)
  }
  await expect(badge(page)).toHaveAccessibleName('Pendências: 5 neste dispositivo')
}

async function endSessions(panel: Panel): Promise<void> {
  const admin = await colleagueAt(panel)
  const sessions = await admin<{ id: string; username: string }[]>('GET', '/api/sessoes')
  for (const { id, username } of sessions) if (username === 'operador') await admin('DELETE', `/api/sessoes/${id}`)
}

async function discard(retained: Locator, pieces: string): Promise<void> {
  await retained.getByRole('button', { name: `Descartar: Terminal Lado 1 · ${pieces}`, exact: true }).click()
  const dialog = retained.page().getByRole('alertdialog', { name: 'Descartar 1 apontamento?' })
  await dialog.getByLabel('Motivo').fill('Conferido com a Maria')
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  await expect(dialog).toBeHidden()
}

async function takeRest(retained: Locator): Promise<void> {
  const page = retained.page()
  await retained.getByRole('button', { name: /^Aceitar todos/ }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Aceitar 3 apontamentos?' })
  await dialog.getByRole('button', { name: 'Aceitar' }).click()
  await expect(dialog).toContainText('Informe o motivo.')
  await dialog.getByLabel('Motivo').fill('Conferidos com a Maria')
  await dialog.getByRole('button', { name: 'Aceitar' }).click()
  await expect(toast(page)).toContainText('3 apontamentos aceitos.')
}

test('de cinco apontamentos de uma sessão encerrada, o administrador aceita três e só eles contam', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 401/)
  const before = crimpsOf(panel, 'MA-0001')
  await recordOffline(page)
  await endSessions(panel)
  await context.setOffline(false)

  await expect(page.getByRole('heading', { name: 'Entrar' })).toBeVisible(LONG)
  await expect(page.getByText('5 apontamentos deste dispositivo: Guardado. Um administrador decide.')).toBeVisible(LONG)
  await expectAccessible(page)
  await picture(page, 'entrar-retidos')
  expect(crimpsOf(panel, 'MA-0001')).toBe(before)
  expect(queryPanel(panel, 'select id from recordings')).toEqual([])
  expect(await readErpItem(panel, ORDER, BARCODE)).toMatchObject({ Z1_QTREGL1: 0 })

  await logIn(page, 'admin')
  await badge(page).click()
  const retained = section(page, 'Retidos')
  await expect(retained.getByRole('heading', { level: 3 })).toHaveText(
    /^5 apontamentos de Maria Souza.* depois que um administrador encerrou a sessão$/,
  )
  await expect(section(page, 'Neste dispositivo').getByText('Retido', { exact: true })).toHaveCount(5)
  await expectAccessible(page)
  await picture(page, 'pendencias-retidos')
  await discard(retained, '2 peças')
  await discard(retained, '8 peças')
  await takeRest(retained)
  await expect(retained).toBeHidden()

  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(section(page, 'Neste dispositivo')).toContainText(
    'Nenhum apontamento aguardando envio neste dispositivo.',
  )
  await expect.poll(async () => (await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGL1).toBe(21)
  expect(crimpsOf(panel, 'MA-0001')).toBe(before + 21)
  expect(queryPanel(panel, 'select pieces, operator from recordings order by pieces')).toEqual(
    [1, 4, 16].map((pieces) => ({ pieces, operator: 'Maria Souza' })),
  )
})

test('a medição e o apontamento de uma sessão encerrada contam quando quem os fez entra de novo', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 401/)
  await openItemOfOrder(page)
  await fillSide1(page)
  for (const call of [RECORD, MEASURE]) await page.route(call, (route) => route.abort())
  await measureSide1(page, '1,1', '75')
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', 3)
  await expect(badge(page)).toHaveAccessibleName('Pendências: 2 neste dispositivo')
  await endSessions(panel)
  for (const call of [RECORD, MEASURE]) await page.unroute(call)
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  await expect(page.getByRole('heading', { name: 'Entrar' })).toBeVisible(LONG)
  await expect(page.getByText('1 apontamento deste dispositivo: Guardado. Um administrador decide.')).toBeVisible(LONG)
  await expect(page.getByText('Guardado sem confirmação do autor. Peça que ele entre neste dispositivo.')).toBeVisible()
  await picture(page, 'entrar-medicao-retida')
  const made = "select counted, findings from measurements where act_id not like '00000000-0000-4000-8000-%'"
  const samples = () => queryPanel(panel, made)
  // measured without naming a gauge, under a plan that names one
  const doubted = { counted: 0, findings: 'sem-instrumento autor-nao-confirmado' }
  expect(samples()).toEqual([doubted, doubted])

  await logIn(page)
  await expectNothingWaiting(page)
  const good = { counted: 1, findings: 'sem-instrumento' }
  expect(samples()).toEqual([good, good])
  expect(queryPanel(panel, 'select pieces, operator from recordings')).toEqual([{ pieces: 3, operator: 'Maria Souza' }])
})
