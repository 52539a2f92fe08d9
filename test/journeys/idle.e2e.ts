import type { Page } from '@playwright/test'
import { TOUCH_HEADER } from '../../src/contract/endpoint.ts'
import { cable } from '../support/journeys/cable.ts'
import {
  expect,
  logIn,
  ORDER,
  openItem,
  queryPanel,
  SEARCH,
  searchFor,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { STEP_MS } from '../support/slowness.ts'

const MINUTE_MS = 60_000
const CLOSED = 'Sessão encerrada por falta de uso. Entre de novo para continuar de onde parou.'

/** Nobody touches anything. */
const wait = async (page: Page, minutes: number) => {
  await page.clock.fastForward(minutes * MINUTE_MS)
  // what is due is done by then, also what asks the server
  await page.clock.runFor(6000)
}
/** A call that was under way in a leap may have failed by it, which the next answer sets right. */
const untilClosed = (page: Page) =>
  expect(async () => {
    await page.clock.runFor(5000)
    await expect(page).toHaveURL(/\/auth\/login$/, { timeout: STEP_MS })
  }).toPass()
const typeLogIn = async (page: Page, username: string) => {
  await page.getByLabel('Usuário').fill(username)
  await page.getByLabel('Senha', { exact: true }).fill(username)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

// a reading that was on its way when the session ended
test.beforeEach(({ tolerate }) => tolerate(/status of 401/))

test('uma tela de administrador fecha depois de 15 minutos sem toque, e o que foi digitado fica', async ({ page }) => {
  await page.clock.install()
  await logIn(page, 'admin')
  await wait(page, 60)
  await expect(page, 'nothing else closes by itself').toHaveURL(new RegExp(`${SEARCH}$`))
  await page.goto('/pages/configuracoes?aba=fabrica')
  const box = page.getByLabel('Filial 010101')
  await box.fill('Matriz')
  await wait(page, 14)
  await box.press('End')
  await wait(page, 14)
  await expect(box).toHaveValue('Matriz')
  await wait(page, 1)
  await untilClosed(page)
  await expect(toast(page)).toContainText(CLOSED)
  expect(await page.evaluate('localStorage.token')).toBeUndefined()
  await typeLogIn(page, 'admin')
  await expect(page).toHaveURL(/\/pages\/configuracoes\?aba=fabrica$/)
  await expect(box).toHaveValue('Matriz')
})

test('as mesmas telas de um operador ficam abertas', async ({ page }) => {
  await page.clock.install()
  await logIn(page, 'operador', '/pages/configuracoes')
  await wait(page, 60)
  await expect(page.getByRole('heading', { name: 'Configurações' })).toBeVisible()
})

test.describe('com IDLE_MINUTES', () => {
  test.use({ panelEnv: { IDLE_MINUTES: '30' } })

  test('toda tela pede a entrada depois deles, e volta com o que foi digitado', async ({ page }) => {
    await page.clock.install()
    await logIn(page)
    await searchFor(page, ORDER)
    await openItem(page)
    await cable(page).getByLabel('Lote').fill('L261121001')
    await wait(page, 29)
    await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
    await wait(page, 1)
    await untilClosed(page)
    await typeLogIn(page, 'operador')
    await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  })

  test('o toque que acorda um tablet parado já encontra a entrada', async ({ page }) => {
    await page.clock.install()
    await logIn(page)
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000)
    // asleep: time passes, and no timer
    await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 31 * MINUTE_MS)
    // wherever it lands: the screen may be closing already
    await page.mouse.click(640, 300)
    await untilClosed(page)
  })

  test('uma página aberta de novo depois deles pede a entrada, e o servidor sabe por quê', async ({ page, panel }) => {
    await logIn(page)
    await page.goto('about:blank')
    // nobody has touched this device meanwhile
    await page.addInitScript(`localStorage.toque = String(Number(localStorage.toque) - 40 * ${MINUTE_MS})`)
    await page.goto(SEARCH)
    await expect(page).toHaveURL(/\/auth\/login$/)
    expect(queryPanel(panel, 'select ended_why as why from sessions')).toEqual([{ why: 'idle' }])
  })

  test('o servidor ouve dos toques no máximo uma vez por minuto, com o que se pergunta de qualquer forma', async ({
    page,
  }) => {
    await page.clock.install()
    await logIn(page)
    /** What the page says of touches when it looks whether its session holds. */
    const said = async () => {
      const answered = page.waitForResponse('**/api/auth/validate')
      await page.evaluate('void window.dispatchEvent(new Event("focus"))')
      return (await answered).request().headers()[TOUCH_HEADER]
    }
    await said()
    await expect.poll(said).toBeUndefined()
    await page.clock.fastForward(MINUTE_MS)
    expect(Number(await said())).toBeGreaterThanOrEqual(60)
    await expect.poll(said).toBeUndefined()
  })

  test('um toque em outra aba vale para todas, e o quadro da parede fica', async ({ page, context }) => {
    await page.clock.install()
    await logIn(page)
    const other = await context.newPage()
    await other.goto(SEARCH)
    await expect(other.getByLabel('Código de barras ou ordem de produção')).toBeVisible()
    await wait(page, 29)
    await other.keyboard.press('Shift')
    await wait(page, 29)
    await expect(page).toHaveURL(new RegExp(`${SEARCH}$`))
    await other.close()
    await page.goto('/pages/equipamentos/painel')
    await wait(page, 120)
    await expect(page).toHaveURL(/painel$/)
  })

  test('enquanto o servidor se cala ninguém sai, pois não poderia voltar a entrar', async ({ page, tolerate }) => {
    tolerate(/ERR_FAILED|ERR_INCOMPLETE/)
    await page.clock.install()
    await logIn(page)
    await page.route('**/api/**', (route) => route.abort())
    await page.clock.runFor(15_000)
    await wait(page, 60)
    await expect(page).toHaveURL(new RegExp(`${SEARCH}$`))
    await page.unroute('**/api/**')
    await untilClosed(page)
  })
})
