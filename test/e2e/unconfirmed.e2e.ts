import type { Page, Request } from '@playwright/test'
import {
  BARCODE,
  expect,
  ORDER,
  openItem,
  openItemOfOrder,
  pick,
  queryPanel,
  readErpItem,
  searchFor,
  section,
  test,
  toast,
} from './journey.ts'

const RECORD = '**/api/apontamentos/corte-crimpagem'
const UNCONFIRMED = 'Sem resposta do servidor: este apontamento ainda não foi confirmado.'

/** Scripts of the page, as text: what runs there has other types than what runs here. */
const fullDevice = `IDBDatabase.prototype.transaction = () => {
  throw new DOMException('full', 'QuotaExceededError')
}; null`

const watchSteps = `window.steps = []
const transaction = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (...asked) {
  const begun = transaction.apply(this, asked)
  if (asked[1] === 'readwrite') {
    begun.addEventListener('complete', () => window.steps.push('on disk ' + begun.durability))
  }
  return begun
}
const send = window.fetch
window.fetch = (...asked) => {
  if (String(asked[0]).includes('corte-crimpagem')) window.steps.push('sent')
  return send(...asked)
}; null`

const cable = (page: Page) => section(page, 'Cabo')

async function registerCable(page: Page, pieces: string): Promise<void> {
  await cable(page).getByLabel('Lote').fill('L261121001')
  await cable(page).getByLabel('Quantidade de peças').fill(pieces)
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
}

async function expectLocked(page: Page): Promise<void> {
  await expect(cable(page).getByText(UNCONFIRMED)).toBeVisible()
  await expect(cable(page)).toContainText('5 peças')
  await expect(cable(page).getByLabel('Lote')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Registrar cabo' })).toBeDisabled()
}

const keysOf = (page: Page): (string | undefined)[] => {
  const keys: (string | undefined)[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && request.url().endsWith('/corte-crimpagem')) {
      keys.push(request.headers()['idempotency-key'])
    }
  })
  return keys
}

test('uma resposta perdida trava a etapa, sobrevive à recarga e é um só apontamento', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_FAILED/)
  const keys = keysOf(page)
  // The server takes it; its answer is lost.
  await page.route(RECORD, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await openItemOfOrder(page)
  await registerCable(page, '5')
  await expectLocked(page)

  await page.reload()
  await expectLocked(page)

  // the screen repeats by itself when it opens: that answer must be lost as well before the operator presses
  const again = cable(page).getByRole('button', { name: 'Enviar novamente' })
  await expect.poll(() => keys.length).toBeGreaterThanOrEqual(2)
  await expect(again).toBeEnabled()
  await page.unrouteAll({ behavior: 'wait' })
  await again.click()
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  await expect(cable(page).getByText(UNCONFIRMED)).toBeHidden()
  await expect(cable(page)).toContainText('Restam 115 peças')

  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThanOrEqual(3)
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 5 }])
  expect(Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGCO)).toBe(5)
})

test('quando a rede volta, o apontamento segue sozinho', async ({ page, panel, tolerate }) => {
  tolerate(/ERR_FAILED/)
  await page.route(RECORD, (route) => route.abort())
  await openItemOfOrder(page)
  await registerCable(page, '5')
  await expectLocked(page)
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([])

  await page.unroute(RECORD)
  await page.evaluate('void window.dispatchEvent(new Event("online"))')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  await expect(cable(page)).toContainText('Restam 115 peças')
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 5 }])
})

test('o apontamento de quem saiu é entregue em nome dele', async ({ page, panel, tolerate }) => {
  tolerate(/ERR_FAILED|401/)
  await page.route(RECORD, (route) => route.abort())
  await openItemOfOrder(page)
  await registerCable(page, '5')
  await expectLocked(page)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await page.getByLabel('Usuário').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('admin')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await searchFor(page, ORDER)
  await openItem(page)
  await expect(cable(page)).toContainText('Registrado por Maria Souza.')

  await page.unroute(RECORD)
  await cable(page).getByRole('button', { name: 'Enviar novamente' }).click()
  await expect(cable(page)).toContainText('Restam 115 peças')
  const authors = 'select u.username from recordings r join users u on u.id = r.user_id'
  expect(queryPanel(panel, authors)).toEqual([{ username: 'operador' }])
})

test('sem lugar no dispositivo nada é enviado', async ({ page, panel, tolerate }) => {
  tolerate(/Apontamento não guardado/)
  await openItemOfOrder(page)
  await page.evaluate(fullDevice)
  await registerCable(page, '5')
  await expect(toast(page)).toContainText('Código: device_storage_failed')
  await expect(cable(page).getByLabel('Lote')).toBeEnabled()
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([])
})

test('o apontamento vai ao disco com durabilidade estrita antes de sair', async ({ page }) => {
  await openItemOfOrder(page)
  await page.evaluate(watchSteps)
  await registerCable(page, '5')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  const steps = await page.evaluate('steps')
  expect(steps).toEqual(['on disk strict', 'sent', 'on disk strict'])
})
