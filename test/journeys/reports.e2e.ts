import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { ProductionReport } from '../../src/contract/production-reports.ts'
import { dayText, plantDay } from '../../src/domain/plant/plant-time.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  PIECES,
  section,
  test,
  withoutStream,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'

// Each walks a whole flow, with axe at every stop.

const ADDRESS = '/pages/relatorios'
const CALL = '**/api/relatorios/producao?*'
const today = () => plantDay(Date.now(), 'America/Sao_Paulo')

const open = async (page: Page, search = '') => {
  await logIn(page, 'operador', `${ADDRESS}${search}`)
}
const groupBy = (page: Page, grouping: string) => page.getByLabel('Agrupar por').selectOption(grouping)
const table = (page: Page, by: string) => page.getByRole('table', { name: `Produção por ${by}` })
const cellsOf = async (page: Page, by: string) => {
  const rows = await table(page, by).getByRole('row').all()
  return await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()))
}
const expectLines = (page: Page, by: string, lines: readonly (readonly string[])[]) =>
  expect.poll(() => cellsOf(page, by)).toEqual(lines)
const textOf = async (file: Download) => (await readFile(await file.path())).toString()

const item = { EMPRESA: '010101', ORDEM_PROD: ORDER, QTD_ORDEM_PROD: PIECES, COD_BARRA: BARCODE }
const cut = {
  ...item,
  MAQUINA: 'KX0001 - Komax',
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: 'L261118004',
  COMPRIMENTO_CABO: 1250,
}
const crimp = {
  ...item,
  MAQUINA: 'PR0001 - Schäfer',
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'L261118011',
  MA_LD1: 'MA-0001',
  captura: { registradoEm: new Date().toISOString(), medidoForca: false, medidoAltura: true },
}

/** 30 and 15 pieces cut, 10 crimped: as tablets send them, in the name of Maria Souza. */
async function produce(panel: Panel): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(panel.url + path, { ...init, body: JSON.stringify(body) })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return (await answer.json()) as { token: string }
  }
  const { token } = await post('/api/auth/login', { username: 'operador', password: 'operador' })
  for (const recording of [
    { ...cut, QTD_REALIZADA: 30 },
    { ...cut, QTD_REALIZADA: 15 },
    { ...crimp, QTD_REALIZADA: 10 },
  ]) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    await post('/api/apontamentos/corte-crimpagem', recording, headers)
  }
}

test('o que foi apontado hoje aparece no relatório, agrupado de cada modo', async ({ page, panel }) => {
  await produce(panel)
  await logIn(page)
  await page.getByRole('link', { name: 'Relatórios' }).click()
  await expect(page.getByRole('heading', { name: `Produção de ${dayText(today())}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hoje' })).toHaveAttribute('aria-pressed', 'true')
  const total = ['Total', '3', '45', '10', '0']
  await expectLines(page, 'máquina', [
    ['KX0001 - Komax', '2', '45', '0', '0'],
    ['PR0001 - Schäfer', '1', '0', '10', '0'],
    total,
  ])
  await expect(page.getByRole('img', { name: /^Cortes por máquina\. .*45 cortes/ })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'relatorios-hoje')

  const cutOnly = ['Não informado', '2', '45', '0', '0']
  for (const [grouping, by, lines] of [
    ['Dia', 'dia', [[dayText(today()), '3', '45', '10', '0']]],
    ['Ordem', 'ordem', [[ORDER, '3', '45', '10', '0']]],
    ['Operador', 'operador', [['Maria Souza', '3', '45', '10', '0']]],
    ['Mini aplicador', 'mini aplicador', [cutOnly, ['MA-0001', '1', '0', '10', '0']]],
    ['Terminal', 'terminal', [cutOnly, ['T1326030', '1', '0', '10', '0']]],
  ] as const) {
    await groupBy(page, grouping)
    await expectLines(page, by, [...lines, total])
  }
  await expect(page).toHaveURL(`${ADDRESS}?inicio=${today()}&fim=${today()}&por=terminal`)
  await enterAt(page, 'Crimpagens')
  await expectLines(page, 'terminal', [cutOnly, ['T1326030', '1', '0', '10', '0'], total])
  await enterAt(page, 'Crimpagens')
  await expectLines(page, 'terminal', [['T1326030', '1', '0', '10', '0'], cutOnly, total])

  await page.getByRole('radio', { name: 'Crimpagens' }).check({ force: true })
  await enterAt(page, 'Ver como tabela: Crimpagens por terminal')
  await expect(section(page, 'Crimpagens por terminal').getByRole('row', { name: 'T1326030 10' }).first()).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Filial' }).getByText('Unidade 2').click()
  await expect(page.getByText('Nada produzido no período')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'relatorios-nada')
  await page.goBack()
  await page.goBack()
  await expectLines(page, 'mini aplicador', [cutOnly, ['MA-0001', '1', '0', '10', '0'], total])
})

test('um toque mostra o turno de agora ou o anterior, com totais grandes e o que não foi medido', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/status of 400/)
  await produce(panel)
  await open(page)
  await enterAt(page, 'Este turno')
  await expect(page).toHaveURL(/turno=este/)
  await expect(page.getByRole('heading', { name: /^Produção de \d\d\/\d\d\/\d{4}, \d\d:00 a \d\d:00$/ })).toBeVisible()
  await expectLines(page, 'máquina', [
    ['KX0001 - Komax', '2', '45', '0', '0'],
    ['PR0001 - Schäfer', '1', '0', '10', '0'],
    ['Total', '3', '45', '10', '0'],
  ])
  const totals = page.locator('dl[aria-label="Totais"] > div')
  await expect(totals.first()).toContainText(/^Cortes45nada antes/)
  await expect(totals.nth(1)).toContainText('1 não medido')
  await groupBy(page, 'Turno')
  await expect(table(page, 'turno').getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await picture(page, 'relatorios-turno')
  await enterAt(page, 'Turno anterior')
  await expect(page.getByText('Nada produzido no período')).toBeVisible()
  await enterAt(page, 'Hoje')
  await expect(page).not.toHaveURL(/turno=/)
  await expect(page.getByRole('button', { name: 'Turno anterior' })).toHaveAttribute('aria-pressed', 'false')
  await page.getByLabel('Início').fill('01/01/2026')
  await expect(page.getByRole('alert')).toContainText('Por turno, no máximo 31 dias.')
})

test('um link mostra o mesmo relatório, que vai para um arquivo', async ({ page, panel }) => {
  await produce(panel)
  await open(page, `?inicio=${today()}&fim=${today()}&por=maquina&filial=010101&grafico=crimpagens`)
  await expect(page.getByRole('radio', { name: 'Unidade 1' })).toBeChecked()
  await expect(page.getByRole('img', { name: /^Crimpagens por máquina/ })).toBeVisible()
  const started = page.waitForEvent('download')
  await enterAt(page, 'Exportar CSV')
  const file = await started
  expect(file.suggestedFilename()).toBe(`relatorio_producao_maquina_${today()}_${today()}.csv`)
  expect(await textOf(file)).toBe(
    '\uFEFFMáquina;Apontamentos;Cortes;Crimpagens;Junções\r\n' +
      '"=""KX0001 - Komax""";2;45;0;0\r\n' +
      '"=""PR0001 - Schäfer""";1;0;10;0\r\n' +
      'Total;3;45;10;0\r\n',
  )
  const saved = page.waitForEvent('download')
  await enterAt(page, 'Salvar imagem')
  const picture = await saved
  expect(picture.suggestedFilename()).toBe(`relatorio_producao_maquina_${today()}_${today()}.png`)
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')
})

test('um período invertido é dito no campo, e uma escolha rápida o corrige', async ({ page }) => {
  await open(page, '?inicio=2026-02-31&fim=abc&por=nada')
  await expect(page.getByRole('heading', { name: `Produção de ${dayText(today())}` })).toBeVisible()
  await page.getByLabel('Início').fill('10/05/2026')
  await page.getByLabel('Fim').fill('09/05/2026')
  await expect(page.getByLabel('Fim')).toHaveAccessibleDescription('O fim vem antes do início')
  await expect(page.getByText('Corrija o período para ver a produção.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Exportar CSV' })).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'relatorios-periodo-invertido')
  await page.goBack()
  await expect(page.getByLabel('Fim')).toHaveValue(dayText(today()))
  await expect(page.getByText('Corrija o período')).toHaveCount(0)
  await page.getByLabel('Fim').fill('')
  await expect(page.getByLabel('Fim')).toHaveAccessibleDescription('Informe a data completa')
  await enterAt(page, 'Mês passado')
  await expect(page.getByRole('button', { name: 'Mês passado' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('Início')).toHaveValue(/^01\//)
  await expect(page.getByLabel('Fim')).toHaveValue(/^(28|29|30|31)\//)
  await expect(page.getByRole('heading', { name: /^Produção de 01\// })).toBeVisible()
  await groupBy(page, 'Dia')
  await expect(table(page, 'dia')).toBeVisible()
  await picture(page, 'relatorios-mes-por-dia')
})

test('só com o teclado: período digitado, agrupamento, ordem das linhas', async ({ page, panel }) => {
  await produce(panel)
  await open(page)
  await expect(table(page, 'máquina')).toBeVisible()
  await enterAt(page, 'Ontem')
  await expect(page.getByRole('button', { name: 'Ontem' })).toHaveAttribute('aria-pressed', 'true')
  for (const box of ['Início', 'Fim']) {
    await tabTo(page, page.getByLabel(box))
    // The browser of the test has English dates.
    await page.keyboard.type(dayText(today()).replaceAll('/', ''))
    await expect(page.getByLabel(box)).toHaveValue(dayText(today()))
  }
  await tabTo(page, 'Agrupar por', 'combobox')
  await page.keyboard.type('Op')
  await expectLines(page, 'operador', [
    ['Maria Souza', '3', '45', '10', '0'],
    ['Total', '3', '45', '10', '0'],
  ])
  await enterAt(page, 'Cortes')
  await expect(page.getByRole('columnheader', { name: 'Cortes' })).toHaveAttribute('aria-sort', 'ascending')
  await tabTo(page, 'Cortes', 'radio')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Crimpagens' })).toBeChecked()
  await expect(page.getByRole('img', { name: /^Crimpagens por operador/ })).toBeVisible()
})

const line = (at: number) => ({
  nome: `${at}`.padStart(11, '0'),
  apontamentos: 1,
  cortes: 1000,
  crimpagens: 2,
  juncoes: 0,
})
const long: ProductionReport = {
  linhas: Array.from({ length: 200 }, (_, at) => line(at)),
  totais: { apontamentos: 6000, cortes: 6_000_000, crimpagens: 12_000, juncoes: 0 },
  linhasTotal: 6000,
}

test('imprime em folhas A4 com cabeçalho, também do tema escuro', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route(CALL, (route) => route.fulfill({ json: long }))
  await open(page, '?inicio=2026-11-01&fim=2026-11-30&por=ordem&filial=020101')
  await expect(page.getByText('Mostrando 200 de 6.000 linhas.')).toBeVisible()
  await expect(page.getByText('O gráfico mostra os 20 maiores. Os outros 180 somam 180.000 cortes.')).toBeVisible()
  await picture(page, 'relatorios-ordens')
  for (const _ of ['ascending', 'descending']) {
    await enterAt(page, page.getByRole('columnheader', { name: 'Ordem' }).getByRole('button'))
  }

  await page.evaluate('window.print = () => { document.title = "printing" }')
  await enterAt(page, 'Imprimir')
  expect(await page.title()).toBe('printing')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  const sheet = page.getByRole('article')
  await expect(sheet.getByRole('heading', { name: 'Produção por ordem' })).toBeVisible()
  await expect(sheet).toContainText('Painel Industrial - Unidade 1')
  await expect(sheet).toContainText('FilialUnidade 2Período01/11/2026 a 30/11/2026Agrupado porOrdemImpresso')
  await expect(sheet).toContainText(/\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}, por Maria Souza/)
  await expect(sheet.getByRole('row')).toHaveCount(202)
  await expect(sheet.getByRole('row').nth(1), 'in the order of the screen').toContainText('00000000199')
  await expect(sheet.getByRole('row').last()).toHaveText('Total6.0006.000.00012.0000')
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('navigation')).toBeHidden()
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: null, colorScheme: 'dark' })
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('banner')).toBeVisible()

  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(4)
  expect(pdf, 'A4 upright, in points').toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/)
})

test('uma falha é dita, e o que já foi lido fica', async ({ page, tolerate }) => {
  tolerate(/status of 503|503 from|ERR_FAILED/)
  await withoutStream(page)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
  await open(page, '?inicio=2026-11-01&fim=2026-11-30&por=ordem')
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível.')
  await expectAccessible(page)
  await picture(page, 'relatorios-falha')
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ json: long }))
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(table(page, 'ordem')).toBeVisible()
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
  await page.getByRole('button', { name: 'Atualizar' }).click()
  await expect(page.getByRole('alert')).toContainText('Mostrando o que foi lido em')
  await expect(table(page, 'ordem')).toBeVisible()
  await expectAccessible(page)
})
