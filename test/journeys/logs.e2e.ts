import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { LogEntry } from '../../src/contract/log-entries.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { expect, expectAccessible, logIn, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt } from '../support/journeys/tab-to.ts'

const LOGS = '/pages/logs'
const table = (page: Page, name: string) => page.getByRole('table', { name })
const here = (page: Page) => table(page, 'Log deste dispositivo')
const there = (page: Page) => table(page, 'Log do servidor')
const rows = (page: Page) => here(page).getByRole('row')
const question = (page: Page) => page.getByRole('alertdialog')

async function downloadOf(page: Page, button: string): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent('download')
  await enterAt(page, button)
  const file = await started
  return { name: file.suggestedFilename(), text: (await readFile(await file.path())).toString() }
}

/** Without what the browser itself had to say of this visit. */
async function clearHere(page: Page) {
  await page.evaluate(() => localStorage.removeItem('logs'))
  await page.reload()
  await expect(page.getByText('Nada foi registrado neste dispositivo.')).toBeVisible()
}

test('o que ninguém tratou aparece no log deste dispositivo, e fica depois de sair', async ({ page, tolerate }) => {
  tolerate(/quebrou de propósito|rejeitada de propósito/)
  await logIn(page, 'operador', LOGS)
  await clearHere(page)
  await picture(page, 'logs-vazio')
  await expect(page.getByRole('tab')).toHaveText(['Neste dispositivo'])
  await expectAccessible(page)
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('quebrou de propósito')
    })
    void Promise.reject(new Error('rejeitada de propósito'))
  })
  await expect(here(page)).toContainText('quebrou de propósito')
  await expect(here(page)).toContainText('rejeitada de propósito')
  await expect(page.getByText('2 entradas')).toBeVisible()
  const details = page.getByRole('button', { name: 'Detalhes: quebrou de propósito' })
  await details.click()
  await expect(details).toHaveAttribute('aria-expanded', 'true')
  await expect(here(page)).toContainText(/Usuário\s*operador/)
  await expect(here(page)).toContainText(`Endereço${new URL(page.url()).origin}${LOGS}`)
  await expectAccessible(page)
  await picture(page, 'logs-dispositivo')

  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await logIn(page, 'operador', LOGS)
  await expect(here(page)).toContainText('quebrou de propósito')
})

test('o que a tela cala o log deste dispositivo diz, sem segredo', async ({ page, tolerate }) => {
  tolerate(/503/)
  await logIn(page, 'operador', LOGS)
  await clearHere(page)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route('**/api/crimpagens/history', (route) => route.fulfill({ status: 503, json }))
  await page.goto('/pages/controle-crimpagens?aba=historico')
  await expect(page.getByText('Não foi possível carregar o histórico.')).toBeVisible()
  await page.goto(LOGS)
  await expect(here(page)).toContainText('GET /api/crimpagens/history')
  await expect(here(page)).toContainText('Banco de dados indisponível.')
  const stored = await page.evaluate(() => {
    const secrets = ['token', 'basicAuth'].map((key) => localStorage.getItem(key) ?? '')
    const log = localStorage.getItem('logs') ?? ''
    return secrets.map((secret) => [secret.length > 9, log.includes(secret)])
  })
  expect(stored).toEqual([
    [true, false],
    [true, false],
  ])
})

test('quinhentas das mil entradas aparecem, e se filtram, exportam e limpam só com o teclado', async ({ page }) => {
  await logIn(page)
  await page.evaluate(() => {
    const entry = (n: number) => ({
      timestamp: new Date(Date.UTC(2026, 10, 21, 15, 0, n)).toISOString(),
      level: n % 100 === 0 ? 'Critical' : 'Info',
      source: 'Teste',
      message: `número ${n}.`,
      error: null,
      userId: 'operador',
      currentUrl: '/pages/logs',
      userAgent: 'Chromium',
      additionalData: null,
    })
    localStorage.setItem('logs', JSON.stringify(Array.from({ length: 1000 }, (_, n) => entry(n))))
  })
  await page.goto(LOGS)
  await expect(page.getByText('Mostrando as 500 mais novas de 1.000 entradas')).toBeVisible()
  await expect(rows(page).nth(1)).toContainText('21/11/2026 12:16:39')
  await expect(rows(page).nth(1)).toContainText('número 999.')

  await page.keyboard.press('/')
  await page.keyboard.type('NÚMERO 12.')
  await expect(page.getByText('1 entrada, de 1.000')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('nada disso')
  await expect(page.getByText('Nenhuma entrada com este filtro')).toBeVisible()
  await picture(page, 'logs-sem-resultado')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.getByLabel('Nível').selectOption('Só críticos')
  await expect(page.getByText('10 entradas, de 1.000')).toBeVisible()

  const csv = await downloadOf(page, 'Exportar CSV')
  expect(csv.name).toMatch(/^log_deste_dispositivo_\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text.split('\r\n')).toHaveLength(12)
  expect(csv.text).toContain(
    '21/11/2026 12:15:00;Crítico;"Teste";"número 900.";;"operador";"/pages/logs";"Chromium";\r\n',
  )
  const json = await downloadOf(page, 'Exportar JSON')
  expect(JSON.parse(json.text)).toHaveLength(10)

  await page.getByLabel('Nível').focus()
  await enterAt(page, 'Limpar')
  await expect(question(page)).toContainText('As 1.000 entradas serão apagadas.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await enterAt(page, 'Limpar')
  // the button of the same name behind it has the focus until then
  await expect.poll(() => page.evaluate("document.activeElement.closest('[role=alertdialog]') !== null")).toBe(true)
  await enterAt(page, 'Limpar')
  await expect(page.getByText('Nada foi registrado neste dispositivo.')).toBeVisible()
  await enterAt(page, 'Gerar entradas de teste')
  await expect(page.getByText('1 entrada, de 4')).toBeVisible()
  await expect(rows(page).nth(1)).toContainText('Entrada de teste: crítico')
})

test('conteúdo alheio no lugar do log não atrapalha', async ({ page }) => {
  await logIn(page)
  await page.evaluate(() => localStorage.setItem('logs', '[{"timestamp":1},'))
  await page.goto(LOGS)
  await expect(page.getByText('Nada foi registrado neste dispositivo.')).toBeVisible()
  await page.getByRole('button', { name: 'Gerar entradas de teste' }).click()
  await expect(page.getByText('4 entradas')).toBeVisible()
})

test('o administrador filtra e limpa o log do servidor; o operador não o vê', async ({ page, panel, tolerate }) => {
  // The reversed period is refused.
  tolerate(/400 .*\/api\/logs/)
  const admin = await colleagueAt(panel)
  const operator = await colleagueAt(panel, 'operador')
  await expect(operator('GET', '/api/logs')).rejects.toThrow('403')
  await expect(operator('DELETE', '/api/logs')).rejects.toThrow('403')
  await logIn(page, 'admin', LOGS)
  await page.getByRole('tab', { name: 'Neste dispositivo' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\?aba=servidor$/)
  await expect(there(page)).toContainText('Servidor iniciado')
  await enterAt(page, 'Gerar entradas de teste')
  await expect(there(page).getByRole('row').nth(1)).toContainText('Entrada de teste: crítico')
  await enterAt(page, 'Detalhes: Entrada de teste: crítico')
  await expect(there(page)).toContainText('{"user":"admin"}')
  await expectAccessible(page)
  await picture(page, 'logs-servidor')

  await page.getByLabel('Nível').selectOption('Erros e piores')
  await expect(there(page).getByRole('row').filter({ hasText: 'Servidor iniciado' })).toHaveCount(0)
  await expect(there(page)).toContainText('Entrada de teste: erro')
  await page.getByLabel('Filtrar por texto').fill('nada disso')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nenhuma entrada com este filtro')).toBeVisible()
  await page.getByLabel('Filtrar por texto').fill('')
  await page.getByLabel('De', { exact: true }).fill('02/01/2020')
  await page.getByLabel('Até', { exact: true }).fill('01/01/2020')
  await expect(page.getByRole('alert')).toContainText('O início do período deve ser antes do fim.')
  await page.getByLabel('De', { exact: true }).fill('01/01/2020')
  await expect(page.getByText('Nenhuma entrada com este filtro')).toBeVisible()
  await page.getByLabel('Até', { exact: true }).fill('')
  await expect(there(page)).toContainText('Entrada de teste: erro')

  await enterAt(page, page.getByRole('button', { name: 'Limpar', exact: true }))
  await expect(question(page)).toContainText('Fica registrado quem limpou.')
  await expectAccessible(page)
  await picture(page, 'logs-limpar')
  await enterAt(page, 'Limpar')
  await expect(question(page)).toBeHidden()
  await page.getByLabel('Nível').selectOption('')
  await expect(there(page)).toContainText('Log limpo por Administrador')
  const left = await admin<LogEntry[]>('GET', '/api/logs')
  expect(left.at(-1)).toMatchObject({ level: 'Warning', message: 'Log limpo por Administrador' })
  expect(left.filter(({ message }) => message.startsWith('Entrada de teste'))).toEqual([])
})

test('sem resposta do servidor a tela diz, e tenta de novo', async ({ page, tolerate }) => {
  tolerate(/503/)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await logIn(page, 'admin')
  await page.route(/\/api\/logs\?/, (route) => route.fulfill({ status: 503, json }))
  await page.goto(`${LOGS}?aba=servidor`)
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível.')
  await expectAccessible(page)
  await picture(page, 'logs-servidor-falha')
  await page.unroute(/\/api\/logs\?/)
  await enterAt(page, 'Tentar novamente')
  await expect(there(page)).toContainText('Servidor iniciado')
  await page.route(/\/api\/logs$/, (route) => route.fulfill({ status: 503, json }))
  await enterAt(page, page.getByRole('button', { name: 'Limpar', exact: true }))
  await enterAt(page, question(page).getByRole('button', { name: 'Limpar' }))
  await expect(question(page).getByRole('alert')).toContainText('Banco de dados indisponível.')
})
