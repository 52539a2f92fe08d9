import type { Page } from '@playwright/test'
import { fillCable, RECORD } from '../support/journeys/cable.ts'
import {
  expect,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  SEARCH,
  searchFor,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { tabTo } from '../support/journeys/tab-to.ts'

/**
 * The rows of the plant's table of limits that only a page shows; see test/server/limits.test.ts. The sidebar's widths are walked
 * by sidebar.e2e.ts, the banner's padding, delay and snooze by install.e2e.ts.
 */

/** As text: it belongs to the page. */
const measured = `[...document.querySelectorAll('[role=progressbar]')].map((bar) => ({
  percent: Number(bar.ariaValueNow),
  filled: Math.round((100 * bar.firstElementChild.clientWidth) / bar.clientWidth),
}))`
const aged = (hours: number) => `{
  const kept = JSON.parse(sessionStorage['junction-search'])
  sessionStorage['junction-search'] = JSON.stringify({ ...kept, timestamp: kept.timestamp - ${hours} * 3_600_000 })
}`
const keysOf = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
  page.evaluate<string[]>(`Object.keys(${storage})`)

test('um aviso fica 5 s; as tabelas da gestão rolam com 600 px, as das listas com 500 px', async ({ page }) => {
  await page.clock.install()
  await logIn(page, 'operador', '/pages/mini-aplicadores')
  await expect(page.getByRole('region', { name: 'Mini aplicadores', exact: true })).toHaveCSS('max-height', '600px')
  await page.goto('/pages/apontamento-corte-crimpagem')
  await searchFor(page, ORDER)
  await expect(page.getByRole('region', { name: 'Itens', exact: true }), 'the height there is').toHaveCSS(
    'max-height',
    '672px',
  )
  await openItem(page)
  await section(page, 'Cabo').getByRole('button', { name: 'Selecionar máquina do cabo' }).click()
  const list = page.getByRole('dialog').getByRole('region', { name: /^Selecionar Máquina/ })
  await expect(list).toHaveCSS('max-height', '500px')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 60_000)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText('Erro: Preencha')
  await page.mouse.move(0, 0)
  await page.clock.runFor(4900)
  await expect(toast(page)).toContainText('Erro: Preencha')
  await page.clock.runFor(200)
  await expect(toast(page)).not.toContainText('Erro: Preencha')

  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await tabTo(page, toast(page).getByRole('button', { name: 'Fechar' }))
  await page.clock.runFor(10_000)
  await expect(toast(page), 'it waits for whoever is at its button').toContainText('Erro: Preencha')
  await page.keyboard.press('Enter')
  await expect(toast(page)).not.toContainText('Erro: Preencha')
  await page.clock.runFor(1000)
  await expect(page.locator('main :focus'), 'back at work').toBeVisible()
})

test('o aviso de que um apontamento não foi salvo fica até que se feche; o de um cadastro que falhou, 5 s', async ({
  page,
  tolerate,
}) => {
  tolerate(/409|503/)
  await page.clock.install()
  await openItemOfOrder(page)
  await fillCable(page)
  const refuse = (address: string, status: number, code: string) =>
    page.route(address, (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status, json: { message: 'Não.', code } }),
    )
  await refuse(RECORD, 409, 'quantity_exceeds_balance')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: quantity_exceeds_balance')
  await page.mouse.move(0, 0)
  await page.clock.runFor(60_000)
  await toast(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(toast(page)).toBeEmpty()

  await refuse('**/api/miniaplicadores/**', 503, 'store_unavailable')
  await page.goto('/pages/mini-aplicadores')
  await page
    .getByRole('button', { name: /^Excluir / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Excluir', exact: true }).click()
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: store_unavailable')
  await page.mouse.move(0, 0)
  await page.clock.runFor(5100)
  await expect(toast(page)).toBeEmpty()
})

test('sem item, volta à lista depois de 2 s; a barra de progresso nunca tem menos de 20 %', async ({ page }) => {
  await page.clock.install()
  await logIn(page, 'operador', '/pages/item-edit')
  await expect(page.getByText('Item não encontrado. Retornando à lista...')).toBeVisible()
  await page.clock.runFor(2000)
  await expect(page).toHaveURL(new RegExp(`${SEARCH}$`))
  await searchFor(page, ORDER)
  await expect(page.getByRole('progressbar').first()).toBeVisible()
  const shares = await page.evaluate<{ percent: number; filled: number }[]>(measured)
  expect(shares.some(({ percent }) => percent < 20)).toBe(true)
  for (const { percent, filled } of shares) expect(Math.abs(filled - Math.max(20, percent))).toBeLessThanOrEqual(2)
})

test('os campos de ordem aceitam até 20 nas junções e 50 na busca; a conferência só pergunta quando se pede', async ({
  page,
}) => {
  await page.clock.install()
  await logIn(page)
  await expect(page.getByLabel('Código de barras ou ordem de produção')).toHaveAttribute('maxlength', '50')
  await page.goto('/pages/juncoes')
  await expect(page.getByLabel('Ordem de produção')).toHaveAttribute('maxlength', '20')
  await page.goto('/pages/conferencia-corte')
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/apontamentos/itens')) requests.push(request.url())
  })
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.clock.runFor(1000)
  expect(requests).toEqual([])
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect.poll(() => requests.length).toBe(1)
  await expect(page.getByText('Não recebido').first()).toBeVisible()
})

test('o que fica guardado no navegador tem os nomes combinados; a busca de junções vale 2 horas', async ({ page }) => {
  await page.goto(SEARCH)
  await expect(page.getByLabel('Usuário')).toBeVisible()
  expect(await page.evaluate(`localStorage['ltm-return-url']`)).toBe(SEARCH)
  await logIn(page)
  expect(await keysOf(page, 'localStorage')).toEqual(
    expect.arrayContaining(['token', 'user', 'basicAuth', 'sidebar-state']),
  )
  expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR')
  await page.goto('/pages/juncoes')
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  const found = page.getByRole('button', { name: /^Detalhes da junção/ })
  await expect(found.first()).toBeVisible()
  expect(await keysOf(page, 'sessionStorage')).toContain('junction-search')
  for (const [hours, isStored] of [
    [1.9, true],
    // The server's clock, which the page learns anew, is known to a second or so.
    [2.01, false],
  ] as const) {
    await page.goto('/pages/configuracoes')
    await expect(page.getByRole('heading', { name: 'Configurações', level: 1 })).toBeVisible()
    await page.evaluate(aged(hours))
    await page.goto('/pages/juncoes')
    await expect(page.getByLabel('Ordem de produção')).toHaveValue(isStored ? ORDER : '')
  }
})

test.describe('num tablet de toque', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 800, height: 1280 } })

  test('a página ampliada é trazida de volta a cada segundo e depois de girar o tablet', async ({ page, context }) => {
    await page.clock.install()
    await logIn(page)
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 60_000)
    // Headless Chromium keeps a scale that it was told, whatever the page asks for: what can be seen is the asking.
    await page.evaluate(`window.limits = 0
      const meta = document.querySelector('meta[name=viewport]')
      new MutationObserver(() => { window.limits++ }).observe(meta, { attributeFilter: ['content'] })
      window.content = meta.content`)
    const limits = () => page.evaluate('window.limits')
    await page.clock.runFor(2000)
    expect(await limits(), 'at 100 % nothing is touched').toBe(0)
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.02 })
    await page.clock.runFor(1000)
    await expect.poll(limits).toBeGreaterThan(0)
    await page.clock.runFor(20)
    expect(await page.evaluate('document.querySelector("meta[name=viewport]").content === window.content')).toBe(true)
    // a page that was brought back has nothing to ask for
    await devTools.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.02 })
    await page.evaluate('window.limits = 0; window.dispatchEvent(new Event("orientationchange"))')
    await page.clock.runFor(99)
    expect(await limits()).toBe(0)
    await page.clock.runFor(1)
    await expect.poll(limits).toBeGreaterThan(0)
  })
})
