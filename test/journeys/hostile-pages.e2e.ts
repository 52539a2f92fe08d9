import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import type { CutRow } from '../../demo/simulator/dictionary.ts'
import type { User } from '../../src/contract/users.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { sendElsewhere } from '../support/journeys/documents.ts'
import { BARCODE, expect, logIn, ORDER, openItem, searchFor } from '../support/journeys/journey.ts'
import { ADMIN, type Plant, test } from '../support/journeys/plant.ts'

/** Runs where a text is taken for a part of the page. */
const SCRIPT = `'"><img src=q onerror=ran()><b>`

/** What the ERP looks rows up by, and how it says that something was received. */
const KEYS = /^Z1_(FILIAL|OP|CODBAR|ITEMEST|CONFERE)$/

/** Every text that the ERP tells of an order, and every text that a person can type. */
async function fillWithScript({ panel, erp }: Plant): Promise<void> {
  const row = erp.state.row(BARCODE) as CutRow
  const texts = Object.entries(row).filter(([name, value]) => typeof value === 'string' && !KEYS.test(name))
  Object.assign(row, Object.fromEntries(texts.map(([name]) => [name, SCRIPT])))
  const junction = erp.state.junction('010101', ORDER, 'J01') as object
  Object.assign(junction, { Z8_CLIENTE: SCRIPT, Z8_PRODUTO: SCRIPT, Z8_DESCPRO: SCRIPT, Z8_TERMINA: SCRIPT })

  const admin = await colleagueAt(panel, ADMIN)
  const users = await admin<User[]>('GET', '/api/usuarios')
  for (const { id } of users) await admin('PUT', `/api/usuarios/${id}`, { fullName: SCRIPT })
  await admin('PUT', '/api/configuracao', { plants: [{ code: '010101', label: SCRIPT }] })
  await admin('POST', '/api/miniaplicadores', { terminal: SCRIPT, miniaplicator: SCRIPT })
  await admin('POST', '/api/sealingstations', { seal: SCRIPT, sealingStationName: SCRIPT })
  const { token } = await admin<{ token: string }>('POST', '/api/auth/login', { username: ADMIN, password: ADMIN })
  const record = (path: string, body: object) =>
    fetch(panel.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    })
  const cut = { EMPRESA: '010101', ORDEM_PROD: ORDER, QTD_ORDEM_PROD: 120, COD_BARRA: BARCODE, MAQUINA: SCRIPT }
  const crimp = { ...cut, TERM_LD1: SCRIPT, FORCA_LD1: 70, ALTURA_LD1: 1.1, LOTE_TERM_LD1: SCRIPT, MA_LD1: SCRIPT }
  const sealed = { ...crimp, SELO_LD1: SCRIPT, SELADORA_LD1: SCRIPT }
  // of an item that the ERP does not have: it waits for a person
  const unknown = { ...sealed, QTD_REALIZADA: 1, COD_BARRA: 'X'.repeat(22), captura: { salvoNoDispositivo: true } }
  expect((await record('/api/apontamentos/corte-crimpagem', unknown)).status).toBeLessThan(300)
  const unit = encodeURIComponent(SCRIPT)
  const plan = { serviceOrder: 4711, maintenanceDate: '2099-12-31', comments: SCRIPT }
  await admin('PUT', `/api/crimpagens/${unit}/schedule`, { miniaplicator: SCRIPT, ...plan })
  await sendElsewhere(panel, {
    title: SCRIPT,
    revision: SCRIPT.slice(0, 20),
    code: SCRIPT,
    fileName: SCRIPT,
    username: ADMIN,
  })
}

/** Wherever it stands it is read, and nothing of it has become a part of the page. */
async function expectHarmless(page: Page, isShown: boolean): Promise<void> {
  if (isShown) await expect(page.getByText(SCRIPT).filter({ visible: true }).first()).toBeVisible()
  expect(await page.evaluate('[window.ranCount, window.violations]'), page.url()).toEqual([0, []])
  await expect(page.locator('img[src="q"], [onerror]')).toHaveCount(0)
}

test('um texto que é um programa, vindo do ERP ou digitado, é só um texto em cada tela', async ({ page, plant }) => {
  await fillWithScript(plant)
  await page.addInitScript(`
    Object.assign(window, { ranCount: 0, violations: [], ran: () => { window.ranCount++ } })
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective))`)
  await logIn(page, ADMIN)
  const entry = { level: 'Error', source: SCRIPT, message: SCRIPT, error: SCRIPT, userId: SCRIPT, currentUrl: SCRIPT }
  const logged = { ...entry, timestamp: '2026-11-21T15:00:00.000Z', userAgent: SCRIPT, additionalData: { SCRIPT } }
  await page.evaluate(`localStorage.setItem('logs', ${JSON.stringify(JSON.stringify([logged]))})`)
  await searchFor(page, ORDER)
  await expectHarmless(page, true)
  await openItem(page)
  await expectHarmless(page, true)
  const screens: [address: string, isShown: boolean][] = [
    ['/pages/dashboard', false],
    ['/pages/mini-aplicadores', true],
    ['/pages/estacoes-selo', true],
    ['/pages/controle-crimpagens', true],
    ['/pages/controle-crimpagens?aba=agendamento', true],
    ['/pages/controle-crimpagens?aba=historico', true],
    [`/pages/juncoes/detalhes/010101/${ORDER}/J01`, true],
    ['/pages/pendencias', true],
    ['/pages/relatorios', true],
    [`/pages/relatorios?aba=rastreabilidade&termo=${encodeURIComponent(SCRIPT)}&tipo=lote`, true],
    ['/pages/analise-graficos', false],
    ['/pages/logs', true],
    ['/pages/logs?aba=servidor', false],
    ['/pages/logs?aba=auditoria', true],
    ['/pages/configuracoes', false],
    ['/pages/configuracoes?aba=sessoes', true],
    ['/pages/configuracoes?aba=usuarios', true],
    ['/pages/configuracoes?aba=fabrica', false],
    ['/pages/equipamentos', true],
    ['/pages/equipamentos/painel', true],
    ['/pages/documentos', true],
    [`/api/rastreabilidade/folha?termo=${encodeURIComponent(SCRIPT)}&tipo=lote`, true],
  ]
  for (const [address, isShown] of screens) {
    await page.goto(address)
    if (!address.startsWith('/api')) await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectHarmless(page, isShown)
  }
})

/** As a page on the panel's own machine would try it, to which even a strict cookie travels. */
const attack = (url: string) => `(async () => {
  const json = JSON.stringify({ terminal: 'T1', miniaplicator: 'MA-MAU' })
  const form = new URLSearchParams({ terminal: 'T1', miniaplicator: 'MA-MAU' })
  const sent = { method: 'POST', credentials: 'include', body: json }
  const ask = (path, init) => fetch('${url}' + path, { credentials: 'include', ...init }).then(() => 'read', () => 'refused')
  const load = (element, src) => new Promise((resolve) => {
    Object.assign(element, { src, onload: () => resolve('loaded'), onerror: () => resolve('refused') })
    document.body.append(element)
  })
  const listen = (stream) => new Promise((resolve) => {
    Object.assign(stream, { onopen: () => resolve('heard'), onerror: () => resolve('refused') })
  }).finally(() => stream.close())
  const got = [
    await ask('/api/crimpagens'),
    await ask('/api/crimpagens/export-csv'),
    await ask('/api/miniaplicadores', { ...sent, headers: { 'content-type': 'application/json' } }),
    await ask('/api/auth/logout', { ...sent, headers: { authorization: 'Bearer x' } }),
    await load(new Image(), '${url}/api/crimpagens/export-csv'),
    await load(new Image(), '${url}/icons/icon-512.png'),
    await load(document.createElement('script'), '${url}/api/crimpagens'),
    await listen(new EventSource('${url}/api/eventos', { withCredentials: true })),
  ]
  // what needs no leave to be sent, and whose answer nobody sees
  for (const path of ['/api/miniaplicadores', '/api/auth/logout', '/api/auth/refresh']) {
    for (const body of [json, form]) await ask(path, { ...sent, mode: 'no-cors', body })
  }
  return got
})()`

async function serveForeignPage(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>Outra página</title><body><iframe name="alvo"></iframe>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}

test('uma página de outro endereço não lê nem muda nada em nome de quem entrou', async ({ page, context, panel }) => {
  await logIn(page, ADMIN)
  const admin = await colleagueAt(panel, ADMIN)
  const listOf = () => admin<object[]>('GET', '/api/miniaplicadores')
  const before = await listOf()
  const foreign = await serveForeignPage()
  const other = await context.newPage()
  await other.goto(foreign.url)
  const got = (await other.evaluate(attack(panel.url))) as string[]
  expect(got).toEqual(Array<string>(8).fill('refused'))

  const framed = other.waitForEvent('requestfailed', (request) => request.url().startsWith(panel.url))
  await other.evaluate(`void window.open('${panel.url}/pages/dashboard', 'alvo')`)
  await framed
  foreign.close()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
  expect(await listOf()).toEqual(before)
})
