import type { Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { dayText } from '../../src/domain/plant/plant-time.ts'
import { fillCable, NO_NETWORK, registerPieces, SUCCESS } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  logIn,
  ORDER,
  openItem,
  queryPanel,
  searchFor,
  section,
  test,
  toast,
  typeLogIn,
} from '../support/journeys/journey.ts'
import { offer } from '../support/journeys/offer.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'

async function openSettings(page: Page): Promise<void> {
  await page.goto('/pages/configuracoes')
  await expect(page.getByRole('heading', { name: 'Configurações', level: 1 })).toBeVisible()
}

const pageColour = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
const textPx = (page: Page) => page.evaluate<number>('Number.parseFloat(getComputedStyle(document.body).fontSize)')

test('tema e tamanho do texto valem na hora, depois de recarregar e nas outras abas', async ({
  page,
  context,
  tolerate,
}) => {
  // the other tab changes the size of the text
  tolerate(/^layout shift: \/pages\/configuracoes /)
  await logIn(page)
  await openSettings(page)
  await expect(page).toHaveTitle('Configurações')
  await expectAccessible(page)
  await picture(page, 'configuracoes')
  const light = await pageColour(page)
  await page.getByText('Escuro').click()
  await expect.poll(() => pageColour(page)).not.toBe(light)
  const dark = await pageColour(page)
  await expectAccessible(page)
  for (const [size, px] of [
    ['115%', 18.4],
    ['130%', 20.8],
  ] as const) {
    await page.getByText(size).click()
    await expect.poll(() => textPx(page)).toBeCloseTo(px, 1)
  }
  await page.reload()
  await expect(page.getByRole('radio', { name: '130%' })).toBeChecked()
  expect(await pageColour(page)).toBe(dark)
  expect(await textPx(page)).toBeCloseTo(20.8, 1)

  const other = await context.newPage()
  await openSettings(other)
  await other.getByText('Claro').click()
  await other.getByText('100%').click()
  await expect.poll(() => pageColour(page)).toBe(light)
  await expect.poll(() => textPx(page)).toBe(16)
  await other.getByText('Igual ao sistema').click()
  await other.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => pageColour(other)).toBe(dark)
})

test('um aviso de que deu certo é verde, um de atenção é amarelo, e os dois se leem, no claro e no escuro', async ({
  page,
}) => {
  await logIn(page)
  await openSettings(page)
  const name = page.getByLabel('Nome do dispositivo')
  const noticed = async (title: string) => {
    const shown = toast(page).getByText(title, { exact: true })
    // under a pointer it stays
    await shown.hover()
    const colours = `[...document.querySelectorAll('[aria-label=Avisos] > div')]
      .flatMap((notice) => [getComputedStyle(notice).borderLeftColor, getComputedStyle(notice.querySelector('p')).color])`
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const colour of await page.evaluate<string[]>(colours)) {
        const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
        const isRight = title === 'Sucesso' ? green > red && green > blue : red > green && green > blue
        expect(isRight, `${title} in ${colorScheme}: ${colour}`).toBe(true)
      }
    }
    await expectAccessibleInBothThemes(page)
    await toast(page).getByRole('button', { name: 'Fechar' }).click()
  }
  await name.fill('Tablet 3')
  await name.press('Enter')
  await noticed('Sucesso')
  await page.evaluate(
    'void (Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") })',
  )
  await name.fill('Tablet 4')
  await name.press('Enter')
  await noticed('Atenção')
})

test('o nome do dispositivo vai com os apontamentos e com as sessões', async ({ page, panel }) => {
  await logIn(page)
  await openSettings(page)
  await tabTo(page, 'Nome do dispositivo', 'textbox')
  await page.keyboard.type('Tablet 3, bancada')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Nome do dispositivo salvo.')
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await typeLogIn(page)
  await searchFor(page, ORDER)
  await openItem(page)
  await fillCable(page)
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText(SUCCESS)
  const names = queryPanel(panel, 'select device_name as name from sessions order by created_at')
  expect(names).toEqual([{ name: '' }, { name: 'Tablet 3, bancada' }])
  const [recorded] = queryPanel<{ capture: string }>(panel, 'select capture_json as capture from recordings')
  expect(JSON.parse(recorded?.capture ?? '')).toMatchObject({ dispositivo: 'Tablet 3, bancada' })
})

test('cabeçalho e menu se escondem e voltam', async ({ page }) => {
  await logIn(page)
  await openSettings(page)
  await page.getByText('Cabeçalho e menu').click()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Menu principal' })).toBeHidden()
  await expectAccessible(page)
  await page.goto('/pages/dashboard')
  await expect(page.getByText('Conectividade100%'), 'the server is asked all the same').toBeVisible()
  await page.goBack()
  await expect(page.getByRole('banner')).toBeHidden()
  await page.getByRole('button', { name: 'Mostrar cabeçalho e menu' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('switch', { name: /Cabeçalho e menu/ })).toBeChecked()
})

test('o som dos chamados se liga, o do leitor se desliga', async ({ page }) => {
  await watchSounds(page)
  await logIn(page)
  await openSettings(page)
  await expect(page.getByRole('button', { name: 'Ouvir aviso de chamado' })).toBeDisabled()
  const teams = page.getByRole('group', { name: 'Avisar chamados de' })
  await teams.getByText('Manutenção').click()
  await page.getByRole('button', { name: 'Ouvir aviso de chamado' }).click()
  await expect.poll(() => heard(page)).toHaveLength(6)
  await page.getByRole('button', { name: 'Ouvir leitura certa' }).click()
  await expect.poll(() => page.evaluate('window.heard.length')).toBe(2)
  await page.getByText('Som ao ler um código').click()
  await expect(page.getByRole('button', { name: 'Ouvir leitura certa' })).toBeDisabled()
  await page.goto('/pages/conferencia-corte')
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await page.getByLabel(/Código de barras/).fill('x')
  await page.keyboard.press('Enter')
  await expect(page.getByText('O código de barras deve ter exatamente 22 caracteres')).toBeVisible()
  expect(await heard(page)).toEqual([])
})

test('a tela não muda de tamanho com teclas, roda nem pinça', async ({ page }) => {
  await logIn(page)
  const prevented = (type: 'KeyboardEvent' | 'WheelEvent', name: string, init: object) =>
    page.evaluate<boolean>(`(() => {
      const init = { bubbles: true, cancelable: true, ...${JSON.stringify(init)} }
      const event = new ${type}('${name}', init)
      document.body.dispatchEvent(event)
      return event.defaultPrevented
    })()`)
  const key = (init: object) => prevented('KeyboardEvent', 'keydown', init)
  const wheel = (init: object) => prevented('WheelEvent', 'wheel', init)
  for (const name of ['+', '-', '0', '=']) expect(await key({ key: name, ctrlKey: true }), name).toBe(true)
  expect(await key({ key: '0' })).toBe(false)
  expect(await wheel({ ctrlKey: true, deltaY: 10 })).toBe(true)
  expect(await wheel({ deltaY: 10 })).toBe(false)
  expect(await page.evaluate('getComputedStyle(document.documentElement).touchAction')).toBe('pan-x pan-y')
})

test('Tab alcança primeiro o atalho para o conteúdo, e uma tela nova começa no seu topo', async ({ page }) => {
  await logIn(page)
  await openSettings(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Ir para o conteúdo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Painel Industrial', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('cada um troca a própria senha só com o teclado, e as outras sessões acabam', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/status of 422/)
  tolerate(NO_NETWORK)
  const NEW = 'três porcas na bancada'
  const dialog = page.getByRole('dialog', { name: 'Trocar senha' })
  const box = (name: RegExp) => dialog.getByLabel(name)
  const typeIn = async (name: RegExp, text: string) => {
    await tabTo(page, box(name))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  // a session of hers elsewhere
  await colleagueAt(panel, 'operador')
  const enter = async (password: string) => {
    await page.getByLabel('Usuário').fill('operador')
    await page.getByLabel('Senha', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  await page.goto('/pages/configuracoes?aba=sessoes')
  await enter('operador')
  await expect(page.getByText('2 sessões abertas')).toBeVisible()
  await enterAt(page, 'Encerrar as outras')
  await expect(page.getByRole('alertdialog', { name: 'Encerrar a sessão?' })).toBeFocused()
  await page.keyboard.press('Escape')
  await enterAt(page, 'Trocar senha')
  await expect(box(/^Senha atual/)).toBeFocused()
  await page.keyboard.type('errada')
  await typeIn(/^Nova senha/, 'operador')
  await expect(dialog.getByText('Fácil de adivinhar')).toBeVisible()
  await typeIn(/^Nova senha/, NEW)
  await typeIn(/^Repita a nova senha/, 'três porcas')
  await expect(dialog.getByText('As duas não são iguais')).toBeVisible()
  await typeIn(/^Repita a nova senha/, NEW)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('A senha atual não confere.')).toBeVisible()
  await expect(box(/^Senha atual/)).toBeFocused()
  await picture(page, 'configuracoes-trocar-senha')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Sem conexão com o servidor')
  await page.context().setOffline(false)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Se a troca anterior funcionou')).toBeVisible()
  await expect(box(/^Repita a nova senha/)).toHaveValue(NEW)
  await page.keyboard.type('operador')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Senha trocada. As outras sessões foram encerradas.')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 sessão aberta')).toBeVisible()

  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await enter(NEW)
  await expect(page.getByRole('heading', { name: 'Painel Industrial', level: 1 })).toBeVisible()
})

test('as licenças do que o painel usa e as notas de versão se leem dali', async ({ page, context }) => {
  await logIn(page)
  await openSettings(page)
  const { version, versionDay } = await (await page.request.get('/api/status')).json()
  await expect(section(page, 'Sobre')).toContainText(`${version}, de ${dayText(versionDay)}`)
  await expect(section(page, 'Sobre')).toContainText(/Página2\.1\.0-[0-9a-f]{7}/)
  await expect(section(page, 'Sobre')).toContainText('Este navegador não oferece a instalação agora')
  await page.evaluate(offer)
  await expect(section(page, 'Sobre').getByRole('button', { name: 'Instalar App' })).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Licenças dos programas de terceiros' }).click()
  await expect((await opened).locator('body')).toContainText('react-dom')
  const notes = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Notas de versão' }).click()
  await expect((await notes).locator('body')).toContainText('## 2.1.0')
})

test('a quem tem a senha no diretório da empresa não se oferece trocá-la', async ({ page, panel }) => {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  sqlite.exec("update users set directory = 'present' where username = 'operador'")
  sqlite.close()
  await logIn(page, 'operador', '/pages/configuracoes?aba=sessoes')
  await expect(section(page, 'Sua conta')).toContainText('Sua senha é a do diretório da empresa.')
  await expect(page.getByRole('button', { name: 'PIN do crachá' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Trocar senha' })).toHaveCount(0)
  await picture(page, 'configuracoes-senha-do-diretorio')
})

test('quem sai e entra sem recarregar a página vê na hora o que muda na fábrica', async ({ page, panel }) => {
  await logIn(page)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Corte e Crimpagem' }).click()
  await searchFor(page, ORDER)
  await expect(page.getByText('Filial: Unidade 1')).toBeVisible()
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { plants: [{ code: '010101', label: 'Matriz' }] })
  await expect(page.getByText('Filial: Matriz')).toBeVisible()
})
