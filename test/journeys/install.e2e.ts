import type { Page } from '@playwright/test'
import { findChromium } from '../../scripts/programs.mjs'
import { launchOptionsOf } from '../support/journeys/chromium.ts'
import { expect, expectAccessible, logIn, openItemOfOrder, SEARCH, test } from '../support/journeys/journey.ts'
import { banner, offer } from '../support/journeys/offer.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt } from '../support/journeys/tab-to.ts'

test.use({
  // the banner pushes the page down, in sight: how far is measured below
  isStill: false,
  serviceWorkers: 'allow',
  reducedMotion: 'no-preference',
  // the whole browser: without a window it installs nothing
  launchOptions: launchOptionsOf(findChromium() ?? ''),
})

const DAY_MS = 86_400_000

const installed = `void window.dispatchEvent(new Event('appinstalled'))`
const paddingTop = 'getComputedStyle(document.body).paddingTop'

/** As the browser counts them: the part of the window that moved, times how far. */
const watchJumps = `(() => {
  window.jumps = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.jumps += value
  }).observe({ type: 'layout-shift' })
})()`

const headerButton = (page: Page) => page.getByRole('button', { name: 'Instalar aplicação no desktop' })

test('a faixa vem 3 s depois da oferta, e a página abre espaço para ela', async ({ page }) => {
  await page.clock.install()
  await logIn(page)
  await expect(headerButton(page)).toBeHidden()
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 60_000)
  expect(await page.evaluate(offer)).toBe(true)
  await expect(headerButton(page)).toBeVisible()
  await page.clock.runFor(2999)
  await expect(banner(page)).toBeHidden()
  expect(await page.evaluate(paddingTop)).toBe('0px')
  await page.clock.runFor(1)
  await expect(banner(page)).toContainText('Instalar Painel Industrial - Unidade 1')
  // axe waits by the page's clock
  await page.clock.resume()
  await expectAccessible(page)
  for (const [width, padding] of [
    [769, '80px'],
    [768, '100px'],
    [390, '100px'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => page.evaluate(paddingTop)).toBe(padding)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    const [header, above] = await Promise.all([page.locator('header').boundingBox(), banner(page).boundingBox()])
    expect([above?.y, header?.y]).toEqual([0, Number.parseInt(padding, 10)])
  }
})

test('a página desce à vista: nada salta debaixo do dedo quando a faixa chega', async ({ page }) => {
  await page.setViewportSize({ width: 412, height: 823 })
  await openItemOfOrder(page)
  await page.evaluate(watchJumps)
  await page.evaluate(offer)
  await expect(banner(page)).toBeVisible()
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  expect(Number(await page.evaluate('jumps')), 'ten times as much without').toBeLessThan(0.02)
})

test('quem dispensa a faixa não a vê por 7 dias', async ({ page }) => {
  await page.clock.install()
  await logIn(page)
  await page.evaluate(offer)
  await page.clock.runFor(3000)
  const dismissedAt = await page.evaluate('Date.now()')
  await enterAt(page, 'Agora não')
  await expect(banner(page)).toBeHidden()
  await expect(page.locator('main :focus'), 'back at work').toBeVisible()
  expect(Number(await page.evaluate('localStorage.installBannerDismissed'))).toBeGreaterThanOrEqual(Number(dismissedAt))
  await expect(headerButton(page)).toBeVisible()

  await page.clock.fastForward(7 * DAY_MS - 60_000)
  await page.reload()
  await page.evaluate(offer)
  await page.clock.runFor(4000)
  await expect(headerButton(page)).toBeVisible()
  await expect(banner(page)).toBeHidden()

  await page.clock.fastForward(60_000)
  await expect(banner(page)).toBeVisible()
})

test("'Instalar App' por Enter pergunta uma vez; depois de instalado nada mais se oferece e um aviso o diz", async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  await page.clock.install()
  await logIn(page)
  await page.evaluate(offer)
  await page.clock.runFor(3000)
  await enterAt(page, 'Instalar App')
  await expect(banner(page)).toBeHidden()
  await expect(headerButton(page)).toBeHidden()
  expect(await page.evaluate('window.asked')).toBe(1)
  await page.evaluate(installed)
  const titles =
    'navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((all) => all.map((one) => one.title))'
  await expect.poll(() => page.evaluate(titles)).toEqual(['Painel Industrial instalado'])
})

test('instalado por outro caminho, a faixa se vai', async ({ page }) => {
  await page.clock.install()
  await logIn(page)
  await page.evaluate(offer)
  await page.clock.runFor(3000)
  await expect(banner(page)).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByText('Aguardando agendamento')).toBeVisible()
  await picture(page, 'faixa-instalar')
  await page.evaluate(installed)
  await expect(banner(page)).toBeHidden()
  await expect(headerButton(page)).toBeHidden()
})

test('quem recusa a pergunta do navegador dispensou a faixa', async ({ page }) => {
  await logIn(page)
  await page.evaluate(`window.outcome = 'dismissed'`)
  await page.evaluate(offer)
  await enterAt(page, headerButton(page))
  await expect.poll(() => page.evaluate('Number(localStorage.installBannerDismissed) > 0')).toBe(true)
})

for (const [where, script] of [
  [
    'em janela própria',
    `window.matchMedia = (matchMedia => query =>
    query.includes('standalone') ? { matches: true } : matchMedia.call(window, query))(window.matchMedia)`,
  ],
  ['no iOS', `Object.defineProperty(navigator, 'standalone', { value: true })`],
] as const) {
  test(`${where} já está instalado: nada se oferece`, async ({ page }) => {
    await page.addInitScript(script)
    await page.clock.install()
    await logIn(page)
    await page.evaluate(offer)
    await page.clock.runFor(10_000)
    await expect(banner(page)).toBeHidden()
    await expect(headerButton(page)).toBeHidden()
  })
}

test('antes de entrar a faixa não diz de qual unidade; o navegador acha o que precisa para instalar', async ({
  page,
  panel,
}) => {
  await page.clock.install()
  await page.goto(SEARCH)
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await page.evaluate(offer)
  await page.clock.runFor(3000)
  await expect(banner(page)).toContainText('Instalar Painel Industrial')
  await expect(banner(page)).not.toContainText('Unidade')
  await expectAccessible(page)
  await picture(page, 'faixa-instalar-login')
  const devTools = await page.context().newCDPSession(page)
  const { errors, url, data = '' } = await devTools.send('Page.getAppManifest')
  expect([errors, url]).toEqual([[], `${panel.url}/manifest.webmanifest`])
  const manifest = JSON.parse(data) as { icons: { src: string; sizes: string }[] }
  for (const { src, sizes } of [...manifest.icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180' }]) {
    const script = `createImageBitmap(await (await fetch('${src}')).blob()).then((it) => it.width + 'x' + it.height)`
    expect(await page.evaluate(`(async () => ${script})()`), src).toBe(sizes)
  }
  const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors')
  // The journeys' profiles are private ones; that is all that Chromium has against it.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
})
