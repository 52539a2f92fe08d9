import type { Page } from '@playwright/test'
import {
  endSession,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  SEARCH,
  searchFor,
  test,
  typeLogIn,
  withoutStream,
} from '../support/journeys/journey.ts'

import { picture } from '../support/journeys/picture.ts'
import { STEP_MS } from '../support/slowness.ts'

const UNAUTHORIZED = /status of 401/

test('quem erra a senha ou o usuário lê a mesma mensagem e continua na entrada', async ({ page, tolerate }) => {
  tolerate(UNAUTHORIZED)
  await page.goto('/')
  await expect(page.getByLabel('Usuário')).toBeFocused()
  await picture(page, 'login')
  for (const username of ['operador', 'ninguem']) {
    await page.getByLabel('Usuário').fill(username)
    await page.getByLabel('Senha', { exact: true }).fill('errada')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('alert')).toHaveText('Usuário ou senha inválidos')
    await expect(page).toHaveURL(/\/auth\/login$/)
  }
  await expectAccessible(page)
  await picture(page, 'login-recusado')
})

test('quem erra muitas vezes espera', async ({ page, tolerate }) => {
  tolerate(UNAUTHORIZED)
  tolerate(/status of 429/)
  await page.goto('/')
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await expect(async () => {
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('alert')).toHaveText(/Muitas tentativas. Tente novamente em \d+ segundos./, {
      timeout: STEP_MS,
    })
  }).toPass()
})

test('a senha fica escondida até que se peça para ver', async ({ page }) => {
  await page.goto('/')
  const password = page.getByLabel('Senha', { exact: true })
  await password.fill('segredo')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostrar senha' }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test('quem chega sem sessão entra e volta ao endereço pedido', { tag: '@quick' }, async ({ page }) => {
  await page.goto('/pages/apontamento-corte-crimpagem?de=link')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/pages\/apontamento-corte-crimpagem\?de=link$/)
})

test('o que se busca de antemão para ficar sem rede não muda para onde se volta', async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED|status of 401/)
  await withoutStream(page)
  await logIn(page)
  await page.clock.install()
  await page.goto('/pages/juncoes')
  await expect(page.getByRole('heading', { name: 'Junções', level: 1 })).toBeVisible()
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 100)
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/LoginScreen-*', (route) => released.promise.then(() => route.continue()))
  await endSession(page)
  const entrance = page.waitForRequest('**/assets/LoginScreen-*')
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
  await entrance
  // the moment at which other screens are fetched comes while the entrance is on its way
  await page.clock.runFor(2500)
  released.resolve()
  await page.clock.resume()
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/pages\/juncoes$/)
})

test('um endereço desconhecido leva à entrada', async ({ page }) => {
  await page.goto('/nao/existe')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('quem sai não volta com o botão de voltar', async ({ page }) => {
  await logIn(page)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goto('/pages/apontamento-corte-crimpagem')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('quem sai não deixa a quem entra depois o endereço em que estava', async ({ page }) => {
  await logIn(page, 'operador', '/pages/juncoes')
  await expect(page.getByRole('heading', { name: 'Junções', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await page.getByLabel('Usuário').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('admin')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/pages\/dashboard$/)
})

test('a sessão se renova sozinha antes de acabar, e o trabalho segue com ela', async ({ page }) => {
  const SOON_MS = 29 * 60_000
  let first = ''
  await page.route('**/api/auth/login', async (route) => {
    const answer = await route.fetch()
    const session = await answer.json()
    first = session.token
    await route.fulfill({ json: { ...session, expiresAt: new Date(Date.now() + SOON_MS).toISOString() } })
  })
  const renewed = page.waitForResponse('**/api/auth/refresh')
  await typeLogIn(page)
  const { token, expiresAt } = await (await renewed).json()
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(2 * SOON_MS)
  expect(token).not.toBe(first)
  await expect.poll(() => page.evaluate('localStorage.token')).toBe(token)
  await searchFor(page, ORDER)
})

test('a sessão vale depois de recarregar, e a senha não fica no navegador', async ({ page }) => {
  await logIn(page, 'admin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
  await expect(page.getByText('Administrador')).toBeVisible()
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(Buffer.from('admin:admin').toString('base64'))
})

/** As text: it belongs to the page. */
const expiringIn = (minutes: number) => `{
  const user = JSON.parse(localStorage.user)
  localStorage.user = JSON.stringify({ ...user, expiresAt: new Date(Date.now() + ${minutes} * 60_000).toISOString() })
}`
const isLoggedIn = (page: Page) => expect(page.getByRole('button', { name: 'Sair do sistema' })).toBeVisible()

test('um erro do servidor e o 401 de um estranho não encerram a sessão; a recusa da casa, sim', async ({
  page,
  tolerate,
}) => {
  tolerate(/status of 401|500/)
  await logIn(page)
  // the answer to the question whether it holds would set the end right
  await page.route('**/api/auth/validate', (route) => route.fulfill({ status: 401, body: '<h1>Wi-Fi</h1>' }))
  const internal = { message: 'Erro interno.', code: 'internal' }
  await page.route('**/api/auth/refresh', (route) => route.fulfill({ status: 500, json: internal }))
  await page.evaluate(expiringIn(10))
  const answered = Promise.all(['validate', 'refresh'].map((act) => page.waitForResponse(`**/api/auth/${act}`)))
  await page.reload()
  await answered
  await isLoggedIn(page)
  expect(await page.evaluate('localStorage.token')).toBeTruthy()

  const missing = { message: 'Sessão encerrada.', code: 'session_missing' }
  await page.route('**/api/auth/validate', (route) => route.fulfill({ status: 401, json: missing }))
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
  await expect(page).toHaveURL(/\/auth\/login$/)
  expect(await page.evaluate('localStorage["ltm-return-url"]')).toBe(SEARCH)
})

test('uma sessão que parece vencida vale enquanto o servidor se cala, e acaba quando ele o diz', async ({
  page,
  tolerate,
}) => {
  tolerate(/ERR_FAILED|status of 401/)
  await withoutStream(page)
  await logIn(page)
  await endSession(page)
  await page.evaluate(expiringIn(-10))
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await isLoggedIn(page)
  await page.unroute('**/api/**')
  await page.evaluate('void window.dispatchEvent(new Event("focus"))')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

/** Puts text on the page. As text itself: what runs there has other types than what runs here. */
const showing = (text: string, look: string, style: string) => `document.fonts.ready.then(() => {
  const shown = document.body.appendChild(document.createElement('p'))
  const className = 'fixed bottom-0 left-0 z-50 bg-white text-3xl text-black ${look}'
  Object.assign(shown, { id: 'shown', textContent: '${text}', className, style: '${style}' })
})`

test('o zero de um código é cortado, e os algarismos têm a mesma largura', async ({ page }) => {
  await page.goto('/')
  // on a first visit it comes after the screen
  await expect(page.locator('html')).toHaveAttribute('data-font', 'inter')
  const drawn = async (text: string, look: string, style = '') => {
    await page.evaluate(showing(text, look, style))
    const picture = (await page.locator('#shown').screenshot()).toString('base64')
    const width = (await page.locator('#shown').boundingBox())?.width
    await page.evaluate('document.getElementById("shown").remove()')
    return { picture, width }
  }
  const plain = await drawn('0', '')
  expect((await drawn('0', '')).picture, 'the same twice').toBe(plain.picture)
  expect((await drawn('0', 'code')).picture).not.toBe(plain.picture)
  const words = 'ESPECIAL-TESTE (A)'
  expect((await drawn(words, '')).width, 'figures alone').toBe(
    (await drawn(words, '', 'font-variant-numeric: normal')).width,
  )
  expect((await drawn('1111111111', 'code')).width).toBe((await drawn('0000000000', 'code')).width)
})

/** As browsers, policies and apps around a page deny what it may keep. */
const denied = {
  'localStorage lança': "get localStorage() { throw new DOMException('Access is denied', 'SecurityError') }",
  'localStorage não existe': 'localStorage: null',
  'indexedDB lança': "get indexedDB() { throw new DOMException('The operation is insecure', 'SecurityError') }",
  'indexedDB não existe': 'indexedDB: undefined',
}

for (const [how, descriptor] of Object.entries(denied)) {
  test(`um navegador que bloqueia os dados do site diz isso, em vez de uma página vazia: ${how}`, async ({ page }) => {
    await page.addInitScript(`Object.defineProperties(window, Object.getOwnPropertyDescriptors({ ${descriptor} }))`)
    await page.goto('/auth/login')
    await expect(page.getByRole('status')).toHaveText(/^O navegador bloqueia os dados deste site/)
  })
}

test('Enter no usuário leva à senha enquanto ela está vazia, e entra quando está preenchida', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByLabel('Usuário').fill('operador')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Senha', { exact: true })).toBeFocused()
  await expect(page.getByRole('alert')).toHaveText('')
  await page.keyboard.type('operador')
  await page.getByLabel('Usuário').press('Enter')
  await expect(page.getByRole('heading', { name: 'Painel Industrial', level: 1 })).toBeVisible()
})
