import type { Locator } from '@playwright/test'
import { type CrimpCounter, type CrimpHistoryEntry, HISTORY_ENTRIES_MAX } from '../../src/contract/crimp-counters.ts'
import {
  ADDRESS,
  choice,
  details,
  downloadOf,
  failing,
  filterBox,
  LIST,
  limitBox,
  open,
  pencil,
  question,
  rowOf,
  tab,
} from '../support/journeys/crimp-control.ts'
import {
  changePanel,
  expect,
  expectAccessible,
  logIn,
  section,
  test,
  withoutStream,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

/** The sentence stands alone, the reason under it. */
const expectFailure = async (alert: Locator, what: string) => {
  await expect(alert.getByText(what, { exact: true })).toBeVisible()
  await expect(
    alert.getByText('Banco de dados indisponível. Tente novamente em instantes.', { exact: true }),
  ).toBeVisible()
}

test('cada falha se diz onde aconteceu, e o que foi digitado fica', async ({ page, tolerate }) => {
  tolerate(/503|ERR_FAILED/)
  await withoutStream(page)
  const load = 'Erro ao carregar dados de controle de crimpagens'
  await page.route(LIST, (route) => route.fulfill(failing()))
  await page.route('**/api/crimpagens/history', (route) => route.fulfill(failing()))
  await open(page)
  await expectFailure(page.getByRole('alert'), load)
  await expect(tab(page, 'Limite de crimpagens (0)')).toBeVisible()
  await expect(page.getByText('Não há dados')).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'crimpagens-falha')
  await tab(page, 'Aguardando agendamento (0)').click()
  await expect(page.getByRole('alert')).toContainText(load)
  await expect(page.getByText('Excelente!')).toHaveCount(0)
  await tab(page, 'Histórico de alterações (0)').click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText('Não foi possível carregar o histórico.')).toBeVisible()
  await expect(page.getByText('Nenhum registro encontrado', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.unroute(LIST)
  await tab(page, 'Limite de crimpagens (0)').click()
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.route(/\/(limit|schedule|reset|export-csv)/, (route) => route.fulfill(failing()))
  await pencil(page, 'MA-0003').click()
  await limitBox(page, 'MA-0003').fill('120000')
  await page.keyboard.press('Enter')
  await expectFailure(page.getByRole('alert'), 'Erro ao atualizar limite de crimpagens')
  await expect(limitBox(page, 'MA-0003')).toHaveValue('120000')
  await tab(page, 'Aguardando agendamento').click()
  await details(page).getByLabel('Ordem de Serviço').fill('7001')
  await details(page).getByLabel('Previsão de Manutenção').fill('01/01/2020')
  await details(page).getByRole('button', { name: 'SALVAR DETALHES' }).click()
  await expect(details(page)).toContainText('A previsão de manutenção não pode ser anterior a hoje.')
  await details(page).getByLabel('Previsão de Manutenção').fill('15/01/2099')
  await details(page).getByRole('button', { name: 'SALVAR DETALHES' }).click()
  await expectFailure(details(page).getByRole('alert'), 'Erro ao agendar manutenção')
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('7001')
  await page.getByRole('button', { name: 'EXPORTAR ARQUIVO' }).click()
  await expectFailure(details(page).getByRole('alert'), 'Erro ao exportar dados para CSV')
  await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  await expect(question(page)).toContainText('O que você digitou e não salvou será perdido.')
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
  await expectFailure(question(page).getByRole('alert'), 'Erro ao resetar contador de crimpagens')
  await expectAccessible(page)
})

const unitOf = (number: number, limitOfCrimps = 100_000): CrimpCounter => ({
  miniaplicator: `MA-${number}`,
  numberOfCrimps: number * 10,
  limitOfCrimps,
  associatedTerminals: number % 2 ? ['T1', 'T2'] : [],
  serviceOrder: null,
  maintenanceDate: null,
  comments: null,
  lifetimeCrimps: number * 20,
  version: 1,
})
const listOf = (controlTable: CrimpCounter[], maintenancePreSchedule: CrimpCounter[] = []) => ({
  controlTable,
  maintenancePreSchedule,
  controlTableCount: controlTable.length,
  maintenancePreScheduleCount: maintenancePreSchedule.length,
  totalCount: controlTable.length,
})

test('listas vazias se dizem, e um histórico vazio não vira arquivo', async ({ page }) => {
  await page.route(LIST, (route) => route.fulfill({ json: listOf([]) }))
  await page.route('**/api/crimpagens/history', (route) => route.fulfill({ json: [] }))
  await open(page)
  const nothing = 'Não há dados de controle de crimpagens para exibir'
  await expect(page.getByText(nothing, { exact: true })).toBeVisible()
  await filterBox(page).fill('x')
  await expect(page.getByText(`${nothing} com o filtro atual.`, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await tab(page, 'Aguardando agendamento (0)').click()
  await expect(
    page.getByText('Excelente! Nenhum mini aplicador necessita manutenção no momento.', { exact: true }),
  ).toBeVisible()
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeDisabled()
  await expect(details(page).getByLabel('Previsão de Manutenção')).toBeDisabled()
  for (const name of ['ZERAR CRIMPAGENS', 'SALVAR DETALHES']) {
    await expect(details(page).getByRole('button', { name })).toBeDisabled()
  }
  await expectAccessible(page)
  await tab(page, 'Histórico de alterações (0)').click()
  let downloads = 0
  page.on('download', () => downloads++)
  await page.getByRole('button', { name: 'EXPORTAR ARQUIVO' }).click()
  await expectAccessible(page)
  expect(downloads).toBe(0)
})

test('5.000 mini aplicadores se percorrem, se ordenam e se filtram', async ({ page }) => {
  const units = Array.from({ length: 5000 }, (_, index) => unitOf(index + 1))
  await page.route(LIST, (route) => route.fulfill({ json: listOf(units, units.slice(0, 300)) }))
  await open(page)
  await expect(tab(page, 'Limite de crimpagens (5.000)')).toBeVisible()
  const cells = page.getByRole('progressbar')
  expect(await cells.count()).toBeLessThan(60)
  await expect(page.getByRole('row').nth(1), 'the most worn comes first').toContainText('MA-5000')
  await page.getByRole('button', { name: 'Mini aplicador', exact: true }).click()
  await expect(rowOf(page, 'MA-2')).toContainText('N/A')
  await expect(rowOf(page, 'MA-1').first()).toContainText('T1, T2')
  await pencil(page, 'MA-2').click()
  await limitBox(page, 'MA-2').fill('77')
  const frame = section(page, 'Limite de crimpagens')
  await frame.hover()
  await page.mouse.wheel(0, 1_000_000)
  await expect(pencil(page, 'MA-5000')).toBeVisible()
  await page.mouse.wheel(0, -1_000_000)
  await expect(limitBox(page, 'MA-2'), 'what is typed outlives a scroll').toHaveValue('77')
  await page.getByRole('button', { name: 'Progresso' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('MA-5000')
})

test('quem atualiza vê por 2 s que algo foi feito, e as linhas ficam', async ({ page }) => {
  await logIn(page)
  await page.clock.install()
  await page.goto(ADDRESS)
  const busy = page.getByRole('button', { name: 'CARREGANDO...' })
  await expect(pencil(page, 'MA-0001')).toBeVisible()
  await page.clock.runFor(2500)
  await picture(page, 'crimpagens')
  const refresh = page.getByRole('button', { name: 'ATUALIZAR' })
  await refresh.focus()
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 1000)))
  const answered = page.waitForResponse(LIST)
  await page.keyboard.press('Enter')
  await answered
  await expect(busy).toBeFocused()
  await page.clock.runFor(1900)
  await expect(busy).toBeVisible()
  await expect(pencil(page, 'MA-0001')).toBeVisible()
  await page.clock.runFor(200)
  await expect(refresh).toBeFocused()
})

test('as chamadas do controle de crimpagens vão só com o cookie', async ({ page }) => {
  const headers: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/crimpagens')) headers.push(request.headers().authorization)
  })
  await open(page)
  await expect(pencil(page, 'MA-0001')).toBeVisible()
  expect(headers.length).toBeGreaterThan(1)
  expect(headers.filter((header) => header !== undefined)).toEqual([])
})

const entry = (id: number, fields: Partial<CrimpHistoryEntry>): CrimpHistoryEntry => ({
  id,
  miniaplicator: `MA-${id}`,
  numberOfCrimps: 1000,
  limitOfCrimps: -1,
  updateDate: '2026-03-01T02:30:00.000Z',
  serviceOrder: 99,
  maintenanceDate: '2026-03-05',
  comments: 'linha um\nlinha dois',
  change: 'schedule',
  changedBy: 'João Dias',
  maintenanceRecord: null,
  ...fields,
})

test('o histórico mostra o que mudou e por quem, e o filtro é só dele', async ({ page }) => {
  const json = [entry(2, {}), entry(1, { change: 'limit', comments: '-5; =1+1' })]
  await page.route('**/api/crimpagens/history', (route) => route.fulfill({ json }))
  await open(page, `${ADDRESS}?aba=historico`)
  await expect(rowOf(page, 'MA-2')).toContainText('28/02/2026 23:30')
  await expect(rowOf(page, 'MA-2')).toContainText('Manutenção agendada · João Dias')
  await expect(rowOf(page, 'MA-1')).toContainText('Limite alterado')
  await rowOf(page, 'MA-2').click()
  await expect(section(page, 'Detalhes da alteração')).toContainText('linha um linha dois')
  await expect(section(page, 'Detalhes da alteração')).toContainText('05/03/2026')
  expect((await downloadOf(page)).text.split('\r\n').slice(1)).toEqual([
    '"=""MA-2""";1000;Ilimitado;28/02/2026 23:30;99;05/03/2026;"linha um linha dois"',
    `"=""MA-1""";1000;Ilimitado;28/02/2026 23:30;99;05/03/2026;"'-5,' '=1+1"`,
    '',
  ])
  await filterBox(page).fill('MA-1')
  await expect(tab(page, 'Histórico de alterações (1)')).toBeVisible()
  await tab(page, 'Limite de crimpagens (30)').click()
  await expect(filterBox(page)).toHaveValue('')
})

test('de um histórico mais longo que a lista se diz que só as mais novas estão nela', async ({ page }) => {
  const cut = page.getByText('Mostrando as 10.000 alterações mais novas.')
  let json = Array.from({ length: HISTORY_ENTRIES_MAX }, (_, n) => entry(HISTORY_ENTRIES_MAX - n, {}))
  await page.route('**/api/crimpagens/history', (route) => route.fulfill({ json }))
  await open(page, `${ADDRESS}?aba=historico`)
  await expect(cut).toBeVisible()
  await filterBox(page).fill('MA-9999')
  await expect(tab(page, 'Histórico de alterações (1)')).toBeVisible()
  await expect(cut).toBeVisible()
  json = json.slice(1)
  await page.reload()
  await expect(tab(page, 'Histórico de alterações (9.999)')).toBeVisible()
  await expect(cut).toHaveCount(0)
})

test('no telefone as linhas são cartões, e o que se escolhe se vê', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/api/crimpagens/history', (route) => route.fulfill({ json: [entry(2, {}), entry(1, {})] }))
  await open(page)
  await expect(pencil(page, 'MA-0001')).toBeVisible()
  await pencil(page, 'MA-0001').click()
  await expectAccessible(page)
  const isWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')
  expect(await isWide()).toBe(false)
  await tab(page, 'Aguardando agendamento').click()
  await choice(page, 'MA-0004').click()
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toBeInViewport()
  await expectAccessible(page)
  expect(await isWide()).toBe(false)
  await details(page).getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(choice(page, 'MA-0004')).toBeFocused()
  await expect(choice(page, 'MA-0004')).toBeInViewport()
  await tab(page, 'Histórico de alterações').click()
  await choice(page, 'MA-1').click()
  await expect(rowOf(page, 'MA-1')).toContainText('Informações adicionais')
  await expect(rowOf(page, 'MA-1').getByText('linha um')).toBeVisible()
  await expectAccessible(page)
  expect(await isWide()).toBe(false)
})

test('um limite que se digita fica, ao recarregar e ao ir a outra tela; o que foi salvo ou cancelado não volta', async ({
  page,
}) => {
  await open(page)
  await pencil(page, 'MA-0003').click()
  await limitBox(page, 'MA-0003').fill('150.000')
  await page.reload()
  await expect(limitBox(page, 'MA-0003')).toHaveValue('150.000')
  await page.getByRole('link', { name: 'Junções' }).click()
  await page.goBack()
  await expect(limitBox(page, 'MA-0003')).toHaveValue('150.000')
  await limitBox(page, 'MA-0003').press('Enter')
  await expect(rowOf(page, 'MA-0003')).toContainText('150.000, perto do limite')
  await pencil(page, 'MA-0004').click()
  await limitBox(page, 'MA-0004').press('Escape')
  await page.reload()
  await expect(pencil(page, 'MA-0003')).toBeVisible()
  await expect(pencil(page, 'MA-0004')).toBeVisible()
})

test('quem escolhe outro mini aplicador enquanto um é salvo continua nele', async ({ page }) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/api/crimpagens/MA-0003/*', async (route) => {
    await released.promise
    await route.continue()
  })
  await open(page, `${ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0003').click()
  await details(page).getByLabel('Ordem de Serviço').fill('7001')
  await details(page).getByLabel('Previsão de Manutenção').fill('01/02/2099')
  await details(page).getByRole('button', { name: 'SALVAR DETALHES' }).click()
  await expect(details(page).getByRole('button', { name: 'SALVANDO...' })).toBeVisible()
  await choice(page, 'MA-0004').click()
  const order = details(page).getByLabel('Ordem de Serviço')
  await order.focus()
  released.resolve()
  await expect(rowOf(page, 'MA-0003')).toContainText('Agendado para 01/02/2099')
  await expect(details(page)).toContainText('Agendamento de manutenção realizado com sucesso.')
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0004')
  await expect(order, 'the hand is at work there').toBeFocused()
})

test('uma só crimpagem se diz no singular', async ({ page, panel }) => {
  changePanel(panel, "update applicator_units set crimps = 1, limit_crimps = 1 where name = 'MA-0003'")
  await open(page, `${ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0003').click()
  await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  await expect(question(page)).toContainText('A única crimpagem fica no histórico e no total;')
})
