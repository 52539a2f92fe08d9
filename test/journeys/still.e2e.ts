import type { Page } from '@playwright/test'
import { links } from '../../src/web/text/links.ts'
import { readMachine } from '../support/journeys/cable.ts'
import { details, form } from '../support/journeys/joining.ts'
import {
  BARCODE,
  changePanel,
  expect,
  HAND_MS,
  ITEM,
  logIn,
  ORDER,
  openItemOfOrder,
  scan,
  section,
  test,
} from '../support/journeys/journey.ts'
import { movedOf, watchMoves } from '../support/journeys/still.ts'

/** Nothing moves under a finger: neither by itself, nor what can be pressed within half a second of a key or a reading. */

test.use({ viewport: { width: 1280, height: 800 }, hasTouch: true })

/** On a device that has been here before: its font is there. */
async function enter(page: Page, username: string, address?: string): Promise<void> {
  await logIn(page, username, address)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await watchMoves(page)
  await page.reload()
}

test('uma junção aberta e preenchida: nada se move sem um toque', async ({ page }) => {
  await enter(page, 'operador', details('J01'))
  await expect(form(page).getByLabel('Lote')).toBeVisible()
  await scan(page, 'L261118004')
  await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
  await readMachine(page, 'SP0001', 'Junção')
  await expect(form(page).getByLabel('Força (N)')).toBeFocused()
  expect(await movedOf(page)).toEqual([])
})

test('uma junção completa leva à próxima, cujo lugar está lá antes dela', async ({ page }) => {
  const list = Promise.withResolvers<void>()
  await page.route(/\/api\/juncao\/(obter-juncoes|copias)/, (route) => list.promise.then(() => route.continue()))
  await enter(page, 'operador', details('J03'))
  await expect(form(page)).toContainText('Esta junção já está 100% apontada.')
  list.resolve()
  await expect(page.getByRole('button', { name: /^Próxima junção: J/ })).toBeVisible()
  expect(await movedOf(page)).toEqual([])
})

test('um item aberto e preenchido: nada se move sem um toque', async ({ page }) => {
  await openItemOfOrder(page)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await watchMoves(page)
  await page.reload()
  const lot = section(page, 'Cabo').getByLabel('Lote')
  await expect(lot).toBeFocused()
  await scan(page, 'L261121001')
  await expect(lot).toHaveValue('L261121001')
  await readMachine(page, 'KX0001', 'Cabo')
  expect(await movedOf(page)).toEqual([])
})

/** Of every screen, with something on it; forms, lists and the log-in have their own above and below. */
const screens: Partial<Record<keyof typeof links, string>> = {
  dashboard: links.dashboard,
  applicators: links.applicators,
  sealingStations: links.sealingStations,
  crimpCounters: links.crimpCounters,
  charts: links.charts,
  controlPlans: links.controlPlans,
  equipmentBoard: links.equipmentBoard,
  cutCrimp: links.cutCrimp,
  junctions: links.junctions,
  cutCheck: links.cutCheck,
  equipment: links.equipment,
  reports: links.reports,
  endHistory: `${links.endHistory}?filial=010101&codigoBarras=${BARCODE}&parte=l1`,
  containment: links.containment.replace('$id', '00000000-0000-4000-8000-000000000000'),
  documents: links.documents,
  logs: links.logs,
  pending: links.pending,
  settings: links.settings,
}

/** Tabs that read lists of their own, and the dashboard of each role. */
const parts = [
  ['agendamento', 'operador', `${links.crimpCounters}?aba=agendamento`],
  ['rastreabilidade', 'operador', `${links.reports}?aba=rastreabilidade&termo=MA-0001`],
  ['refugo', 'qualidade', `${links.reports}?aba=refugo`],
  ['contenções', 'qualidade', `${links.reports}?aba=contencoes`],
  ['dashboard de quem lidera', 'lider', links.dashboard],
  ['dashboard da manutenção', 'manutencao', links.dashboard],
  ['dashboard da qualidade', 'qualidade', links.dashboard],
] as const

test('a tabela tem todas as telas', () => {
  const elsewhere = ['login', 'pages', 'itemEdit']
  expect([...Object.keys(screens), ...elsewhere].toSorted()).toEqual(Object.keys(links).toSorted())
})

const all = [...Object.entries(screens).map(([name, address]) => [name, 'operador', address] as const), ...parts]
for (const [name, role, address] of all) {
  test(`${name}: nada se move enquanto chega, nem depois de uma tecla ou de uma leitura`, async ({
    page,
    panel,
    tolerate,
  }) => {
    // of what is not there
    tolerate(/404/)
    changePanel(panel, `update users set role = '${role}' where username = 'operador'`)
    await enter(page, 'operador', address)
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    // the dashboard answers with another screen
    if (address !== links.dashboard) await scan(page, 'XYZ-98765')
    await page.waitForLoadState('networkidle')
    expect(await movedOf(page)).toEqual([])
  })
}

test('entrar: nada se move enquanto se chega nem enquanto se digita', async ({ page }) => {
  await page.goto(links.login)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await watchMoves(page)
  await page.reload()
  await page.getByLabel('Usuário').pressSequentially('operador')
  await page.getByLabel('Usuário').press('Enter')
  await expect(page.getByLabel('Senha', { exact: true })).toBeFocused()
  expect(await movedOf(page)).toEqual([])
})

test('uma lista de uma ordem: nada se move enquanto chega', async ({ page }) => {
  await enter(page, 'operador')
  // by hand: a slow machine would make a key and a reading of keys as quick as a scanner's
  await page.getByLabel('Código de barras ou ordem de produção').pressSequentially(ORDER, { delay: HAND_MS })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Ver detalhes do item ${ITEM}` })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await movedOf(page)).toEqual([])
})

test('uma lista que não se atualizou diz isso na borda de baixo, e nada se move', async ({ page, tolerate }) => {
  tolerate(/503/)
  await enter(page, 'operador', links.pending)
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route('**/api/pendencias', (route) => route.fulfill({ status: 503, json }))
  await page.evaluate('void window.dispatchEvent(new Event("visibilitychange"))')
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível.')
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  expect(await movedOf(page)).toEqual([])
})
