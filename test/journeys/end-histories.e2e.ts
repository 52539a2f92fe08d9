import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, logIn, queryPanel, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import type { Panel } from '../support/panel.ts'

type End = { barcode: string; part: 'l1' | 'l2'; act: string }

/** The end of the demonstration's past at which most samples were outside: which one depends on the day. */
function worstEnd(panel: Panel): End {
  const [found] = queryPanel<End>(
    panel,
    `select barcode, part, min(act_id) as act from measurements where instrument = 'MIC-ALT-01' and action = 'ajustei' group by barcode, part order by count(*) desc limit 1`,
  )
  if (!found) throw new Error('nothing was measured outside')
  return found
}

const historyOf = ({ barcode, part }: End) =>
  `/pages/historia-da-medicao?filial=010101&codigoBarras=${barcode}&parte=${part}`

const rows = (page: Page): Locator => page.getByRole('table', { name: 'História da medição' }).getByRole('row')
const toHistory = (page: Page): Locator => page.getByRole('link', { name: /^História da medição/ }).first()

/** From where somebody is: how many taps it took. */
async function tapThrough(page: Page, address: string, ...ways: ((page: Page) => Locator)[]): Promise<number> {
  await page.goto(address)
  for (const way of ways) await way(page).click()
  await expect(page.getByRole('heading', { name: 'História da medição' })).toBeVisible()
  await expect(rows(page).nth(1)).toBeVisible()
  return ways.length
}

test('a história da medição está a um toque de rastro, ocorrência e carta, a dois de ferramenta e instrumento', async ({
  page,
  panel,
}) => {
  const { barcode, part } = worstEnd(panel)
  const ofItem = `/pages/relatorios?aba=rastreabilidade&termo=${barcode}&tipo=barras`
  await logIn(page, 'admin', ofItem)
  await expect(page.getByText(`Medição: Terminal Lado ${part.slice(1)}`).first()).toBeVisible()
  await picture(page, 'rastreabilidade-medicoes')
  const trace = (of: string) => (on: Page) => on.getByRole('link', { name: `Rastrear ${of}` })
  const ofSeries = (on: Page) => on.getByRole('button', { name: 'Ver carta: MA-0001 · T1326030 · 0,50 mm² · Altura' })
  const taps = {
    trace: await tapThrough(page, ofItem, toHistory),
    occurrence: await tapThrough(page, '/pages/planos-de-controle?aba=ocorrencias', toHistory),
    tool: await tapThrough(page, '/pages/controle-crimpagens', trace('mini aplicador MA-0001'), toHistory),
    instrument: await tapThrough(
      page,
      '/pages/planos-de-controle?aba=instrumentos',
      trace('instrumento MIC-ALT-01'),
      toHistory,
    ),
    chart: await tapThrough(page, '/pages/analise-graficos?aba=cep', ofSeries, toHistory),
  }
  expect(taps, 'of a chart the first one opens it').toEqual({
    trace: 1,
    occurrence: 1,
    tool: 2,
    instrument: 2,
    chart: 2,
  })
  await expect(
    page.locator('[aria-label="História da medição"] tr.bg-brand-soft'),
    'the sample stands out, and is not below the screen',
  ).toBeInViewport({ ratio: 0.9 })
})

test('a história diz tudo na tela, no papel e na planilha, e volta ao rastro', async ({ page, panel }) => {
  const end = worstEnd(panel)
  const { barcode, part, act } = end
  // Headless Chromium prints nothing: what would have been printed is told to the page.
  await page.addInitScript(`window.print = () => { (window.top.printed ??= []).push(document.body.innerText) }`)
  await logIn(page, 'operador', `${historyOf(end)}&ato=${act}`)
  const outside = rows(page).filter({ hasText: '· fora' }).first()
  await expect(outside).toContainText(/Altura .* · \d,\d{3} a \d,\d{3} · plano v\d · fora/)
  for (const text of ['MIC-ALT-01, calibração', 'MA-', 'Ajustei, vou medir de novo']) {
    await expect(outside).toContainText(text)
  }
  await expectAccessibleInBothThemes(page)
  await picture(page, 'historia-da-medicao')

  await page.getByRole('button', { name: 'Imprimir' }).click()
  await expect.poll(() => page.evaluate('window.printed?.length')).toBe(1)
  const [printed] = (await page.evaluate('window.printed')) as string[]
  for (const text of ['História da medição', barcode, 'Ajustei, vou medir de novo', 'Fim da história: ']) {
    expect(printed).toContain(text)
  }
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Exportar CSV' }).click()
  const file = await started
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^historia_medicao_${barcode}_${part}_\\d{4}-\\d{2}-\\d{2}\\.csv$`),
  )
  expect((await readFile(await file.path())).toString()).toContain('Ajustei, vou medir de novo')

  await page.getByRole('link', { name: barcode }).click()
  await expect(page.getByRole('heading', { name: `Código de barras ${barcode}` })).toBeVisible()
})

test('imprimir a própria tela, por tecla ou menu, traz todas as linhas e a coluna do que foi feito', async ({
  page,
  panel,
}) => {
  const end = worstEnd(panel)
  await logIn(page, 'operador', historyOf(end))
  await expect(rows(page).nth(1)).toBeVisible()
  const count = Number(await page.getByRole('table', { name: 'História da medição' }).getAttribute('aria-rowcount')) - 1
  // Headless Chromium opens no dialog of its printer: the page is told what it would be.
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.print-sheet')
  await expect(sheet.locator('tbody tr')).toHaveCount(count + 1)
  await expect(sheet.locator('tbody tr').last()).toHaveText(
    `Fim da história: ${count} ${count === 1 ? 'linha' : 'linhas'}`,
  )
  await expect(sheet.locator('thead')).toContainText('O que foi feito')
  await expect(sheet.locator('thead')).toContainText(end.barcode)
  await expect(sheet).toContainText('Ajustei, vou medir de novo')
  await expect(page.getByRole('heading', { name: 'História da medição', level: 1 })).toHaveCount(1)
})

test('um servidor da versão anterior, que não a conhece, é dito como tal', async ({ page, panel, tolerate }) => {
  tolerate(/status of 404 .*historia/)
  await page.route('**/api/historia-da-medicao?*', (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', message: 'Não encontrado.' } }),
  )
  await logIn(page, 'operador', historyOf(worstEnd(panel)))
  await expect(page.getByText('O servidor ainda não mostra a história da medição.')).toBeVisible()
})
