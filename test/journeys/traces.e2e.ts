import { readFile } from 'node:fs/promises'
import { test, testOnEach } from '../support/journeys/databases.ts'
import { BARCODE, expect, expectAccessible, HAND_MS, ORDER, scan } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import {
  ADDRESS,
  box,
  CABLE_LOT,
  crimp,
  cut,
  expectTraced,
  lineOf,
  OTHER_BARCODE,
  openTraces,
  recorderAt,
  recordTwoItems,
  result,
  TERMINAL_LOT,
  TOOL,
  TRACE,
  traceByHand,
} from '../support/journeys/tracing.ts'
import { STEP_MS } from '../support/slowness.ts'

const OF_LOT = ['2 apontamentos', '2 itens', '1 ordem', '40 peças']

testOnEach('de um lote aos itens, e de um item ao que entrou nele', async ({ page, panel }) => {
  await recordTwoItems(panel)
  await openTraces(page)
  await expect(box(page)).toBeFocused()
  await expect(page.getByText('Leia ou digite um lote')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'rastreabilidade')

  await traceByHand(page, `  ${CABLE_LOT} `)
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)
  await expect(lineOf(page, 'KX0001 - Komax')).toHaveCount(2)
  await expect(page.getByText('Mostrando todos os 2 apontamentos')).toBeVisible()
  await expect(box(page)).toBeFocused()
  await expectAccessible(page)

  await page.getByRole('link', { name: BARCODE }).click()
  await expectTraced(page, 'Código de barras', BARCODE, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
  await expect(box(page)).toHaveValue(BARCODE)
  const crimped = lineOf(page, TERMINAL_LOT)
  for (const text of ['Terminal Lado 1', 'T1326030', TOOL, 'PR0001 - Schäfer', 'Maria Souza', 'Seladora 01']) {
    await expect(crimped).toContainText(text)
  }
  await expect(crimped).toContainText(/70 Nmín\. 70 Nmedido.*1,10 mmnominal 1,10 mmnão medido/)
  await expect(lineOf(page, CABLE_LOT)).not.toContainText('medido')

  await page.getByRole('link', { name: TOOL }).click()
  await expectTraced(page, 'Mini aplicador', TOOL, ['1 apontamento', '1 item', '1 ordem', '20 peças'])
  await page.goBack()
  await expectTraced(page, 'Código de barras', BARCODE, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
  await expect(box(page)).toHaveValue(BARCODE)
  await page.goBack()
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)
  await page.goForward()
  await page.reload()
  await expectTraced(page, 'Código de barras', BARCODE, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
  await page.getByRole('link', { name: ORDER }).click()
  await expectTraced(page, 'Ordem de produção', ORDER, ['3 apontamentos', '2 itens', '1 ordem', '60 peças'])
  await picture(page, 'rastreabilidade-ordem')
  await page.getByRole('link', { name: 'PR0001 - Schäfer' }).click()
  await expectTraced(page, 'Máquina', 'PR0001 - Schäfer', ['1 apontamento', '1 item', '1 ordem', '20 peças'])

  await page.goto(ADDRESS)
  await page.getByRole('button', { name: CABLE_LOT, exact: true }).click()
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)
})

test('o leitor rastreia onde quer que o cursor esteja', async ({ page, panel }) => {
  await recordTwoItems(panel)
  await openTraces(page)
  await scan(page, BARCODE)
  await expectTraced(page, 'Código de barras', BARCODE, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
  await page.getByRole('button', { name: 'Folha de contenção' }).focus()
  await scan(page, OTHER_BARCODE)
  await expectTraced(page, 'Código de barras', OTHER_BARCODE, ['1 apontamento', '1 item', '1 ordem', '10 peças'])
  await expect(box(page)).toHaveValue(OTHER_BARCODE)
  await page.goBack()
  await expectTraced(page, 'Código de barras', BARCODE, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
})

test('um código que é lote e é ordem pergunta qual', async ({ page, panel }) => {
  const record = await recorderAt(panel)
  // a lot's while nobody had read of the order: a known order's code is refused as a lot
  const order = '01622001001'
  await record({ ...cut, LOTE_CABO: order })
  await record({ ...crimp, LOTE_TERM_LD1: order })
  const ofOrder = { ...cut, ORDEM_PROD: order }
  const first = { ...ofOrder, COD_BARRA: '010162200100100002001C', COD_CABO: 'CB050MR', COMPRIMENTO_CABO: 3365 }
  await record(first)
  await record({ ...first, QTD_REALIZADA: 20 })
  await record({ ...ofOrder, COD_BARRA: '010162200100100004001H', COD_CABO: 'CB250VMRX', COMPRIMENTO_CABO: 1185 })
  await openTraces(page)
  await traceByHand(page, order)
  await expectTraced(page, 'Ordem de produção', order, ['3 apontamentos', '2 itens', '1 ordem', '80 peças'])
  await expect(page.getByRole('button', { name: 'Ordem de produção (3)' })).toHaveAttribute('aria-pressed', 'true')
  await enterAt(page, 'Lote (2)')
  await expectTraced(page, 'Lote', order, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
  await expect(page).toHaveURL(/tipo=lote/)
  await expectAccessible(page)
  await picture(page, 'rastreabilidade-varios')
  await page.reload()
  await expectTraced(page, 'Lote', order, ['2 apontamentos', '1 item', '1 ordem', '50 peças'])
})

test('o rastro vai para uma planilha e para o papel', async ({ page, context, panel }) => {
  await recordTwoItems(panel)
  // Headless Chromium prints nothing: what would have been printed is told to the page.
  await page.addInitScript(`window.print = () => { (window.top.printed ??= []).push(document.body.innerText) }`)
  await openTraces(page, `${ADDRESS}&termo=${CABLE_LOT}&tipo=lote`)
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)

  const started = page.waitForEvent('download')
  await enterAt(page, 'Exportar CSV', 'link')
  const file = await started
  expect(file.suggestedFilename()).toMatch(/^rastreabilidade_lote_L261118077_\d{4}-\d{2}-\d{2}\.csv$/)
  const lines = (await readFile(await file.path())).toString().trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^\uFEFFData e hora;Etapa;/)
  expect(lines[2]).toContain(BARCODE)
  expect(lines[1]).toContain(OTHER_BARCODE)

  await enterAt(page, 'Folha de contenção')
  await expect.poll(() => page.evaluate('window.printed?.length')).toBe(1)
  const [printed] = (await page.evaluate('window.printed')) as string[]
  for (const text of ['Folha de contenção', CABLE_LOT, BARCODE, OTHER_BARCODE, 'Maria Souza', 'Fim da folha']) {
    expect(printed).toContain(text)
  }
  await enterAt(page, 'Folha de contenção')
  await expect.poll(() => page.evaluate('window.printed?.length'), 'again, as often as asked').toBe(2)

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Abrir em nova aba' }).click()
  const sheet = await opened
  await expect(sheet.getByText('Fim da folha: 2 apontamentos')).toBeVisible()
  const pdf = await sheet.pdf({ preferCSSPageSize: true })
  expect(pdf.length).toBeGreaterThan(5000)
})

test('fora do mínimo e não medido filtram as linhas, os números, a planilha e o endereço', async ({ page, panel }) => {
  await recordTwoItems(panel)
  const record = await recorderAt(panel)
  const captura = { medidoForca: true, medidoAltura: true, motivoForaDoLimite: { motivo: 'liberado', texto: 'D-12' } }
  await record({ ...crimp, QTD_REALIZADA: 5, FORCA_LD1: 60, captura })
  await openTraces(page, `${ADDRESS}&termo=${BARCODE}&tipo=barras`)
  await expectTraced(page, 'Código de barras', BARCODE, ['3 apontamentos', '1 item', '1 ordem', '55 peças'])
  await enterAt(page, 'Fora do mínimo')
  await expectTraced(page, 'Código de barras', BARCODE, ['1 apontamento', '1 item', '1 ordem', '5 peças'])
  await expect(lineOf(page, TERMINAL_LOT)).toHaveCount(1)
  await expect(lineOf(page, TERMINAL_LOT)).toContainText(
    /60 Nmín\. 70 Nmedidofora do mínimo: Liberado pela Qualidade: D-12/,
  )
  await expect(page.getByRole('button', { name: 'Fora do mínimo' })).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'rastreabilidade-fora-do-minimo')
  const started = page.waitForEvent('download')
  await enterAt(page, 'Exportar CSV', 'link')
  const file = await started
  expect(file.suggestedFilename()).toContain('_fora-do-minimo_')
  expect((await readFile(await file.path())).toString().trimEnd().split('\r\n')).toHaveLength(2)

  await enterAt(page, 'Não medido')
  await expectTraced(page, 'Código de barras', BARCODE, ['1 apontamento', '1 item', '1 ordem', '20 peças'])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Não medido' })).toHaveAttribute('aria-pressed', 'true')
  await expectTraced(page, 'Código de barras', BARCODE, ['1 apontamento', '1 item', '1 ordem', '20 peças'])
  await page.goBack()
  await expect(page).toHaveURL(/filtro=fora-do-minimo/)
  await enterAt(page, 'Fora do mínimo')
  await expectTraced(page, 'Código de barras', BARCODE, ['3 apontamentos', '1 item', '1 ordem', '55 peças'])

  await enterAt(page, 'Não medido')
  await page.getByRole('link', { name: 'KX0001 - Komax' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: TOOL }).click()
  await expect(page, 'another thing is shown whole').not.toHaveURL(/filtro=/)
  await expectTraced(page, 'Mini aplicador', TOOL, ['2 apontamentos', '1 item', '1 ordem', '25 peças'])
  await traceByHand(page, CABLE_LOT)
  await enterAt(page, 'Fora do mínimo')
  await expect(page.getByText('Nenhum dos 2 apontamentos tem força abaixo do mínimo.')).toBeVisible()
  await expectAccessible(page)
})

test('uma folha que não veio inteira não se imprime', async ({ page, panel, tolerate }) => {
  tolerate(/status of 503|503 from/)
  await recordTwoItems(panel)
  await page.addInitScript(`window.print = () => { (window.top.printed ??= []).push(document.body.innerText) }`)
  await openTraces(page, `${ADDRESS}&termo=${CABLE_LOT}&tipo=lote`)
  const sheets = '**/api/rastreabilidade/folha?*'
  await page.route(sheets, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: '<!doctype html><table><tr><td>metade' }),
  )
  await enterAt(page, 'Folha de contenção')
  await expect(page.getByRole('alert')).toContainText('Não foi possível preparar a folha de contenção.')
  await page.unroute(sheets)
  await page.route(sheets, (route) =>
    route.fulfill({ status: 503, json: { message: 'Banco de dados indisponível.', code: 'store_unavailable' } }),
  )
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('alert')).toContainText('Não foi possível preparar a folha de contenção.')
  expect(await page.evaluate('window.printed')).toBeUndefined()
  await expectAccessible(page)
  await page.unroute(sheets)
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect.poll(() => page.evaluate('window.printed?.length')).toBe(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('nada encontrado, sem resposta e dados antigos dizem o que fazer', async ({ page, panel, tolerate }) => {
  tolerate(/status of 503|503 from/)
  await recordTwoItems(panel)
  await openTraces(page)
  await box(page).press('Enter')
  await expect(page.getByText('Leia ou digite um código.')).toBeVisible()
  await expectAccessible(page)
  await traceByHand(page, 'L-que-nao-existe')
  await expect(page.getByText('Nenhum apontamento com "L-que-nao-existe".')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'rastreabilidade-vazia')
  // An address that is read as numbers would round this one.
  await page.goto(`${ADDRESS}&termo=1234567890123456789012`)
  await expect(page.getByText('Nenhum apontamento com "1234567890123456789012".')).toBeVisible()

  await page.route(TRACE, (route) =>
    route.fulfill({ status: 503, json: { message: 'Banco de dados indisponível.', code: 'store_unavailable' } }),
  )
  await traceByHand(page, CABLE_LOT)
  const failed = page.getByRole('alert')
  await expect(failed).toHaveText(/Banco de dados indisponível\.Detalhes/)
  await failed.getByRole('button', { name: 'Detalhes' }).click()
  await expect(failed).toContainText('Código: store_unavailable')
  await expectAccessible(page)
  await picture(page, 'rastreabilidade-falha')
  await page.unroute(TRACE)
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)

  await page.route(TRACE, (route) =>
    route.fulfill({ status: 503, json: { message: 'Banco de dados indisponível.', code: 'store_unavailable' } }),
  )
  await box(page).press('Enter')
  await expect(result(page)).toContainText(/Dados de \d{2}\/\d{2} \d{2}:\d{2}\. Banco de dados indisponível/)
  await expectTraced(page, 'Lote', CABLE_LOT, OF_LOT)
  await page.unroute(TRACE)
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByText(/Dados de /)).toHaveCount(0)
})

test('mais de uma página, só com o teclado', async ({ page, panel }) => {
  const record = await recorderAt(panel)
  for (let piece = 0; piece < 105; piece++) await record({ ...cut, QTD_REALIZADA: 1 })
  await openTraces(page)
  await page.getByRole('tab', { name: 'Rastreabilidade' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Rastreabilidade' })).toBeFocused()
  await tabTo(page, /^Lote, código de barras/, 'textbox')
  // by hand: quick keys are a scan, of which a pause in the middle leaves the second half
  await page.keyboard.type(CABLE_LOT, { delay: HAND_MS })
  await page.keyboard.press('Enter')
  await expectTraced(page, 'Lote', CABLE_LOT, ['105 apontamentos', '1 item', '1 ordem', '105 peças'])
  await expect(page.getByText('Mostrando 100 de 105 apontamentos')).toBeVisible()
  await expect(page.getByText('100 apontamentos', { exact: false }).first()).toBeVisible()
  await page.getByRole('region', { name: 'Apontamentos' }).focus()
  // The head, the item's own row, and a hundred lines. Rows are measured as they come into sight: the end moves.
  const last = page.locator('[aria-rowindex="102"]').getByRole('link', { name: 'KX0001 - Komax' })
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(last).toBeInViewport({ timeout: STEP_MS })
  }).toPass()
  await last.focus()
  await enterAt(page, 'Mostrar mais')
  await expect(page.getByText('Mostrando todos os 105 apontamentos')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Mostrar mais' })).toHaveCount(0)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '107')
  await expectAccessible(page)
})
