import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { ApplicatorChart, MonthOfCrimps, TerminalChart } from '../../src/contract/charts.ts'
import { monthText } from '../../src/domain/reports/charts.ts'
import {
  CHARTS,
  chart,
  choose,
  drawn,
  filterDialog,
  openFilters,
  UNIT,
  unavailable,
} from '../support/journeys/charting.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { today } from '../support/journeys/crimp-control.ts'
import { test, testOnEach } from '../support/journeys/databases.ts'
import { expect, expectAccessible, logIn, section } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'

test.use({ reducedMotion: 'no-preference' })

// Each walks a whole flow, by keyboard and with axe at every stop.

const open = async (page: Page) => {
  await logIn(page, 'operador', CHARTS)
}
const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })
const textBox = (page: Page): Locator => page.getByRole('textbox', { name: /^Filtrar/ })
const count = (value: number) => value.toLocaleString('pt-BR')

/** The cells of a table, row by row. */
const cellsOf = async (table: Locator): Promise<string[][]> => {
  const rows = await table.locator('tbody').getByRole('row').all()
  return await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()))
}

/** As a person reads them: the month, and the crimps of each line in it. */
const rowsOf = (months: readonly MonthOfCrimps[], ...lines: (readonly MonthOfCrimps[])[]) =>
  months.map(({ mes }) => [
    monthText(mes),
    ...lines.map((points) => count(points.find((point) => point.mes === mes)?.crimpagens ?? 0)),
  ])

async function tableOf(page: Page, title: string): Promise<string[][]> {
  await enterAt(page, `Ver como tabela: ${title}`)
  const table = section(page, title).getByRole('table', { name: title })
  await expect(table).toBeVisible()
  await expect(page.getByRole('button', { name: `Ver como gráfico: ${title}` })).toBeFocused()
  return await cellsOf(table)
}

async function exported(page: Page, choice: RegExp): Promise<{ name: string; content: Buffer }> {
  await enterAt(page, 'Exportar')
  await expect(page.getByRole('dialog', { name: 'Exportar' })).toBeVisible()
  await tabTo(page, choice)
  const started = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await started
  await expect(page.getByRole('dialog')).toBeHidden()
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** By keyboard alone, as far as the charts of it. */
async function chooseByKeyboard(page: Page, typed: string, row: RegExp): Promise<void> {
  await enterAt(page, 'Selecionar Filtros')
  await expect(textBox(page)).toBeFocused()
  await page.keyboard.type(typed)
  await enterAt(page, row)
  await expect(page.getByRole('dialog')).toBeHidden()
  await drawn(page)
}

testOnEach(
  'os gráficos de um mini aplicador, só com o teclado: os números são os do servidor',
  async ({ page, panel }) => {
    const colleague = await colleagueAt(panel)
    const reply = await colleague<ApplicatorChart>('GET', `/api/graficos/miniaplicadores/${UNIT}`)
    expect(reply.porMes.length, 'the demonstration has two years of crimps').toBeGreaterThan(20)
    await open(page)
    await expect(page).toHaveTitle('Análise de Gráficos')
    await expect(tab(page, 'Análise de Mini aplicadores')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('status').filter({ hasText: 'o mais gasto' }), 'nobody has chosen').toHaveText(
      'MA-0003Período: Início até Fim · o mais gasto: 130% do limite',
    )
    await expect(page.getByText('Limite 100.000 · Atingido')).toBeVisible()
    await drawn(page)
    await expectAccessible(page)
    await picture(page, 'graficos')

    await enterAt(page, 'Selecionar Filtros')
    await expect(page.getByPlaceholder('Digite para filtrar por mini aplicador')).toBeFocused()
    await expect(filterDialog(page).getByTitle('Selecionar este mini aplicador')).toHaveCount(30)
    await expectAccessible(page)
    await picture(page, 'graficos-filtros')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Selecionar Filtros' })).toBeFocused()

    await chooseByKeyboard(page, UNIT.toLowerCase(), new RegExp(`^Selecionar este mini aplicador: ${UNIT}$`))
    await expect(page.getByText('Período: Início até Fim')).toBeVisible()
    await expect(page.getByText('o mais gasto')).toHaveCount(0)
    const [perMonth, perPart] = [`Crimpagens por Mês - ${UNIT}`, `Crimpagens por Terminal - ${UNIT}`]
    await expect(chart(page, `${perMonth}. Gráfico de barras`)).toBeVisible()
    await expect(chart(page, `${perPart}. Gráfico de linhas`)).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'graficos-mini-aplicador')

    const limit = reply.porMes.map(({ mes }) => ({ mes, crimpagens: 100_000 }))
    expect(await tableOf(page, perMonth)).toEqual(rowsOf(reply.porMes, reply.porMes, reply.desdeManutencao, limit))
    expect(await tableOf(page, perPart)).toEqual(rowsOf(reply.porMes, ...reply.porTerminal.map(({ pontos }) => pontos)))
    await expectAccessible(page)
    await picture(page, 'graficos-tabela')
    await page.keyboard.press('Enter')
    await expect(chart(page, perPart)).toBeVisible()

    const names = ['Crimpagens', 'Desde a manutenção', 'Limite', reply.porTerminal[0]?.terminal]
    const numbers = await exported(page, /^Números/)
    expect(numbers.name).toBe(`crimpagens_${UNIT}_${today()}.csv`)
    expect(numbers.content.toString()).toBe(
      [
        `\uFEFF"Mês";${names.map((name) => `"=""${name}"""`).join(';')}`,
        ...reply.porMes.map(
          ({ mes, crimpagens }, at) =>
            `"${monthText(mes)}";${crimpagens};${reply.desdeManutencao[at]?.crimpagens};100000;${crimpagens}`,
        ),
        '',
      ].join('\r\n'),
    )
    const image = await exported(page, /^Imagem/)
    expect(image.name).toBe(`crimpagens_${UNIT}_${today()}.png`)
    expect(image.content.subarray(0, 8)).toEqual(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]))
    expect(image.content.readUInt32BE(16), 'as wide from a phone as from a desk').toBe(2400)
    expect(image.content.length).toBeGreaterThan(20_000)
  },
)

test('cada aba lembra o que se escolheu nela, e um período corta o mês no dia', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  const whole = await colleague<TerminalChart>('GET', '/api/graficos/terminais/T0964282')
  const [start, end] = [`${whole.porMes[3]?.mes}-01`, `${whole.porMes[8]?.mes}-28`]
  const reply = await colleague<TerminalChart>('GET', `/api/graficos/terminais/T0964282?inicio=${start}&fim=${end}`)
  expect(reply.porMes.length).toBeLessThan(whole.porMes.length)
  await open(page)
  await choose(page, UNIT)

  await tab(page, 'Análise de Mini aplicadores').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Análise de Terminais')).toBeFocused()
  await expect(page.getByText('Selecione um Terminal')).toBeVisible()
  await picture(page, 'graficos-vazio')
  const dialog = await openFilters(page, 'Selecionar Terminal')
  await expect(dialog.getByPlaceholder('Digite para filtrar por terminal')).toHaveValue('')
  const inWords = (day: string) => day.split('-').reverse().join('/')
  await dialog.getByLabel('Data inicial').fill(inWords(start))
  await dialog.getByLabel('Data final').fill(inWords(end))
  await textBox(page).fill('t0964282')
  await expect(dialog.getByTitle('Selecionar este terminal')).toHaveCount(1)
  await enterAt(page, dialog.getByTitle('Selecionar este terminal'))
  await drawn(page)
  await expect(page.getByText(`Período: ${inWords(start)} até ${inWords(end)}`)).toBeVisible()
  await picture(page, 'graficos-terminal')
  await enterAt(page, 'Ver como tabela: Crimpagens por Mini Aplicador - T0964282')
  const table = page.getByRole('table', { name: 'Crimpagens por Mini Aplicador - T0964282' })
  expect(await cellsOf(table)).toEqual(rowsOf(reply.porMes, ...reply.porMiniAplicador.map(({ pontos }) => pontos)))

  await enterAt(page, 'Selecionar Filtros')
  await expect(textBox(page)).toHaveValue('t0964282')
  await expect(page.getByLabel('Data final')).toHaveValue(inWords(end))
  await expect(filterDialog(page, 'Selecionar Terminal').getByRole('row', { name: /Selecionado/ })).toContainText(
    'T0964282',
  )
  await expect(page.getByLabel('Filtrar terminais:')).toBeFocused()
  await page.keyboard.press('Escape')
  await tab(page, 'Análise de Mini aplicadores').click()
  await expect(chart(page, `Crimpagens por Mês - ${UNIT}`)).toBeVisible()
  await enterAt(page, 'Selecionar Filtros')
  await expect(textBox(page)).toHaveValue(UNIT)
  await expect(page.getByLabel('Data inicial')).toHaveValue('')
})

test('o que não se pode pedir é dito antes: período invertido, filtro sem resultado', async ({ page }) => {
  await open(page)
  await drawn(page)
  const dialog = await openFilters(page)
  let requests = 0
  page.on('request', (request) => {
    if (/graficos\/miniaplicadores\/./.test(request.url())) requests++
  })
  await dialog.getByLabel('Data inicial').fill('01/03/2026')
  await dialog.getByLabel('Data final').fill('28/02/2026')
  await enterAt(page, dialog.getByTitle('Selecionar este mini aplicador').first())
  await expect(dialog.getByLabel('Data final')).toBeFocused()
  await expect(dialog.getByLabel('Data final')).toHaveAccessibleDescription('A data final vem antes da data inicial.')
  await expectAccessible(page)
  await textBox(page).fill('nada disso')
  await expect(dialog.getByText('Nenhum mini aplicador encontrado com os critérios de filtro aplicados.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'graficos-filtros-sem-resultado')
  expect(requests).toBe(0)
  await enterAt(page, dialog.getByRole('button', { name: 'Limpar filtros' }))
  await expect(textBox(page)).toBeFocused()
  await expect(dialog.getByTitle('Selecionar este mini aplicador')).toHaveCount(30)
  await dialog.getByLabel('Data inicial').fill('01/01/2001')
  await dialog.getByLabel('Data final').fill('31/12/2001')
  await enterAt(page, dialog.getByTitle('Selecionar este mini aplicador').first())
  await expect(page.getByText('Nenhuma crimpagem de MA-0001 neste período.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Exportar' })).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'graficos-sem-crimpagens')
})

test('enquanto os dados não vêm isso se diz; quando falham, tenta-se de novo', async ({ page, tolerate }) => {
  tolerate(/503/)
  const [names, crimps] = ['**/api/graficos/terminais', '**/api/graficos/terminais/*']
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await open(page)
  await tab(page, 'Análise de Terminais').click()
  await page.route(names, (route) => route.fulfill(unavailable))
  await enterAt(page, 'Selecionar Filtros')
  await expect(filterDialog(page, 'Selecionar Terminal').getByRole('alert')).toContainText(
    'Banco de dados indisponível',
  )
  await expectAccessible(page)
  await page.unroute(names)
  await page.route(crimps, async (route) => {
    await isAnswered
    await route.fulfill(unavailable)
  })
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await page.getByTitle('Selecionar este terminal').first().click()
  await expect(page.getByText('Carregando dados dos gráficos...')).toBeVisible()
  await expectAccessible(page)
  answer()
  await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível')
  await expectAccessible(page)
  await picture(page, 'graficos-falha')
  await page.unroute(crimps)
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await drawn(page)
})

test('um mês sem crimpagens entre outros é zero, e cada linha tem seu nome', async ({ page }) => {
  const porTerminal = [
    { terminal: 'T1', pontos: [{ mes: '2025-12', crimpagens: 1200 }] },
    { terminal: 'T2', pontos: [{ mes: '2026-02', crimpagens: 30 }] },
  ]
  const json: ApplicatorChart = {
    porMes: porTerminal.flatMap(({ pontos }) => pontos),
    porTerminal,
    limite: null,
    desdeManutencao: [],
  }
  await page.route('**/api/graficos/miniaplicadores/*', (route) => route.fulfill({ json }))
  await open(page)
  await choose(page, UNIT)
  await expect(
    page.getByRole('img', {
      name:
        `Crimpagens por Terminal - ${UNIT}. Gráfico de linhas, de dez/25 a fev/26. ` +
        'T1: 1.200 crimpagens, o máximo em dez/25: 1.200. T2: 30 crimpagens, o máximo em fev/26: 30.',
      exact: true,
    }),
  ).toBeVisible()
  await picture(page, 'graficos-duas-linhas')
  await enterAt(page, /^Ver como tabela: Crimpagens por Terminal/)
  expect(await cellsOf(page.getByRole('table'))).toEqual([
    ['dez/25', '1.200', '0'],
    ['jan/26', '0', '0'],
    ['fev/26', '0', '30'],
  ])
})

test('sobre o gráfico se leem os números do mês, com teclas e com o mouse, e uma linha se esconde pelo nome', async ({
  page,
  panel,
}) => {
  const colleague = await colleagueAt(panel)
  const { porMes, desdeManutencao } = await colleague<ApplicatorChart>('GET', `/api/graficos/miniaplicadores/${UNIT}`)
  const figuresAt = (at: number, ...others: string[]) =>
    [`${monthText(porMes.at(at)?.mes ?? '')}: Crimpagens ${count(porMes.at(at)?.crimpagens ?? 0)}`, ...others].join(
      ', ',
    )
  const worn = (at: number) => `Desde a manutenção ${count(desdeManutencao.at(at)?.crimpagens ?? 0)}`
  await open(page)
  await choose(page, UNIT)
  const title = `Crimpagens por Mês - ${UNIT}`
  const frame = section(page, title)
  const reader = frame.getByRole('slider', { name: `Ler por mês: ${title}` })
  await tabTo(page, reader)
  await expect(reader).toHaveAttribute('aria-valuetext', figuresAt(-1, worn(-1), 'Limite 100.000'))
  await page.keyboard.press('ArrowLeft')
  await expect(reader).toHaveAttribute('aria-valuetext', figuresAt(-2, worn(-2), 'Limite 100.000'))
  const seen = reader.locator('p', { hasText: 'Limite' })
  await expect(seen, 'for who sees it').toHaveText('Limite100.000')
  await expectAccessible(page)
  await picture(page, 'graficos-leitura')

  const limit = frame.getByRole('button', { name: /^Limite/ })
  await expect(chart(page, title).getByText('Limite 100.000')).toBeVisible()
  await enterAt(page, limit)
  await expect(limit).toHaveAttribute('aria-pressed', 'false')
  await expect(limit).toBeFocused()
  await enterAt(page, frame.getByRole('button', { name: 'Desde a manutenção' }))
  await expect(chart(page, title).getByText('Limite 100.000'), 'the months are large now').toHaveCount(0)
  await reader.hover({ position: { x: 1, y: 100 } })
  await expect(reader).toHaveAttribute('aria-valuetext', figuresAt(0))
  await enterAt(page, limit)
  await expect(limit).toHaveAttribute('aria-pressed', 'true')
  await expect(chart(page, title).getByText('Limite 100.000')).toBeVisible()
})

test('o gráfico muda com o tema', async ({ page }) => {
  await open(page)
  await drawn(page)
  const bars = chart(page, 'Crimpagens por Mês').locator('path[fill*="series"]')
  await expect(bars).toHaveCSS('fill', 'rgb(11, 97, 121)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(bars).toHaveCSS('fill', 'rgb(108, 196, 220)')
})
