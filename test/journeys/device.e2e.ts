import {
  cable,
  expectNothingWaiting,
  fillCable,
  NO_NETWORK,
  piecesAtServer,
  registerPieces,
  SAVED_HERE,
  SUCCESS,
  saveHere,
} from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, queryPanel, readingLine, section, test, toast } from '../support/journeys/journey.ts'

/** Scripts of the page, as text: what runs there has other types than what runs here. */
const fullDevice = `IDBDatabase.prototype.transaction = () => {
  throw new DOMException('full', 'QuotaExceededError')
}; null`

const unreadableDevice = `IDBObjectStore.prototype.getAll = () => {
  throw new DOMException('broken', 'UnknownError')
}; null`

/** They die as connections do of which the browser says nothing. */
const watchConnections = `window.connections = []
const open = IDBFactory.prototype.open
IDBFactory.prototype.open = function (...asked) {
  const opening = open.apply(this, asked)
  opening.addEventListener('success', () => window.connections.push(opening.result))
  return opening
}`
const endConnections = 'void window.connections.splice(0).forEach((connection) => connection.close())'

const watchSteps = `window.steps = []
const transaction = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (...asked) {
  const begun = transaction.apply(this, asked)
  if (asked[1] === 'readwrite' && this.name === 'fila-de-apontamentos') {
    begun.addEventListener('complete', () => window.steps.push('on disk ' + begun.durability))
  }
  return begun
}
const send = window.fetch
window.fetch = (...asked) => {
  if (String(asked[0]).includes('corte-crimpagem')) window.steps.push('sent')
  return send(...asked)
}; null`

for (const network of ['com', 'sem'] as const) {
  test(`sem lugar no dispositivo e ${network} rede nada é enviado nem dito salvo`, async ({
    page,
    context,
    panel,
    tolerate,
  }) => {
    tolerate(/Apontamento não guardado|Fila do dispositivo|(Documentos|Pesquisas) deste dispositivo/)
    tolerate(NO_NETWORK)
    await openItemOfOrder(page)
    await fillCable(page)
    await context.setOffline(network === 'sem')
    await page.evaluate(fullDevice)
    await cable(page).getByLabel('Quantidade de peças').fill('5')
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(toast(page)).toContainText(
      'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.',
    )
    await toast(page).getByRole('button', { name: 'Detalhes' }).click()
    await expect(toast(page)).toContainText('Código: device_storage_failed')
    await expect(readingLine(page)).not.toContainText(SAVED_HERE)
    await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('5')
    expect(piecesAtServer(panel)).toEqual([])
  })
}

test('um dispositivo que não abre a sua fila diz isso e não promete nada', async ({ page, panel, tolerate }) => {
  tolerate(/Apontamento não guardado|Fila do dispositivo|(Documentos|Pesquisas) deste dispositivo/)
  await page.addInitScript(`IDBFactory.prototype.open = () => { throw new DOMException('broken', 'UnknownError') }`)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: device_storage_failed')
  await page.goto('/pages/pendencias')
  const here = section(page, 'Neste dispositivo')
  await expect(here.getByRole('alert')).toContainText('Não foi possível ler os apontamentos guardados')
  await expect(here.getByText('Nenhum apontamento')).toHaveCount(0)
  expect(piecesAtServer(panel)).toEqual([])
})

test('o que foi guardado antes de o disco falhar não se envia nem se perde', async ({ page, panel, tolerate }) => {
  // what is read of the plan is stored too, a moment after the form
  tolerate(/Apontamento guardado e não enviado|Fila do dispositivo|Pesquisas deste dispositivo/)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.evaluate(unreadableDevice)
  await registerPieces(page, 5)
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  expect(piecesAtServer(panel)).toEqual([])
  await page.reload()
  await expect.poll(() => piecesAtServer(panel)).toEqual([5])
})

test('uma conexão com o banco do dispositivo que morre calada é trocada: nada é recusado, e o que espera segue', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await page.addInitScript(watchConnections)
  await openItemOfOrder(page)
  await fillCable(page)
  await context.setOffline(true)
  await saveHere(page, 5)
  await page.evaluate('window.isSamePage = true')
  await page.evaluate(endConnections)
  await saveHere(page, 7)
  await page.evaluate(endConnections)
  await context.setOffline(false)
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([5, 7])
  await page.evaluate(endConnections)
  await registerPieces(page, 9)
  await expect(toast(page)).toContainText(SUCCESS)
  expect(piecesAtServer(panel)).toEqual([5, 7, 9])
  expect(await page.evaluate('window.isSamePage')).toBe(true)
})

/** As a tab does that its device has put to sleep in the middle of a change. */
const seizeQueue = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('fila-de-apontamentos')
  opening.onerror = reject
  opening.onsuccess = () => {
    const waiting = opening.result.transaction(['waiting', 'answered'], 'readwrite').objectStore('waiting')
    const goOn = () => {
      resolve()
      if (!window.isQueueFree) waiting.count().onsuccess = goOn
    }
    goOn()
  }
})`

test('uma fila que não responde é dita não guardada, e depois de fato não está lá', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/Apontamento não guardado|Fila do dispositivo/)
  await page.clock.install()
  await openItemOfOrder(page)
  await fillCable(page)
  await page.evaluate(seizeQueue)
  await cable(page).getByLabel('Quantidade de peças').fill('5')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  // the connection in use, and the one that is opened anew: its wait begins a moment after the end of the first
  const said = async () => (await toast(page).allTextContents()).join()
  await expect
    .poll(async () => {
      const words = await said()
      if (words === '') await page.clock.runFor(20_000)
      return words
    })
    .toContain('Não foi possível guardar o apontamento neste dispositivo.')
  await page.evaluate('window.isQueueFree = true')
  await page.clock.runFor(2000)
  await registerPieces(page, 7)
  // a busy page answers with 'Salvo' first
  await expect(readingLine(page)).toHaveText(/^(Registrado|Enviado): 7 peças/)
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([7])
})

test('o apontamento vai ao disco com durabilidade estrita antes de sair', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await page.evaluate(watchSteps)
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText(SUCCESS)
  const steps = await page.evaluate('steps')
  expect(steps).toEqual(['on disk strict', 'sent', 'on disk strict'])
})

test('um navegador que se diz sem rede aponta no servidor que o atende', async ({ page, panel }) => {
  await page.addInitScript(`Object.defineProperty(navigator, 'onLine', { value: false })`)
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText(SUCCESS)
  await expect(readingLine(page)).toHaveText('Registrado: 5 peças · Cabo')
  expect(piecesAtServer(panel)).toEqual([5])
})

for (const days of [-2, 2]) {
  test(`um relógio ${days} dias fora não tira ninguém da sessão nem muda o dia`, async ({ page, panel }) => {
    await page.addInitScript(`Date.now = (now => () => now() + ${days * 86_400_000})(Date.now)`)
    await page.addInitScript(
      'window.Date = class extends Date { constructor(...a) { super(...(a.length ? a : [Date.now()])) } }',
    )
    await openItemOfOrder(page)
    await page.reload()
    await fillCable(page)
    await registerPieces(page, 5)
    await expect(toast(page)).toContainText(SUCCESS)
    await page.evaluate('void window.dispatchEvent(new Event("focus"))')
    await page.reload()
    await expect(cable(page)).toContainText('Restam 115 peças')
    const times = 'select recorded_at as recordedAt, received_at as receivedAt from recordings'
    const [{ recordedAt = 0, receivedAt = 0 } = {}] = queryPanel<{ recordedAt: number; receivedAt: number }>(
      panel,
      times,
    )
    expect(Math.abs(recordedAt - receivedAt)).toBeLessThan(60_000)
  })
}
