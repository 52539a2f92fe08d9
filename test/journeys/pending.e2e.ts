import type { Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { badge, NO_NETWORK, partOf, RECORD, SAVED_HERE, SUCCESS, watchSent } from '../support/journeys/cable.ts'
import {
  BARCODE,
  crimpsOf,
  expect,
  expectAccessible,
  HAND_MS,
  logIn,
  ORDER,
  openItemOfOrder,
  pick,
  queryPanel,
  readErpItem,
  readingLine,
  section,
  test,
  toast,
  withoutStream,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'
import { LONG } from '../support/slowness.ts'

const NEEDS_PERSON = 'Exigem ação'
const crimpsAtErp = async (panel: Panel) => Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGL1)

/** Of a lot that the ERP refuses. */
async function fillTenCrimps(page: Page): Promise<void> {
  await openItemOfOrder(page)
  const terminal = section(page, 'Terminal Lado 1')
  await terminal.getByLabel('Lote').fill(sampleBlockedLot)
  await terminal.getByLabel('Quantidade de peças').fill('10')
  await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T1326030', /MA-0001/)
  await pick(page, 'Selecionar máquina do lado 1', 'Selecionar Máquina - Terminal Lado 1', /PR0001/)
}

/** The operator records ten crimps without network, and the ERP refuses the lot once it hears of it. */
async function parkTenCrimps(page: Page): Promise<void> {
  await fillTenCrimps(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.context().setOffline(false)
  await expect(badge(page)).toHaveAccessibleName('Pendências: 1 exige ação', LONG)
}

async function logInAsAdmin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await logIn(page, 'admin', '/pages/pendencias')
}

const decisions = (panel: Panel) =>
  queryPanel<{ action: string; user_name: string; reason: string | null }>(
    panel,
    'select action, user_name, reason from audit_entries order by id',
  )

test('o autor corrige o que o ERP recusou e reenvia, e o contador anda só a diferença', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await parkTenCrimps(page)
  await badge(page).click()
  const group = section(page, NEEDS_PERSON)
  await expect(group.getByRole('listitem')).toHaveCount(1)
  for (const text of ['Terminal Lado 1 · 10 peças', 'Recusado', 'Lote bloqueado', 'Maria Souza', BARCODE, 'MA-0001']) {
    await expect(group).toContainText(text)
  }
  await expect(group.getByRole('button', { name: /Marcar como entregue|Descartar/ })).toHaveCount(0)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 10)
  await expectAccessible(page)

  await group.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await expect(dialog.getByLabel('Lote')).toHaveValue(sampleBlockedLot)
  await expectAccessible(page)
  await picture(page, 'pendencias-corrigir')
  await dialog.getByLabel('Lote').fill('B23-004517/2')
  await dialog.getByLabel('Quantidade de peças').fill('7')
  await dialog.getByRole('button', { name: 'Reenviar' }).dblclick()
  await expect(dialog).toBeHidden()
  await expect(toast(page).getByText(SUCCESS)).toHaveCount(1)
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expect(badge(page)).toBeHidden()
  expect(await crimpsAtErp(panel)).toBe(7)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 7)
  expect(decisions(panel)).toEqual([{ action: 'corrected', user_name: 'operador', reason: null }])
})

test('o autor chega às Pendências, corrige e reenvia só com o teclado', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await parkTenCrimps(page)
  await enterAt(page, /^Pendências: 1 exige/, 'link')
  await expect(section(page, NEEDS_PERSON).getByRole('listitem')).toHaveCount(1)
  await enterAt(page, /^Corrigir e reenviar/)
  await expect(page.getByRole('dialog', { name: 'Corrigir e reenviar' }).getByLabel('Lote')).toHaveValue(
    sampleBlockedLot,
  )
  await tabTo(page, 'Lote', 'textbox')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('L261118004', { delay: 80 })
  await enterAt(page, 'Reenviar')
  await expect(toast(page).getByText(SUCCESS)).toHaveCount(1)
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  expect(await crimpsAtErp(panel)).toBe(10)
})

test('uma correção cuja resposta se perdeu é repetida sem contar de novo, também depois de recarregar', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 409/)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await parkTenCrimps(page)
  const keys: (string | undefined)[] = []
  await page.route(
    '**/correcao',
    async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length === 2) await route.fetch()
      await (keys.length < 3 ? route.abort() : route.continue())
    },
    { times: 3 },
  )
  await badge(page).click()
  const open = page.getByRole('button', { name: 'Corrigir e reenviar' })
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await open.click()
  await dialog.getByLabel('Lote').fill('B23-004517/2')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Sem conexão com o servidor')
  await picture(page, 'pendencias-corrigir-sem-rede')
  await page.reload()
  await open.click()
  await expect(dialog.getByLabel('Lote')).toHaveValue('B23-004517/2')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Sem conexão com o servidor')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(toast(page)).toContainText(SUCCESS)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(await crimpsAtErp(panel)).toBe(10)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 10)
})

test('o que se corrige fica dentro do saldo, e o que falta é pedido antes de enviar', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await parkTenCrimps(page)
  await badge(page).click()
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  const resend = dialog.getByRole('button', { name: 'Reenviar' })
  await dialog.getByLabel('Quantidade de peças').fill('500')
  await resend.click()
  await expect(dialog).toContainText('Quantidade deve estar entre 1 e 120. Corrigido para 120')
  await expect(dialog.getByLabel('Quantidade de peças')).toHaveValue('120')
  await dialog.getByLabel('Lote').fill('')
  await resend.click()
  await expect(dialog).toContainText('Erro: Preencha todos os campos obrigatórios do terminal L1')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  await expect(dialog.getByLabel('Quantidade de peças')).toHaveValue('10')
})

test('uma correção tem os limites do formulário, e uma força abaixo do mínimo pede o motivo', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await parkTenCrimps(page)
  await badge(page).click()
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  const force = dialog.getByRole('textbox', { name: 'Força de extração (N)' })
  await expect(force).toHaveAccessibleDescription('mín. 70 N')
  await expect(dialog.getByRole('textbox', { name: 'Altura de crimpagem (mm)' })).toHaveAccessibleDescription(
    'nominal 1,10 mm',
  )
  await dialog.getByLabel('Lote').fill('B23-004517/2')
  await force.fill('60')
  await expect(force).toHaveAccessibleDescription('Abaixo do mínimo de 70 N')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  const question = page.getByRole('alertdialog', { name: 'Registrar com força abaixo do mínimo?' })
  await expect(question).toContainText('Força informada: 60. Abaixo do mínimo de 70 N.')
  await expectAccessible(page)
  await picture(page, 'pendencias-abaixo-do-minimo')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(force).toHaveValue('60')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await question.getByLabel('Motivo').selectOption('Liberado pela Qualidade')
  const sent = page.waitForRequest('**/correcao')
  await question.getByRole('button', { name: 'Registrar' }).click()
  expect((await sent).postDataJSON().captura).toMatchObject({ motivoForaDoLimite: { motivo: 'liberado', texto: '' } })
  await expect(toast(page).getByText(SUCCESS)).toHaveCount(1)
  expect(decisions(panel)).toEqual(
    expect.arrayContaining([
      { action: 'recorded_below_limit', user_name: 'operador', reason: 'Liberado pela Qualidade' },
    ]),
  )
})

test('um administrador descarta com um motivo, só com o teclado, e as peças saem do contador', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await parkTenCrimps(page)
  await logInAsAdmin(page)
  const discard = page.getByRole('button', { name: 'Descartar: Terminal Lado 1 · 10 peças' })
  await discard.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Descartar apontamento?' })
  await expect(dialog).toContainText('saem da produção e do contador do mini aplicador MA-0001')
  const reason = dialog.getByRole('textbox', { name: 'Motivo' })
  await expect(reason).toBeFocused()
  await expectAccessible(page)
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await expect(dialog).toContainText('Informe o motivo.')
  await picture(page, 'pendencias-descartar')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(discard).toBeFocused()
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 10)

  await page.keyboard.press('Enter')
  await expect(reason).toBeFocused()
  await page.keyboard.type('apontado em dobro')
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expect(toast(page)).toContainText('Apontamento descartado.')
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore)
  expect(await crimpsAtErp(panel)).toBe(0)
  expect(decisions(panel)).toEqual([{ action: 'discarded', user_name: 'admin', reason: 'apontado em dobro' }])
})

test('o que foi recusado com o mesmo motivo volta ao ERP de uma vez, que é consultado antes', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await parkTenCrimps(page)
  // the same part would be registered in place of what was refused
  const title = 'Selecionar Mini Aplicador - Terminal T0925590'
  await pick(page, 'Selecionar mini aplicador do lado 2', title, /Sem Cadastro/)
  await pick(page, 'Selecionar máquina do lado 2', 'Selecionar Máquina - Terminal Lado 2', /PR0001/)
  const side2 = section(page, 'Terminal Lado 2')
  await side2.getByLabel('Lote').pressSequentially(sampleBlockedLot, { delay: HAND_MS })
  await side2.getByLabel('Quantidade de peças').fill('7')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar lado 2' }).click()
  await expect(partOf(page, 'l2')).toContainText('7 peças aguardando envio')
  await page.context().setOffline(false)
  await expect(badge(page)).toHaveAccessibleName('Pendências: 2 exigem ação')
  await logInAsAdmin(page)
  const group = section(page, NEEDS_PERSON)
  await expect(group).toContainText('2 apontamentos com o mesmo motivo: Lote bloqueado')
  await expectAccessible(page)
  await picture(page, 'pendencias-reenviar-todos')
  await group.getByRole('button', { name: 'Reenviar todos: Lote bloqueado' }).dblclick()
  await expect(toast(page)).toContainText('2 apontamentos voltam ao ERP.')
  // the ERP, asked first, knows them and says no again
  await expect(group).toContainText('2 apontamentos com o mesmo motivo: Lote bloqueado')
  await expect(section(page, 'Aguardando o ERP')).toContainText('Nenhum apontamento aguardando o ERP.')
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 10)
  expect(decisions(panel).map(({ action, user_name }) => [action, user_name])).toEqual([
    ['resent', 'admin'],
    ['resent', 'admin'],
  ])
})

test('o que outra pessoa já resolveu se diz no diálogo e some da lista', async ({ page, browser, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/status of 409/)
  await parkTenCrimps(page)
  await badge(page).click()
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()

  const other = await browser.newPage({ baseURL: panel.url })
  await logIn(other, 'admin', '/pages/pendencias')
  await other.getByRole('button', { name: /^Marcar como entregue/ }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Marcar como entregue' }).click()
  await expect(toast(other)).toContainText('Apontamento marcado como entregue.')
  await other.close()

  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Esta pendência já foi resolvida\.Detalhes$/)
  await dialog.getByRole('button', { name: 'Detalhes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Código: pending_settled')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
})

test('uma lista que não veio se diz e se tenta de novo', async ({ page, tolerate }) => {
  tolerate(/503|ERR_FAILED/)
  await logIn(page)
  await withoutStream(page)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route('**/api/pendencias', (route) => route.fulfill({ status: 503, json }))
  await page.goto('/pages/pendencias')
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível')
  await expectAccessible(page)
  await picture(page, 'pendencias-falha')
  await page.unroute('**/api/pendencias')
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'pendencias-vazia')
})

test('uma recusa que ninguém leu porque a resposta se perdeu está em Pendências, e conta', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  const lost: number[] = []
  await fillTenCrimps(page)
  await page.route(
    RECORD,
    async (route) => {
      lost.push((await route.fetch()).status())
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  expect(lost).toEqual([422])
  await expect(badge(page)).toHaveAccessibleName('Pendências: 1 exige ação', LONG)
  await badge(page).click()
  const group = section(page, NEEDS_PERSON)
  await expect(group.getByRole('listitem')).toHaveCount(1)
  for (const text of ['Terminal Lado 1 · 10 peças', 'Recusado', 'Lote bloqueado']) {
    await expect(group).toContainText(text)
  }
  await expect(section(page, 'Neste dispositivo').getByRole('listitem')).toHaveCount(0)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 10)
})

/** As after a backup was put back: the status tells of another database. */
async function changeEpoch(page: Page): Promise<void> {
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), epoch: 'outro-banco' } })
  })
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
}

test('a um banco de dados restaurado oferece-se a correção, e não o que ela corrigiu', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  // what waits there goes, and what is below it follows
  tolerate(/^layout shift: \/pages\/pendencias /)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  const sent = watchSent(context)
  await parkTenCrimps(page)
  const original = sent.at(-1)?.key
  await badge(page).click()
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await dialog.getByLabel('Lote').fill('B23-004517/2')
  await dialog.getByLabel('Quantidade de peças').fill('7')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()

  const sentBefore = sent.length
  await changeEpoch(page)
  await expect.poll(() => sent.length, LONG).toBe(sentBefore + 1)
  await expect(badge(page)).toBeHidden()
  const { key, body } = sent.at(-1) ?? {}
  expect(key).not.toBe(original)
  expect(body).toMatchObject({ LOTE_TERM_LD1: 'B23-004517/2', QTD_REALIZADA: 7, captura: { respondidoAntes: true } })
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 7)
  expect(await crimpsAtErp(panel)).toBe(7)
})
