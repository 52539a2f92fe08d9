import type { Page } from '@playwright/test'
import {
  badge,
  cable,
  fillCable,
  NO_NETWORK,
  piecesAtServer,
  RECORD,
  SAVED_HERE,
  SUCCESS,
  saveHere,
} from '../support/journeys/cable.ts'
import {
  expect,
  expectAccessible,
  logIn,
  openItemOfOrder,
  readingLine,
  section,
  test,
  toast,
  withoutStream,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt } from '../support/journeys/tab-to.ts'
import { LONG, STEP_MS } from '../support/slowness.ts'

/** What the server will not take as it is stays on the device. */

/** Five pieces that the server turns away and seven that it takes, in Pendências. */
async function holdFive(page: Page): Promise<void> {
  await openItemOfOrder(page)
  await fillCable(page)
  const details = [{ field: 'LOTE_CABO', message: 'Texto longo demais (máximo 60)' }]
  const json = { message: 'Dados inválidos. Verifique os campos.', code: 'input_invalid', details }
  await page.route(RECORD, (route) =>
    (route.request().postDataJSON() as { QTD_REALIZADA: number }).QTD_REALIZADA === 5
      ? route.fulfill({ status: 400, json })
      : route.fallback(),
  )
  await page.route('**/api/**', (route) => route.abort())
  await saveHere(page, 5, 7)
  await page.unroute('**/api/**')
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  await expect(badge(page)).toHaveAccessibleName('Pendências: 1 neste dispositivo', LONG)
  await badge(page).click()
}

test('o que o servidor não aceita da fila fica à vista e não segura o resto', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 400/)
  await holdFive(page)
  expect(piecesAtServer(panel)).toEqual([7])
  const here = section(page, 'Neste dispositivo')
  await expect(here.getByRole('listitem')).toHaveCount(1)
  await expect(here).toContainText('Cabo · 5 peças')
  await expect(here).toContainText('Maria Souza')
  await expect(here).toContainText('Lote: Texto longo demais (máximo 60).Detalhes')
  await here.getByRole('button', { name: 'Detalhes' }).click()
  await expect(here).toContainText('Código: input_invalid')
  await expectAccessible(page)
  await picture(page, 'pendencias-precisa-de-ajuda')

  await page.unroute(RECORD)
  await enterAt(page, 'Enviar agora')
  await expect(here).toContainText('Nenhum apontamento aguardando envio neste dispositivo.')
  expect(piecesAtServer(panel)).toEqual([7, 5])
})

test('o que o servidor não aceita volta ao formulário, é corrigido e registrado uma vez', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 400/)
  await holdFive(page)
  await enterAt(page, 'Devolver ao formulário: Cabo · 5 peças')
  const dialog = page.getByRole('alertdialog', { name: 'Devolver ao formulário?' })
  await expect(dialog).toContainText('Ele só conta depois que você corrigir e registrar.')
  await expect(dialog.getByText('será substituído')).toHaveCount(0)
  await expectAccessible(page)
  await enterAt(page, 'Cancelar')
  await expect(dialog).toBeHidden()
  await expect(section(page, 'Neste dispositivo').getByRole('listitem')).toHaveCount(1)

  await enterAt(page, 'Devolver ao formulário: Cabo · 5 peças')
  await enterAt(page, dialog.getByRole('button', { name: 'Devolver', exact: true }))
  await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('5')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0001/)
  await expect(cable(page)).toContainText('Restam 113 peças')
  await expect(badge(page)).toBeHidden()

  await page.reload()
  await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('5')
  await cable(page).getByLabel('Quantidade de peças').fill('4')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText(SUCCESS)
  expect(piecesAtServer(panel)).toEqual([7, 4])
})

test('o administrador que devolve ao formulário o que é de outro sabe que passa a ser dele', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 400/)
  await holdFive(page)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await logIn(page, 'admin')
  await badge(page).click()
  await page.getByRole('button', { name: 'Devolver ao formulário: Cabo · 5 peças' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'o apontamento passa para o seu nome, e não o de Maria Souza.',
  )
})

test('o que espera neste dispositivo fica à vista enquanto uma lista que não veio se lê de novo', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await withoutStream(page)
  await fillCable(page)
  const answer = Promise.withResolvers<void>()
  let isHeld = false
  await page.route('**/api/pendencias', async (route) => {
    if (!isHeld) return await route.abort()
    await answer.promise
    await route.continue()
  })
  await page.route(RECORD, (route) => route.abort())
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.getByRole('link', { name: /^Pendências: 1 neste dispositivo/ }).click()
  const waiting = page.getByRole('list', { name: 'Apontamentos neste dispositivo' })
  await expect(waiting).toContainText('Cabo')
  await expect(page.getByRole('alert')).toBeVisible()
  isHeld = true
  // the list asks by itself too, and has no button while it does
  await page
    .getByRole('button', { name: 'Tentar novamente' })
    .click({ timeout: STEP_MS })
    .catch(() => null)
  await expect(page.getByRole('alert')).toBeHidden()
  expect(await waiting.isVisible()).toBe(true)
  answer.resolve()
})
