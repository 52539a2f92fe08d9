import type { Page, Route } from '@playwright/test'
import {
  badge,
  cable,
  expectNothingWaiting,
  fillCable,
  fillSide1,
  NO_NETWORK,
  partOf,
  piecesAtErp,
  piecesAtServer,
  RECORD,
  registerPieces,
  SAVED,
  SENT_HERE,
  SUCCESS,
  saveHere,
  watchSent,
} from '../support/journeys/cable.ts'
import {
  BARCODE,
  crimpsOf,
  endSession,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  queryPanel,
  readErpItem,
  readingLine,
  searchFor,
  section,
  test,
  toast,
  untilFetched,
  withoutStream,
} from '../support/journeys/journey.ts'
import { misfitsOf } from '../support/journeys/layout.ts'
import { picture } from '../support/journeys/picture.ts'
import { LONG } from '../support/slowness.ts'

async function registerSide1(page: Page, pieces: number): Promise<void> {
  await fillSide1(page)
  await section(page, 'Terminal Lado 1').getByLabel('Quantidade de peças').fill(String(pieces))
}

test('sem rede o operador continua apontando, e tudo segue uma vez quando a rede volta', { tag: '@quick' }, async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await openItemOfOrder(page)
  await fillCable(page)
  await registerSide1(page, 30)
  await picture(page, 'item-preenchido')
  await untilFetched(page, 'PendingScreen')
  await context.setOffline(true)

  await saveHere(page, 5, 7)
  await picture(page, 'sem-rede-salvo')
  await expect(cable(page)).toContainText('12 peças aguardando envio')
  await expect(cable(page)).toContainText('Restam 108 peças')
  await expect(cable(page)).toContainText('10%')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(partOf(page, 'l1')).toContainText('30 peças aguardando envio')
  await expect(badge(page)).toHaveAccessibleName('Pendências: 3 neste dispositivo')
  await expectAccessible(page)
  expect(piecesAtServer(panel)).toEqual([])

  await badge(page).click()
  await expect(section(page, 'Neste dispositivo').getByRole('listitem')).toHaveCount(3)
  await picture(page, 'pendencias-neste-dispositivo')
  await page.goBack()
  await expect(cable(page)).toContainText('12 peças aguardando envio')

  await context.setOffline(false)
  await expect(readingLine(page)).toContainText(SENT_HERE)
  await expectNothingWaiting(page)
  await expect(cable(page)).toContainText('Restam 108 peças')
  await expect(cable(page).getByText('aguardando')).toHaveCount(0)
  expect(piecesAtServer(panel)).toEqual([5, 7, 30])
  const erp = await readErpItem(panel, ORDER, BARCODE)
  expect([erp.Z1_QTREGCO, erp.Z1_QTREGL1].map(Number)).toEqual([12, 30])
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + 30)
  await page.evaluate('void document.dispatchEvent(new Event("visibilitychange"))')
  await expectNothingWaiting(page)
  await picture(page, 'sem-rede-enviado')
  await expect(page.getByRole('button', { name: 'Usar B23-004517/2' })).toBeVisible()
  for (const width of [800, 390]) {
    await page.setViewportSize({ width, height: 1280 })
    expect(await misfitsOf(page, ['130']), `at ${width} px`).toEqual([])
  }
})

test('sem rede uma tela que ainda não foi baixada não leva a página embora', async ({ page, context, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/Failed to fetch dynamically imported module/)
  await openItemOfOrder(page)
  await fillCable(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Relatórios' }).click()
  const broken = page.getByRole('alert').filter({ hasText: 'Não foi possível abrir esta tela.' })
  await expect(broken).toBeVisible()
  await broken.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(broken).toContainText('Ainda sem conexão com o servidor.')
  await page.goBack()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  await saveHere(page, 5)
  await page.goForward()
  // who comes back asks again
  await expect(broken).toBeVisible()
  await context.setOffline(false)
  await broken.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('heading', { name: 'Relatórios' })).toBeVisible()
  await expectNothingWaiting(page)
})

test('o que espera há mais de 15 minutos chama a atenção', async ({ page }) => {
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const since = new Date(Date.now() - 16 * 60_000).toISOString()
    await route.fulfill({ response, json: { ...(await response.json()), pending: 2, waitingSince: since } })
  })
  await logIn(page)
  await expect(badge(page)).toHaveAccessibleName('Pendências: 2 aguardando o ERP, há mais de 15 minutos')
  await expectAccessible(page)
})

test('a lista conta o que aguarda envio', async ({ page, context, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await context.setOffline(true)
  await saveHere(page, 48)
  await page.keyboard.press('Escape')
  const progress = page.getByRole('progressbar', { name: '% Corte' }).first()
  await expect(progress).toHaveAttribute('aria-valuetext', '40%, aguardando envio')
  await picture(page, 'busca-aguardando-envio')
})

test('uma resposta perdida sobrevive à recarga e é um só apontamento', async ({ page, context, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  const sent = watchSent(context)
  // The server takes it; its answer is lost.
  await page.route(RECORD, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await openItemOfOrder(page)
  await fillCable(page)
  await saveHere(page, 5)
  await page.reload()
  await expect(cable(page)).toContainText('5 peças aguardando envio')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')

  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  await expectNothingWaiting(page)
  await expect(cable(page)).toContainText('Restam 115 peças')
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sent[0]?.body.captura?.salvoNoDispositivo).toBeUndefined()
  expect(sent.slice(1).map(({ body }) => body.captura?.salvoNoDispositivo)).not.toContain(undefined)
  expect(sent.length).toBeGreaterThanOrEqual(2)
  expect(piecesAtServer(panel)).toEqual([5])
  await expect.poll(() => piecesAtErp(panel)).toBe(5)
})

test('o que espera na fila segue sozinho quando o servidor responde de novo', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.route('**/api/**', (route) => route.abort())
  await saveHere(page, 5, 7)
  await page.unroute('**/api/**')
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([5, 7])
})

test('com o banco de dados fora o operador aponta, continua na sessão e tudo segue depois', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/50[03]/)
  await openItemOfOrder(page)
  await fillCable(page)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  const isStatus = (url: URL) => url.pathname === '/api/status'
  const isOther = (url: URL) => url.pathname.startsWith('/api/') && !isStatus(url)
  await page.route(isOther, (route) => route.fulfill({ status: 503, json }))
  await page.route(isStatus, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), database: 'offline', epoch: null } })
  })
  await saveHere(page, 5)
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
  await expect(page.getByRole('img', { name: 'SQLite: Desconectado' })).toBeVisible()
  await saveHere(page, 7)
  await expect(page).toHaveURL(/item-edit/)
  expect(piecesAtServer(panel)).toEqual([])
  await page.unrouteAll({ behavior: 'wait' })
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([5, 7])
})

test('o servidor cai entre dois toques e o segundo não se perde', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText(SUCCESS)
  await panel.kill()
  await saveHere(page, 7)
  await panel.restart()
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([5, 7])
  await expect.poll(() => piecesAtErp(panel)).toBe(12)
})

test('uma recusa na frente do operador devolve o formulário e não fica na fila', async ({ page, panel, tolerate }) => {
  tolerate(/status of 409/)
  await openItemOfOrder(page)
  await fillCable(page)
  const json = { message: 'Quantidade maior que o saldo disponível. Restam 3 peças.', code: 'quantity_exceeds_balance' }
  await page.route(RECORD, (route) => route.fulfill({ status: 409, json }), { times: 1 })
  await cable(page).getByLabel('Quantidade de peças').fill('5')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: quantity_exceeds_balance')
  await expect(badge(page)).toBeHidden()
  await page.reload()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('5')
  await expect(badge(page)).toBeHidden()
  expect(piecesAtServer(panel)).toEqual([])
})

test('o que outro banco de dados respondeu é oferecido de novo', async ({ page, context, panel }) => {
  const sent = watchSent(context)
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 5)
  await registerPieces(page, 7)
  await expect.poll(() => piecesAtServer(panel)).toEqual([5, 7])
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), epoch: 'outro-banco' } })
  })
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
  await expect.poll(() => sent.length, LONG).toBe(4)
  await expectNothingWaiting(page)
  const [first, second, again, andAgain] = sent
  expect([again?.key, andAgain?.key]).toEqual([first?.key, second?.key])
  expect([first, again, andAgain].map((one) => one?.body.captura?.respondidoAntes)).toEqual([undefined, true, true])
  expect(piecesAtServer(panel)).toEqual([5, 7])

  await page.reload()
  await expect(cable(page)).toContainText('Restam 108 peças')
  expect(sent).toHaveLength(4)
})

test('uma sessão que acabou não perde o apontamento nem o que estava digitado', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_FAILED|status of 401/)
  await withoutStream(page)
  await openItemOfOrder(page)
  await fillCable(page)
  await section(page, 'Terminal Lado 2').getByLabel('Lote').fill('LOTE-PELA-METADE')
  await cable(page).getByLabel('Quantidade de peças').fill('5')
  expect(await endSession(page)).toBe(200)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(toast(page)).toContainText(SAVED)
  await expect.poll(() => piecesAtServer(panel)).toEqual([5])

  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(section(page, 'Terminal Lado 2').getByLabel('Lote')).toHaveValue('LOTE-PELA-METADE')
  await expect(cable(page)).toContainText('Restam 115 peças')
  await page.reload()
  await expect(section(page, 'Terminal Lado 2').getByLabel('Lote')).toHaveValue('LOTE-PELA-METADE')
  expect(context.pages()).toHaveLength(1)
})

test('o apontamento de quem saiu é entregue em nome dele, sem ninguém na tela', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/401/)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.route(RECORD, (route) => route.abort())
  await saveHere(page, 5)
  await picture(page, 'item-salvo-no-dispositivo')
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page.getByText('1 apontamento aguarda envio neste dispositivo.')).toBeVisible()
  await picture(page, 'login-aguardando-envio')
  await page.unroute(RECORD)
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  await expect(page.getByText('1 apontamento aguarda envio neste dispositivo.')).toBeHidden()
  const authors = 'select u.username from recordings r join users u on u.id = r.user_id'
  expect(queryPanel(panel, authors)).toEqual([{ username: 'operador' }])
})

test('o apontamento de um operador é dele também com outro na tela', async ({ page, context, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/401/)
  const sent = watchSent(context)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.route(RECORD, (route) => route.abort())
  await saveHere(page, 5)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await logIn(page, 'admin')
  await searchFor(page, ORDER)
  await openItem(page)
  await expect(cable(page)).toContainText('5 peças aguardando envio')
  await fillCable(page)
  await page.unroute(RECORD)
  await registerPieces(page, 7)
  await expectNothingWaiting(page)
  const authors =
    'select u.username, r.pieces from recordings r join users u on u.id = r.user_id order by r.received_at'
  expect(queryPanel(panel, authors)).toEqual([
    { username: 'operador', pieces: 5 },
    { username: 'admin', pieces: 7 },
  ])
  expect(sent.at(-2)?.authorization).toMatch(/^Grant /)
  await expect.poll(() => piecesAtErp(panel)).toBe(12)
})

test('uma autorização que não vale mais espera pelo autor e não mexe na sessão de quem está na tela', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/401/)
  await openItemOfOrder(page)
  await fillCable(page)
  const cut = (route: Route) => route.abort()
  await page.route(RECORD, cut)
  await saveHere(page, 5)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  const json = { message: 'Sessão expirada. Entre novamente.', code: 'session_missing' }
  await page.route(RECORD, (route) =>
    route.request().headers().authorization?.startsWith('Grant ')
      ? route.fulfill({ status: 401, json })
      : route.fallback(),
  )
  // until then it would be sent in the name of its author
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  // only now: the queue tries again by itself, and must meet nothing else
  await page.unroute(RECORD, cut)
  let validatedCount = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/auth/validate')) validatedCount++
  })
  await logIn(page, 'admin')
  await badge(page).click()
  const here = section(page, 'Neste dispositivo')
  await expect(here.getByRole('listitem')).toContainText('Peça a Maria Souza que entre neste dispositivo.')
  const before = validatedCount
  const refused = page.waitForResponse(RECORD)
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  expect((await refused).status()).toBe(401)
  await expect(here.getByRole('listitem')).toContainText('Aguardando o autor')
  expect(validatedCount).toBe(before)
  await expectAccessible(page)
  expect(piecesAtServer(panel)).toEqual([])

  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await logIn(page)
  await expect.poll(() => piecesAtServer(panel)).toEqual([5])
  await expectNothingWaiting(page)
})
