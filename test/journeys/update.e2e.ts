import type { Page } from '@playwright/test'
import {
  badge,
  cable,
  expectNothingWaiting,
  fillCable,
  multiplyQueue,
  NO_NETWORK,
  piecesAtErp,
  piecesAtServer,
  saveHere,
} from '../support/journeys/cable.ts'
import {
  countLoads,
  test as installedTest,
  NEXT_VERSION,
  THIS_VERSION,
  untilCached,
} from '../support/journeys/installation.ts'
import {
  expect,
  expectAccessible,
  logIn,
  openItemOfOrder,
  queryPanel,
  section,
  test,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { LONG, STEP_MS } from '../support/slowness.ts'

test.use({ serviceWorkers: 'allow' })
// Several wait for a worker of a new version, for the look that finds it, and for a page that nobody touches.

/** Scripts of the page, as text: what runs there has other types than what runs here. */
const focus = 'void window.dispatchEvent(new Event("focus"))'
const announce = `void navigator.serviceWorker.dispatchEvent(
  new MessageEvent('message', { data: { type: 'UPDATE_AVAILABLE' } }),
)`

/** `cutShort` is waited for by its name. */
const watchInstallation = `navigator.serviceWorker.getRegistration().then((registration) => {
  window.cutShort = new Promise((done) => {
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing
      worker.addEventListener('statechange', () => worker.state === 'redundant' && done())
    })
  })
})`

const halfFilled = (page: Page) => section(page, 'Terminal Lado 2').getByLabel('Lote')

installedTest(
  'uma versão nova chega com 50 apontamentos na fila e um formulário pela metade: uma recarga, nada se perde',
  async ({ page, panel, installation, tolerate }) => {
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await untilCached(page)
    await fillCable(page)
    const loads = countLoads(page)
    await panel.kill('SIGTERM')
    await saveHere(page, 1)
    await multiplyQueue(page, 49)
    await halfFilled(page).fill('LOTE-PELA-METADE')
    expect(loads()).toBe(0)
    await installation.replaceFiles()
    await panel.restart()

    await expect(page.getByText(NEXT_VERSION)).toBeVisible(LONG)
    await expect(halfFilled(page)).toHaveValue('LOTE-PELA-METADE')
    await expect.poll(() => piecesAtServer(panel), LONG).toHaveLength(50)
    expect(piecesAtServer(panel)).toEqual(Array.from({ length: 50 }, () => 1))
    expect(queryPanel(panel, 'select distinct id from recordings')).toHaveLength(50)
    await expect.poll(() => piecesAtErp(panel), LONG).toBe(50)
    await expectNothingWaiting(page)
    await expect(cable(page)).toContainText('Restam 70 peças')
    expect(loads()).toBe(1)
  },
)

installedTest(
  'quem espera uma resposta trabalha na versão anterior até ela chegar, com telas que o servidor já não tem',
  async ({ page, panel, installation, tolerate }) => {
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await untilCached(page)
    await halfFilled(page).fill('LOTE-PELA-METADE')
    const loads = countLoads(page)
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isAsked = false
    await page.route('**/api/auth/validate', async (route) => {
      isAsked = true
      await isAnswered
      await route.continue()
    })
    await expect
      .poll(async () => {
        await page.evaluate(focus)
        return isAsked
      })
      .toBe(true)
    await installation.update()
    await expect.poll(() => page.evaluate('caches.keys().then(({ length }) => length)'), LONG).toBe(2)
    const used = new Set<string>()
    page.on('request', (request) => used.add(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'Conferência de Corte' }).click()
    await expect(page.getByRole('heading', { name: 'Conferência de Corte' })).toBeVisible()
    await expect(page.getByText(THIS_VERSION)).toBeVisible()
    const gone = [...used].find((path) => path.includes('CutCheckScreen')) ?? ''
    expect((await fetch(panel.url + gone)).status).toBe(404)
    expect(loads()).toBe(0)

    answer()
    await expect(page.getByText(NEXT_VERSION)).toBeVisible(LONG)
    await page.goBack()
    await expect(halfFilled(page)).toHaveValue('LOTE-PELA-METADE')
    expect(loads()).toBe(1)
  },
)

installedTest(
  'duas abas recarregam uma vez cada uma; um aviso de versão recarrega, e não em círculos',
  async ({ page, context, installation, tolerate }) => {
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await untilCached(page)
    const other = await context.newPage()
    await other.goto('/pages/pendencias')
    await expect(other.getByText(THIS_VERSION)).toBeVisible()
    const loads = countLoads(page)
    const loadsOfOther = countLoads(other)
    await other.evaluate(announce)
    await other.evaluate(announce)
    await expect.poll(loadsOfOther).toBe(1)
    await expect(other.getByText(THIS_VERSION)).toBeVisible()
    await installation.update()
    await expect(page.getByText(NEXT_VERSION)).toBeVisible(LONG)
    await page.evaluate(announce)
    await other.evaluate(announce)
    await expect(cable(page)).toBeVisible()
    // The page of a version that came a moment after another waits for its next start; nothing was lost meanwhile.
    expect([loads(), loadsOfOther()]).toEqual([1, 1])
  },
)

installedTest(
  'uma versão que não chegou inteira é buscada de novo, e não só meia hora depois',
  async ({ page, installation, tolerate }) => {
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await untilCached(page)
    const loads = countLoads(page)
    await page.evaluate(watchInstallation)
    const putBack = await installation.updateWithout('assets/CutCheckScreen')
    await page.evaluate('cutShort')
    await expect(page.getByText(THIS_VERSION)).toBeVisible()
    await putBack()
    await expect(page.getByText(NEXT_VERSION)).toBeVisible(LONG)
    expect(loads()).toBe(1)
  },
)

installedTest(
  'também a primeira que não chegou inteira é buscada de novo',
  async ({ page, installation, tolerate }) => {
    tolerate(/404/)
    const putBack = await installation.updateWithout('assets/CutCheckScreen')
    await logIn(page)
    await expect.poll(() => page.evaluate('navigator.serviceWorker.getRegistration()')).toBeUndefined()
    await putBack()
    await untilCached(page)
  },
)

test('debaixo de uma janela aberta nada recarrega, e depois dela recarrega', async ({ page }) => {
  await page.clock.install()
  await logIn(page, 'admin', '/pages/mini-aplicadores')
  const loads = countLoads(page)
  for (const [opener, role] of [
    ['Adicionar', 'dialog'],
    [/^Excluir /, 'alertdialog'],
  ] as const) {
    await page.getByRole('button', { name: opener }).first().click()
    await expect(page.getByRole(role)).toBeVisible()
    await page.evaluate(announce)
    await page.clock.runFor(15_000)
    // noted before a reload begins, which is heard of some time later
    expect(await page.evaluate('sessionStorage.updateReloadedAt'), role).toBeUndefined()
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role)).toBeHidden()
  }
  await page.clock.runFor(15_000)
  await expect.poll(loads).toBe(1)
  await expect(page.getByRole('button', { name: 'Adicionar' })).toBeVisible()
})

test('com o servidor fora o aplicativo abre, diz isso e aponta', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await untilCached(page)
  await fillCable(page)
  await panel.kill()
  await page.goto('/')
  await expect(page.getByRole('img', { name: 'API: Offline' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'servidor-fora')
  await page.goto('/pages/juncoes')
  await expect(page.getByRole('heading', { name: 'Junções' })).toBeVisible()
  await page.goto('/pages/item-edit')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  // this plant calls quality too, as the server said last
  await expect(page.getByRole('button', { name: /^Chamar: / }).first()).toBeVisible()
  await saveHere(page, 5)
  await expect(badge(page)).toHaveAccessibleName(/^Pendências: 1 neste dispositivo/)
  await page.reload()
  await expect(cable(page)).toContainText('5 peças aguardando envio')
  await panel.restart()
  await expect.poll(() => piecesAtServer(panel), LONG).toEqual([5])
  await expectNothingWaiting(page)
})

installedTest(
  'um servidor que não responde não segura a abertura',
  async ({ page, installation: { panel }, tolerate }) => {
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await untilCached(page)
    process.kill(panel.pid(), 'SIGSTOP')
    try {
      await page.goto('/pages/pendencias')
      await expect(page.getByRole('img', { name: 'API: Offline' })).toBeVisible()
    } finally {
      // A stopped server could not even be ended.
      process.kill(panel.pid(), 'SIGCONT')
    }
    await expect(page.getByRole('img', { name: 'API: Online' })).toBeVisible(LONG)
  },
)

test('o que fica guardado para abrir sem rede é o painel, e nenhuma resposta do servidor', async ({ page }) => {
  await openItemOfOrder(page)
  await untilCached(page)
  for (const address of ['/pages/pendencias', '/pages/juncoes', '/pages/dashboard', '/pages/item-edit']) {
    await page.goto(address)
    await expect(page.getByRole('img', { name: 'API: Online' })).toBeVisible()
  }
  const cached = await page.evaluate(`caches.keys()
    .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
    .then((caches) => caches.flat().map(({ url }) => new URL(url).pathname))`)
  expect(cached).toContain('/index.html')
  expect((cached as string[]).filter((path) => path !== '/index.html' && !path.startsWith('/assets/'))).toEqual([])
  // what woke the worker could keep the worker of the next version waiting
  const answeredBy = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .map(({ name, workerFinalSourceType }) => [new URL(name).pathname.split('/')[1], workerFinalSourceType].join(': '))
    .filter((text) => /^(api|assets)/.test(text))`)
  expect([...new Set(answeredBy)].sort()).toEqual(['api: network', 'assets: cache'])
})

installedTest(
  'onde não há service worker, uma tela que o servidor já não tem recarrega a página uma vez',
  async ({ browser, panel, installation }) => {
    const page = await (await browser.newContext({ baseURL: panel.url, serviceWorkers: 'block' })).newPage()
    await openItemOfOrder(page)
    await halfFilled(page).fill('LOTE-PELA-METADE')
    await installation.update()
    const loads = countLoads(page)
    await page.getByRole('link', { name: 'Conferência de Corte' }).click()
    await expect(page.getByRole('heading', { name: 'Conferência de Corte' })).toBeVisible()
    await expect(page.getByText(NEXT_VERSION)).toBeVisible()
    expect(loads()).toBe(1)
    await page.goto('/pages/item-edit')
    await expect(halfFilled(page)).toHaveValue('LOTE-PELA-METADE')

    // the same version, of which one file does not arrive
    let isAway = true
    await page.route('**/assets/JunctionsScreen-*', (route) => (isAway ? route.abort() : route.continue()))
    await page.getByRole('link', { name: 'Junções' }).click()
    await expect(page.getByRole('alert')).toContainText('Não foi possível abrir esta tela.')
    isAway = false
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await expect(page.getByRole('heading', { name: 'Junções' })).toBeVisible()
  },
)

test('um arquivo do painel que não chega é pedido de novo, e a abertura diz por que espera', async ({
  browser,
  panel,
}) => {
  const page = await (await browser.newContext({ baseURL: panel.url, serviceWorkers: 'block' })).newPage()
  await page.clock.install()
  await page.route('**/assets/main-*', (route) => route.abort())
  await page.goto('/')
  const note = page.getByText('Sem conexão com o servidor. Tentando novamente...')
  await expect(note).toBeVisible()
  // a page that reloads meanwhile would be the browser's own, and wait for nothing
  await panel.kill()
  for (let times = 0; times < 2; times++) {
    const sent = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname === '/')
    await page.clock.runFor(5000)
    await sent
  }
  await expect(note).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await panel.restart()
  await page.clock.runFor(5000)
  await expect(page.getByLabel('Usuário')).toBeVisible()
})

test('um arquivo do painel que demora se diz, e a abertura segue quando ele vem', async ({ browser, panel }) => {
  const page = await (await browser.newContext({ baseURL: panel.url, serviceWorkers: 'block' })).newPage()
  await page.clock.install()
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/main-*', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByText('Central de Produção e Monitoramento')).toBeVisible()
  // the ten seconds begin once the start itself has been read
  await expect(async () => {
    await page.clock.runFor(10_000)
    await expect(page.getByText('A conexão está lenta. Aguardando o servidor...')).toBeVisible({ timeout: STEP_MS })
  }).toPass()
  released.resolve()
  await expect(page.getByLabel('Usuário')).toBeVisible()
})
