import type { Page } from '@playwright/test'
import { SAVED_HERE } from '../support/journeys/cable.ts'
import {
  changePanel,
  enrolDevice,
  expect,
  logIn,
  ORDER,
  openItem,
  queryPanel,
  readingLine,
  scan,
  searchFor,
  section,
  test,
  toast,
  untilFetched,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { STEP_MS } from '../support/slowness.ts'

const PIN = '7302'
const NO_NETWORK = 'Sem rede: a troca precisa do servidor.'

/** As the administrator of this browser: makes it a station, and gives Maria a badge and a PIN. */
async function giveBadge(page: Page, { isStation = true } = {}): Promise<string> {
  return await page.evaluate<string>(`(async () => {
    const ask = async (method, path, body) => {
      const headers = { authorization: 'Basic ' + localStorage.getItem('basicAuth'), 'content-type': 'application/json' }
      const answer = await fetch('/api/' + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      if (!answer.ok) throw new Error(await answer.text())
      return await answer.json()
    }
    if (${isStation}) await ask('POST', 'estacao', { name: 'Bancada 1' })
    const maria = (await ask('GET', 'usuarios')).find(({ username }) => username === 'operador')
    await ask('PUT', 'usuarios/' + maria.id + '/pin', { pin: '${PIN}' })
    return (await ask('POST', 'usuarios/' + maria.id + '/cracha')).codigo
  })()`)
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Trocar operador' })

async function typePin(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await dialog(page).getByRole('button', { name: digit, exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Entrar' }).click()
}

const lot = (page: Page) => section(page, 'Cabo').getByLabel('Lote')

async function openItemWithLot(page: Page): Promise<void> {
  await searchFor(page, ORDER)
  await openItem(page)
  await lot(page).pressSequentially('L261121001', { delay: 80 })
}

test('o crachá troca o operador na tela em que ele está; o rascunho continua de quem digitou', async ({
  page,
  tolerate,
}) => {
  tolerate(/422 .*\/api\/auth\/cracha/)
  await logIn(page, 'admin')
  const code = await giveBadge(page)
  await openItemWithLot(page)
  const side = section(page, 'Terminal Lado 1')
  await side.getByLabel('Lote').pressSequentially('B23004517', { delay: 80 })
  const force = side.getByRole('textbox', { name: /^Força/ })
  await force.click({ clickCount: 3 })
  await force.pressSequentially('85', { delay: 80 })
  await expect(section(page, 'Cabo').getByText('por Administrador')).toBeVisible()
  await scan(page, code)
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('status', { name: 'PIN: 0 de 4 a 6 números' }).locator('span')).toHaveCount(6)
  await expect(dialog(page).getByText('Entrar', { exact: true })).toBeVisible()
  await typePin(page, '9071')
  await expect(dialog(page).getByRole('alert')).toContainText('Crachá ou PIN não confere.')
  await picture(page, 'trocar-operador')
  await page.keyboard.type(PIN, { delay: 80 })
  await page.keyboard.press('Enter')
  await expect(toast(page).filter({ hasText: 'Maria Souza entrou' })).toBeVisible()
  await expect(toast(page).filter({ hasText: '1 PIN errado no seu crachá desde' })).toBeVisible()
  await picture(page, 'pins-errados')
  await expect(section(page, 'Cabo').getByText('por Maria Souza')).toBeVisible()
  await expect(lot(page)).toHaveValue('')
  await expect(page.getByText('Rascunho de Administrador.')).toBeVisible()
  await picture(page, 'rascunho-de-outro')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(lot(page)).toHaveValue('L261121001')
  await expect(side.getByLabel('Lote')).toHaveValue('B23004517')
  await expect(force, 'measured by nobody who is here').toHaveValue('70')
  expect(await page.evaluate<boolean>("Object.values(localStorage).some((text) => text.includes('PIC-'))")).toBe(false)
  await expect(page.getByRole('button', { name: 'Trocar operador' })).toBeVisible()
})

test('trocar de operador pelo crachá: 1 leitura e 5 toques', async ({ page }) => {
  await logIn(page, 'admin')
  const code = await giveBadge(page)
  await page.evaluate(`window.taps = 0
    addEventListener('pointerdown', () => window.taps++, true)`)
  await scan(page, code)
  await expect(dialog(page)).toBeVisible()
  await typePin(page, PIN)
  await expect(toast(page)).toContainText('Maria Souza entrou')
  expect(await page.evaluate('window.taps')).toBe(5)
})

test('um crachá sem PIN o diz depois dos números, e leva a entrar com a senha e definir', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/422 .*\/api\/auth\/cracha/)
  await logIn(page, 'admin')
  const code = await giveBadge(page)
  changePanel(panel, 'update badges set pin_hash = null')
  await searchFor(page, ORDER)
  await scan(page, code)
  await expect(dialog(page)).not.toContainText('PIN.')
  await typePin(page, PIN)
  await expect(dialog(page).getByRole('alert')).toContainText('Este crachá ainda não tem PIN.')
  await picture(page, 'cracha-sem-pin')
  await dialog(page).getByRole('button', { name: 'Entrar com senha e definir' }).click()
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('button', { name: 'PIN do crachá' }).click()
  const own = page.getByRole('dialog', { name: 'PIN do crachá' })
  await own.getByRole('textbox', { name: 'Sua senha' }).fill('operador')
  await own.getByLabel('PIN', { exact: true }).fill(PIN)
  await own.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('PIN definido.')
  await scan(page, code)
  await typePin(page, PIN)
  await expect(toast(page).filter({ hasText: 'Maria Souza entrou' })).toBeVisible()
})

test('noutro dispositivo o crachá não vale, e não fica no campo em que foi lido', async ({ page }) => {
  await logIn(page, 'admin')
  const code = await giveBadge(page, { isStation: false })
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.pressSequentially('0162', { delay: 80 })
  await scan(page, code)
  await expect(toast(page)).toContainText('Crachá e PIN só valem numa estação compartilhada.')
  await expect(box).toHaveValue('0162')
  await expect(dialog(page)).toBeHidden()
})

test('sem rede a troca é recusada em palavras; o que esperava é enviado em nome de quem apontou', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await logIn(page, 'admin')
  const code = await giveBadge(page)
  await openItemWithLot(page)
  await untilFetched(page, 'Selectors')
  await page.context().setOffline(true)
  await scan(page, code)
  await expect(toast(page)).toContainText(NO_NETWORK)
  await expect(lot(page)).toHaveValue('L261121001')
  await section(page, 'Cabo').getByRole('button', { name: 'Selecionar' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Selecionar/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.route('**/api/apontamentos/corte-crimpagem', (route) => route.abort())
  await page.context().setOffline(false)
  await expect(async () => {
    await scan(page, code)
    await expect(dialog(page)).toBeVisible({ timeout: STEP_MS })
  }).toPass()
  await typePin(page, PIN)
  await expect(page.getByText('por Maria Souza').first()).toBeVisible()
  await page.unroute('**/api/apontamentos/corte-crimpagem')
  // by itself the queue waits the longer the oftener nobody has answered
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  const authors = () =>
    queryPanel<{ username: string }>(
      panel,
      "select u.username from recordings r join users u on u.id = r.user_id where r.operator = 'Administrador'",
    )
  await expect.poll(authors).toEqual([{ username: 'admin' }])
})

test('o administrador faz a estação, define o PIN e emite o crachá', async ({ page, panel }) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=dispositivo')
  await enrolDevice(page, 'Bancada 1', 'estação')
  await expect(page.getByRole('button', { name: 'Trocar operador' })).toBeVisible()
  await picture(page, 'configuracoes-estacoes')
  await page.goto('/pages/configuracoes?aba=usuarios')
  await page.getByRole('button', { name: 'Crachá de operador' }).click()
  const badge = page.getByRole('dialog', { name: 'Crachá de Maria Souza' })
  await badge.getByLabel('PIN', { exact: true }).fill('1234')
  await expect(badge).toContainText('Fácil de adivinhar')
  await badge.getByLabel('PIN', { exact: true }).fill(PIN)
  await picture(page, 'cracha-de-usuario')
  await badge.getByRole('button', { name: 'Definir PIN' }).click()
  await expect(toast(page)).toContainText('PIN definido.')
  await badge.getByRole('button', { name: 'Emitir crachá' }).click()
  await expect(page.getByRole('img', { name: 'Código de barras do crachá' })).toBeVisible()
  await picture(page, 'cracha-novo')
  await page.keyboard.press('Escape')
  changePanel(panel, 'update badges set pin_hash = null')
  await page.reload()
  await page.getByRole('button', { name: 'Crachá de operador' }).click()
  await expect(badge).toContainText('ainda não tem PIN')
  await badge.getByLabel('PIN', { exact: true }).fill(PIN)
  await badge.getByRole('button', { name: 'Definir PIN' }).click()
  await expect(badge, 'read again').toContainText('Tem crachá e PIN.')
})

test('uma estação de uma versão anterior pede, na lista e em Sistema, para ser cadastrada de novo', async ({
  page,
  panel,
}) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=dispositivo')
  const stations = await enrolDevice(page, 'Bancada 1', 'estação')
  changePanel(panel, 'update stations set secret_hash = null')
  await page.goto('/pages/configuracoes?aba=sistema')
  const inSystem = section(page, 'Estações e quadros')
  await expect(inSystem).toContainText('Bancada 1: no próprio dispositivo')
  await picture(page, 'sistema-estacao-de-antes')
  await page.goto('/pages/configuracoes?aba=dispositivo')
  await expect(stations.getByRole('listitem')).toContainText('Cadastrar de novo')
  await picture(page, 'estacao-de-antes')
  await stations.getByRole('button', { name: 'Cadastrar de novo' }).click()
  await expect(stations.getByRole('listitem')).not.toContainText('Cadastrar de novo')
  await expect(stations.getByRole('listitem')).toContainText('Bancada 1 (este dispositivo)')
  await page.goto('/pages/configuracoes?aba=sistema')
  await expect(section(page, 'Banco, fila e backup')).toBeVisible()
  await expect(inSystem).toBeHidden()
})

test('quem entra com a senha lê quantos PINs errados houve no seu crachá', async ({ page, panel }) => {
  await page.goto('/')
  const wrong =
    "insert into badges (user_id, wrong_pins, wrong_since) select id, 3, 1795600000000 from users where username = 'admin'"
  changePanel(panel, wrong)
  await page.getByLabel('Usuário').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('admin')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(toast(page)).toContainText('3 PINs errados no seu crachá desde')
  await picture(page, 'pins-errados-na-entrada')
})

test('um crachá que está sendo emitido não se perde: a janela espera por ele, e um toque ao lado não o fecha', async ({
  page,
}) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/cracha', async (route) => {
    await released.promise
    await route.continue()
  })
  await logIn(page, 'admin', '/pages/configuracoes?aba=usuarios')
  await page.getByRole('button', { name: 'Crachá de operador' }).click()
  const badge = page.getByRole('dialog', { name: 'Crachá de Maria Souza' })
  await badge.getByRole('button', { name: 'Emitir crachá' }).click()
  await expect(badge.getByRole('button', { name: 'Emitindo...' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(badge.getByRole('button', { name: 'Fechar' })).toBeDisabled()
  released.resolve()
  const code = page.getByRole('img', { name: 'Código de barras do crachá' })
  await expect(code).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(code).toBeVisible()
  await page.getByRole('button', { name: 'Fechar' }).click()
  await expect(code).toBeHidden()
})
