import { randomUUID } from 'node:crypto'
import type { Locator, Page, Request } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { ALIVE_EVERY_S, ALIVE_HEADER } from '../../src/contract/live-changes.ts'
import type { MaintenanceCall } from '../../src/contract/maintenance-calls.ts'
import { NO_NETWORK } from '../support/journeys/cable.ts'
import {
  BARCODE,
  enrolDevice,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  PIECES,
  test,
  withoutStream,
} from '../support/journeys/journey.ts'
import { callOf, equipmentOf, minutesAgo } from '../support/journeys/machines.ts'
import { zoneInTheMorning } from '../support/journeys/morning.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'
import { STEP_MS } from '../support/slowness.ts'

const ADDRESS = '/pages/equipamentos'
const BOARD = `${ADDRESS}/painel`
const CALL = '**/api/equipamentos?*'

test.use({ panelEnv: { TIME_ZONE: zoneInTheMorning() } })

// What a trace keeps of a page that is left for hours would itself grow.
test.use({ trace: 'off' })

const answerCalls = (page: Page, chamados: readonly MaintenanceCall[]) => {
  const totais = { chamados: chamados.length, abertos: chamados.length, mttaMin: null, mttrMin: null, paradoMin: null }
  const json = { inicio: '2026-11-21', fim: '2026-11-21', chamados, totais }
  // as on every answer of the server: without it the page would take it for one that sends no signs of life
  const headers = { [ALIVE_HEADER]: String(ALIVE_EVERY_S) }
  return page.route('**/api/chamados?*', (route) => route.fulfill({ json, headers }))
}

/** Nobody waits for maintenance: of those who do, maintenance-calls.e2e.ts tells. */
test.beforeEach(({ page }) => answerCalls(page, []))

/** As tablets do, in the name of Maria Souza. */
async function recorderAt(panel: Panel) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(panel.url + path, { ...init, body: JSON.stringify(body) })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return (await answer.json()) as { token: string }
  }
  const { token } = await post('/api/auth/login', { username: 'operador', password: 'operador' })
  const item = { EMPRESA: '010101', ORDEM_PROD: ORDER, QTD_ORDEM_PROD: PIECES, COD_BARRA: BARCODE }
  const send = (work: object) =>
    post(
      '/api/apontamentos/corte-crimpagem',
      { ...item, ...work },
      { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    )
  const cable = { MAQUINA: 'KX0001 - Komax', COD_CABO: 'CB050AMVD', LOTE_CABO: 'L261118004', COMPRIMENTO_CABO: 1250 }
  const side = { TERM_LD1: 'T1326030', FORCA_LD1: 70, ALTURA_LD1: 1.1, LOTE_TERM_LD1: 'L261118011', MA_LD1: 'MA-0001' }
  return {
    cut: (pieces: number) => send({ ...cable, QTD_REALIZADA: pieces }),
    crimp: (pieces: number) => send({ ...side, MAQUINA: 'PR0001 - Schäfer', QTD_REALIZADA: pieces }),
  }
}

const cardOf = (page: Page, id: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })

// a machine that begins or stops goes to its place in the list, whoever watches it
test.beforeEach(({ tolerate }) => tolerate(/^layout shift: \/pages\/equipamentos /))

test('um apontamento muda o cartão da sua máquina na hora, e em linhas se lê o mesmo', async ({ page, panel }) => {
  const recorder = await recorderAt(panel)
  await logIn(page)
  await enterAt(page, 'Equipamentos', 'link')
  await expect(page).toHaveTitle('Equipamentos')
  await expect(cardOf(page, 'KX0001')).toContainText('Komax · ALPHA CORTE E CRIMPAGEM 01')
  await expect(cardOf(page, 'KX0001')).toContainText('Sem uso hoje')
  await expect(page.getByRole('button', { name: 'Produzindo 0' })).toBeVisible()
  await recorder.cut(30)
  await expect(cardOf(page, 'KX0001')).toContainText('Produzindo')
  await recorder.cut(15)
  await recorder.crimp(10)
  await expect(cardOf(page, 'KX0001')).toContainText(/Hoje45 peças/)
  await expect(cardOf(page, 'KX0001')).toContainText(/Neste turno45 peças/)
  await expect(cardOf(page, 'KX0001')).toContainText('Cabo do item 000010, 15 peças')
  await expect(cardOf(page, 'KX0001')).toContainText(`Ordem ${ORDER} · Maria Souza`)
  await expect(cardOf(page, 'PR0001')).toContainText('Terminal lado 1 do item 000010, 10 peças')
  await expect(cardOf(page, 'PR0001').getByRole('progressbar', { name: 'Uso do limite de MA-0001' })).toBeVisible()
  await expectAccessible(page)

  await tabTo(page, 'Filtrar máquinas', 'textbox')
  await page.keyboard.type('komax')
  await expect(cardOf(page, 'PR0001')).toHaveCount(0)
  await tabTo(page, 'Cartões', 'radio')
  await page.keyboard.press('ArrowRight')
  const row = page.getByRole('table', { name: 'Máquinas' }).getByRole('row', { name: /^KX0001/ })
  await expect(row).toContainText('Cabo do item 000010, 15 peças')
  await expectAccessible(page)
  await picture(page, 'equipamentos-linhas')
  await page.reload()
  await expect(row, 'what was chosen is remembered').toContainText('Produzindo')
  await enterAt(page, 'Produzindo 2')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('/')
  await page.keyboard.type('US')
  await expect(page.getByText('Nenhuma máquina com este filtro')).toBeVisible()
  await picture(page, 'equipamentos-nenhuma-com-filtro')
})

test('uma falha é dita e o que já foi lido fica; sem o ERP se diz de quando é o cadastro', async ({
  page,
  tolerate,
}) => {
  tolerate(/status of 503|503 from/)
  tolerate(NO_NETWORK)
  await page.clock.install()
  await withoutStream(page)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
  await logIn(page, 'operador', ADDRESS)
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível.')
  await expectAccessible(page)
  await picture(page, 'equipamentos-falha')
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ json: equipmentOf(3, { cadastroLidoEm: null }) }))
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByText('ERP indisponível. Aparecem só as máquinas com apontamentos')).toBeVisible()
  await expect(cardOf(page, 'KX0001')).toBeVisible()
  await picture(page, 'equipamentos-sem-erp')
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ json: equipmentOf(8) }))
  await page.getByRole('button', { name: 'Abrir painel' }).click()
  const idle = page.getByRole('region', { name: 'Sem uso hoje' })
  await expect(idle).toBeVisible()
  const before = await idle.boundingBox()
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
  await page.clock.fastForward(61_000)
  await expect(page.getByRole('alert')).toContainText('Mostrando o que foi lido em')
  await expect(cardOf(page, 'KX0001')).toBeVisible()
  expect(await idle.boundingBox(), 'what failed lies over it').toEqual(before)
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ json: equipmentOf(0) }))
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByText('Nenhuma máquina nesta filial')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await picture(page, 'equipamentos-vazia')
})

const pageText = (page: Page) => page.getByText(/^Página \d+ de \d+$/)

test('o painel vira as páginas sozinho, para quando se pede, e Escape sai', async ({ page }) => {
  await page.clock.install()
  await page.route(CALL, (route) => route.fulfill({ json: equipmentOf(90) }))
  await logIn(page, 'operador', ADDRESS)
  await expect(cardOf(page, 'KX0001')).toBeVisible()
  await picture(page, 'equipamentos')
  await enterAt(page, 'Abrir painel')
  await expect(page).toHaveURL(BOARD)
  await expect(page).toHaveTitle(/^Painel de equipamentos - /)
  await expect(pageText(page)).toHaveText('Página 1 de 3')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('banner')).toHaveCount(0)
  await page.clock.runFor(15_000)
  await expect(pageText(page)).toHaveText('Página 2 de 3')
  await page.keyboard.press('ArrowRight')
  await expect(pageText(page)).toHaveText('Página 3 de 3')
  await page.clock.runFor(15_000)
  await expect(pageText(page)).toHaveText('Página 1 de 3')
  await page.keyboard.press('Tab')
  await enterAt(page, 'Pausar')
  await page.clock.runFor(60_000)
  await expect(pageText(page)).toHaveText('Página 1 de 3')
  await picture(page, 'equipamentos-painel')
  await page.keyboard.press('ArrowLeft')
  await expect(pageText(page)).toHaveText('Página 3 de 3')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(ADDRESS)
  await expect(page.getByRole('heading', { name: 'Monitoramento de equipamentos' })).toBeVisible()
})

const WALL = { width: 1920, height: 1080 }

/** Two calls of the same age: one that somebody attends, and one that nobody does. */
const twoCalls = () => [
  callOf({ numero: 24, maquina: 'KX0005', situacao: 'atendido', atendidoPor: 'Paulo', atendidoEm: minutesAgo(30) }),
  callOf({ numero: 25, maquina: 'US0004' }),
]

test('na parede vem antes o que pede alguém, com números que se leem a 4 m, e os botões somem', async ({ page }) => {
  await page.setViewportSize(WALL)
  await page.clock.install()
  await answerCalls(page, twoCalls())
  await page.route(CALL, (route) => route.fulfill({ json: equipmentOf(14) }))
  await logIn(page, 'operador', BOARD)
  const names = page.getByRole('list', { name: 'Página 1 de 1' }).getByRole('heading')
  await expect(names, 'calls, a tool over its limit, the silent ones, a tool near its limit').toHaveText([
    'US0004',
    'KX0005',
    'PR0010',
    'US0012',
    'SP0003',
    'PR0006',
    'KX0013',
    'US0008',
    'KX0001',
    'PR0002',
    'KX0009',
  ])
  await expect(cardOf(page, 'US0004'), 'nobody worked with it today').toContainText(/Chamado há 3[45] min/)
  await expect(page.getByRole('region', { name: 'Sem uso hoje' }).getByRole('listitem')).toHaveText([
    'SP0007',
    'SP0011',
    'PR0014',
  ])
  await expect(cardOf(page, 'SP0003')).toContainText(/Sem apont. há 4[78] min/)
  await expect(cardOf(page, 'SP0003')).not.toContainText('resta')
  await expect(cardOf(page, 'PR0010')).toContainText('restam 440')
  await expect(cardOf(page, 'PR0010')).toContainText('MA-0009108%')
  await expect(
    cardOf(page, 'PR0010').getByRole('img', { name: /^Peças por hora: 213, 241, .*; ontem: 0, / }),
  ).toBeVisible()
  await expect(page.getByText('Parada')).toHaveCount(0)
  await expect(figureOf(page, 'PR0010')).toHaveCSS('font-size', '84px')
  const leave = page.getByRole('button', { name: 'Sair do painel' })
  await expect(leave).toBeVisible()
  await page.clock.runFor(11_000)
  await expect(leave).toBeHidden()
  await expect(pageText(page), 'all of it is one page').toHaveCount(0)
  await page.mouse.move(400, 400, { steps: 3 })
  await expect(leave).toBeVisible()
  await expectAccessible(page)
})

const figureOf = (page: Page, id: string) => cardOf(page, id).getByText(/^[\d.]+$/)

test('na parede 24 máquinas cabem numa página, e em pé o chamado que ninguém atende está à vista', async ({ page }) => {
  await page.setViewportSize(WALL)
  await answerCalls(page, twoCalls())
  const json = equipmentOf(24)
  const { ultimo = null } = json.equipamentos[0] ?? {}
  json.equipamentos = json.equipamentos.map((one) => ({ ...one, ultimo }))
  await page.route(CALL, (route) => route.fulfill({ json }))
  await logIn(page, 'operador', BOARD)
  await expect(page.getByRole('list', { name: 'Página 1 de 1' }).getByRole('heading')).toHaveCount(24)
  await expect(cardOf(page, 'US0024')).toBeInViewport({ ratio: 1 })
  await expect(figureOf(page, 'US0024')).toHaveCSS('font-size', '66px')
  await page.setViewportSize({ width: 800, height: 1280 })
  const calls = page.getByRole('region', { name: 'Chamados', exact: true }).getByRole('listitem')
  await expect(calls.first()).toContainText(
    /25 · Manutenção · US0004 · Altura fora · aberto há 3[45] min · ninguém atende/,
  )
  await expect(calls.first()).toBeInViewport({ ratio: 1 })
  await expect(cardOf(page, 'US0004')).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
})

test('na parede a rede que falta é dita à primeira consulta perdida, uma vez, com a hora', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await (await recorderAt(panel)).cut(5)
  await page.setViewportSize(WALL)
  await page.clock.install()
  await logIn(page, 'operador', BOARD)
  await expect(cardOf(page, 'KX0001')).toBeVisible()
  const boxes = () => Promise.all([cardOf(page, 'KX0001'), page.getByText('5 peças')].map((one) => one.boundingBox()))
  const before = await boxes()
  await page.context().setOffline(true)
  await page.clock.runFor(10_000)
  await expect(page.getByRole('alert')).toHaveText(/^sem rede desde \d\d:\d\d$/)
  expect(await boxes(), 'no figure moves for it').toEqual(before)
  await page.clock.runFor(60_000)
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(cardOf(page, 'KX0001')).toBeVisible()
  // half faded, the buttons have no contrast
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  await expectAccessible(page)
  await page.context().setOffline(false)
  // a question that was on its way when the network came back may still fail
  await expect(async () => {
    await page.clock.runFor(10_000)
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: STEP_MS })
  }).toPass()
})

test('na parede um canal que um proxy segura é dito no lugar do turno', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await page.setViewportSize(WALL)
  await page.clock.install()
  await page.route('**/api/eventos', (route) => route.abort())
  await logIn(page, 'operador', BOARD)
  await expect(page.getByText(/^Turno de/)).toBeVisible()
  await page.clock.runFor(2000)
  await page.clock.fastForward(46_000)
  await expect(page.getByText('sem atualização ao vivo: a cada 30 s')).toBeVisible()
  await expectAccessible(page)
})

test('num quadro o perfil Consulta vê só o painel da sua filial, e sai pelo botão', async ({ page, panel }) => {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  sqlite.exec("update users set role = 'consulta' where username = 'operador'")
  sqlite.close()
  await logIn(page, 'admin', '/pages/configuracoes')
  await enrolDevice(page, 'Parede 1', 'quadro')
  await picture(page, 'configuracoes-quadros')
  await page.evaluate('localStorage.clear()')
  await page.goto(`${BOARD}?filial=020101`)
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  const board = page.getByRole('heading', { name: 'Unidade 2', exact: true })
  await expect(board).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/pages/dashboard')
  await expect(page, 'there is nothing else').toHaveURL(new RegExp(`${BOARD}$`))
  await page.getByRole('button', { name: 'Sair do painel' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
})

/** What the page holds when nothing is left that could be given back. */
async function holdings(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devTools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await devTools.send('Memory.getDOMCounters')
  await devTools.detach()
  return { heapBytes: usedSize, nodes, listeners: jsEventListeners }
}

/** What is asked and not yet answered: time must not leap over an answer, or the page takes the server for dead. */
function watchRequests(page: Page) {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/eventos')) open.add(request)
  })
  const settle = (request: Request) => void open.delete(request)
  page.on('requestfinished', settle)
  page.on('requestfailed', settle)
  return async () => {
    while (open.size > 0) {
      await Promise.race([page.waitForEvent('requestfinished'), page.waitForEvent('requestfailed')])
    }
  }
}

/** All that is due in so long is done once: a turn, a poll, a reading, a look at the clock. */
const LEAP_MS = 120_000
const LEAPS_AN_HOUR = 3_600_000 / LEAP_MS

test('seis horas de painel: mostra o que muda, sem recarregar e sem crescer', async ({ page, panel, tolerate }) => {
  // hours in a minute: what is made, and what is idle, has another size after each
  tolerate(/^layout shift: \/pages\/equipamentos\/painel /)
  const recorder = await recorderAt(panel)
  await page.clock.install()
  await logIn(page, 'operador', BOARD)
  await page.evaluate('window.isSamePage = true')
  const allAnswered = watchRequests(page)
  const leap = async () => {
    await page.clock.fastForward(LEAP_MS)
    await allAnswered()
  }
  const leaveForAnHour = async () => {
    for (let count = 0; count < LEAPS_AN_HOUR; count++) await leap()
  }
  await leaveForAnHour()
  await recorder.cut(5)
  await expect(cardOf(page, 'KX0001')).toContainText('Neste turno 5')
  const before = await holdings(page)
  for (const hour of [1, 2, 3, 4, 5]) {
    await leaveForAnHour()
    await recorder.cut(5)
    await expect(cardOf(page, 'KX0001')).toContainText(`Neste turno ${5 + 5 * hour}`)
  }
  const after = await holdings(page)
  expect(await page.evaluate('window.isSamePage')).toBe(true)
  // half a node for each of some 150 turns
  expect(after.nodes).toBeLessThan(before.nodes + 75)
  expect(after.listeners).toBeLessThan(before.listeners + 30)
  expect(after.heapBytes).toBeLessThan(before.heapBytes + 1_500_000)
})
