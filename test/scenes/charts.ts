import { CHARTS, choose, drawn, openFilters, UNIT, unavailable } from '../support/journeys/charting.ts'
import { expect, logIn } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

const calls = /\/api\/graficos\/\w+\/./

const months = ['2025-10', '2025-11', '2025-12', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']
const pointsOf = (line: number) =>
  months.map((mes, at) => ({ mes, crimpagens: 900 + 350 * line + ((at * 7 + line * 3) % 5) * 240 }))
/** More of them than strokes, and a month in which nobody crimped. */
const manyLines = {
  porMes: months.map((mes, at) => ({ mes, crimpagens: 9000 + ((at * 5) % 7) * 900 })),
  porTerminal: Array.from({ length: 7 }, (_, line) => ({ terminal: `T13260${30 + line}`, pontos: pointsOf(line) })),
}

export const chartScenes: readonly Scene[] = [
  [
    'graficos-vazio',
    async (page) => {
      await logIn(page)
      await page.goto(CHARTS)
      await expect(page.getByText('Selecione um Mini Aplicador')).toBeVisible()
    },
  ],
  ['graficos-filtros', (page) => openFilters(page).then(() => undefined)],
  [
    'graficos-filtros-sem-resultado',
    async (page) => {
      await page.getByLabel('Data inicial').fill('2026-03-01')
      await page.getByLabel('Data final').fill('2026-01-31')
      await page.getByRole('textbox', { name: 'Filtrar mini aplicadores:' }).fill('nada disso')
      await expect(page.getByText('A data final vem antes')).toBeVisible()
      await expect(page.getByText('Nenhum mini aplicador encontrado')).toBeVisible()
    },
  ],
  [
    'graficos-mini-aplicador',
    async (page) => {
      await page.getByRole('button', { name: 'Limpar filtros' }).click()
      await page.keyboard.press('Escape')
      await choose(page, UNIT)
    },
  ],
  [
    'graficos-tabela',
    async (page) => {
      for (const title of ['Crimpagens por Mês', 'Crimpagens por Terminal']) {
        await page.getByRole('button', { name: `Ver como tabela: ${title}` }).press('Enter')
      }
      await expect(page.getByRole('table').first()).toBeVisible()
    },
  ],
  [
    'graficos-exportar',
    async (page) => {
      await page.getByRole('button', { name: 'Exportar' }).click()
      await expect(page.getByRole('dialog', { name: 'Exportar' })).toBeVisible()
    },
  ],
  [
    'graficos-terminal',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('tab', { name: 'Análise de Terminais' }).click()
      await page.getByRole('button', { name: 'Selecionar Filtros' }).click()
      await page
        .getByRole('button', { name: /^Selecionar este terminal/ })
        .first()
        .click()
      await drawn(page)
    },
  ],
  [
    'graficos-muitas-linhas',
    async (page) => {
      await page.route(calls, (route) => route.fulfill({ json: manyLines }))
      await page.goto(CHARTS)
      await choose(page, UNIT)
    },
  ],
  [
    'graficos-sem-crimpagens',
    async (page) => {
      await page.unroute(calls)
      await page.route(calls, (route) => route.fulfill({ json: { porMes: [], porTerminal: [] } }))
      await page.goto(CHARTS)
      await openFilters(page)
      await page
        .getByRole('button', { name: /^Selecionar este/ })
        .first()
        .click()
      await expect(page.getByText('Nenhuma crimpagem de')).toBeVisible()
    },
  ],
  [
    'graficos-falha',
    async (page) => {
      await page.unroute(calls)
      await page.route(calls, (route) => route.fulfill(unavailable))
      await page.goto(CHARTS)
      await openFilters(page)
      await page
        .getByRole('button', { name: /^Selecionar este/ })
        .first()
        .click()
      await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível')
      await page.unroute(calls)
    },
  ],
]
