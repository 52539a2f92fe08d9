import {
  badge,
  cable,
  callMaintenance,
  callsAtServer,
  expectNothingWaiting,
  fillCable,
  fillSide1,
  measureSide1,
  namedAtServer,
  piecesAtErp,
  piecesAtServer,
  RECORD,
  registerIn,
  registerPieces,
  SUCCESS,
  saveHere,
} from '../support/journeys/cable.ts'
import {
  BARCODE,
  test as base,
  crimpsOf,
  expect,
  logIn,
  ORDER,
  openItemOfOrder,
  queryPanel,
  readErpItem,
  SEARCH,
  section,
  toast,
} from '../support/journeys/journey.ts'
import { samplesAt } from '../support/journeys/measuring.ts'
import { saveScrap, scrapsAtServer } from '../support/journeys/scrapping.ts'
import { makeTablet, returnToItem, type Tablet, waitingText } from '../support/journeys/tablet.ts'
import { LONG } from '../support/slowness.ts'

const test = base.extend<{ tablet: Tablet }>({
  tablet: async ({ panel }, use) => {
    const tablet = await makeTablet(panel.url)
    await use(tablet)
    await tablet.remove()
  },
})

test('três apontamentos, um chamado, uma medição e um refugo na fila sobrevivem à morte do navegador, uma vez cada e em ordem', async ({
  tablet,
  panel,
}) => {
  let page = await tablet.open(true)
  await returnToItem(page, panel.url)
  await fillCable(page)
  await saveHere(page, 5, 7, 9)
  await callMaintenance(page, 'lado 1', 'Altura fora', 'PR0001')
  await expect(toast(page)).toContainText('Sem rede: chame também pessoalmente.')
  await fillSide1(page)
  await measureSide1(page, '1,1', '75')
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', 3)
  await saveScrap(page, 'Altura fora', 12)
  await expect(badge(page)).toHaveAccessibleName(waitingText(7))
  await tablet.kill()
  expect(piecesAtServer(panel)).toEqual([])
  expect(samplesAt(panel)).toEqual([])
  expect(callsAtServer(panel)).toEqual([])
  expect(scrapsAtServer(panel)).toEqual([])

  page = await tablet.open(false)
  // a browser writes its cookies within half a minute: whoever had just logged in logs in again
  await logIn(page, 'operador', panel.url + SEARCH)
  await expect.poll(() => piecesAtServer(panel)).toEqual([5, 7, 9, 3])
  await expect.poll(() => piecesAtErp(panel)).toBe(21)
  await expectNothingWaiting(page)
  expect(callsAtServer(panel)).toEqual([{ symptom: 'altura-fora', joined: 0, state: 'aberto' }])
  expect(scrapsAtServer(panel)).toMatchObject([{ reason_code: 'altura-fora', pieces: 12, undone: 0 }])
  const samples = samplesAt(panel)
  expect(samples.map(({ characteristic }) => characteristic)).toEqual(['altura', 'forca'])
  expect(namedAtServer(panel)).toEqual([{ lot: 'B23-004517/2', act: samples[0]?.act, isBefore: 1 }])
})

test('um rascunho que a falta de luz trouxe de volta não oferece de novo o que o servidor já respondeu', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  await fillCable(page)
  const writtenLate = await page.evaluate('JSON.stringify(localStorage)')
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText(SUCCESS)
  // As a browser does that had not written its local storage when it lost power.
  await page.evaluate(`void Object.assign(localStorage, JSON.parse(${JSON.stringify(writtenLate)}))`)
  await page.reload()
  await expect(cable(page)).toContainText('Restam 115 peças')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')

  await cable(page).getByLabel('Lote').fill('L261121002')
  await page.reload()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121002')
  expect(piecesAtServer(panel)).toEqual([5])
})

/** For cable and side 1 each; an amount differs from the one before it. */
const amounts = Array.from({ length: 12 }, (_, at) => 1 + (at % 3))
const DELIVERED = 6

// More of both, and more deaths: P6.
test('24 apontamentos sem rede e a morte do navegador no meio da entrega: todos uma vez, em ordem', async ({
  tablet,
  panel,
}) => {
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  let page = await tablet.open(true)
  await returnToItem(page, panel.url)
  await fillCable(page)
  await fillSide1(page)
  for (const [at, pieces] of amounts.entries()) {
    await saveHere(page, pieces)
    await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', pieces)
    await expect(badge(page)).toHaveAccessibleName(waitingText(2 * (at + 1)))
  }
  // the server has the sixth, whose answer is lost, and hears of no more before the browser dies
  let delivered = 0
  await page.context().route(RECORD, async (route) => {
    delivered += 1
    if (delivered < DELIVERED) await route.continue()
    else if (delivered === DELIVERED) await route.fetch().catch(() => undefined)
  })
  await page.context().unroute('**/api/status')
  await expect.poll(() => piecesAtServer(panel).length, LONG).toBe(DELIVERED)
  await tablet.kill()
  expect(piecesAtServer(panel)).toHaveLength(DELIVERED)

  page = await tablet.open(false)
  // a quick machine kills it before the browser has written its cookies
  await returnToItem(page, panel.url)
  await expect.poll(() => piecesAtServer(panel).length, LONG).toBe(2 * amounts.length)
  // the button that opened the item lies where toasts come: one under the pointer stays
  await page.mouse.move(0, 0)
  await expect(toast(page)).toHaveText('')
  for (const part of ['cabo', 'l1']) {
    const rows = queryPanel<{ pieces: number }>(
      panel,
      'select pieces from recordings where part = ? order by received_at, rowid',
      part,
    )
    expect(rows.map(({ pieces }) => pieces)).toEqual(amounts)
  }
  const total = amounts.reduce((sum, pieces) => sum + pieces, 0)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + total)
  await expect
    .poll(async () => {
      const { Z1_QTREGCO, Z1_QTREGL1 } = await readErpItem(panel, ORDER, BARCODE)
      return [Z1_QTREGCO, Z1_QTREGL1].map(Number)
    }, LONG)
    .toEqual([total, total])
  await expectNothingWaiting(page)
})
