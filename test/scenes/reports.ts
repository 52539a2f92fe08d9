import type { Page } from '@playwright/test'
import type { ProductionReport } from '../../src/contract/production-reports.ts'
import { addDays } from '../../src/domain/plant-time.ts'
import { expect, logIn } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

const CALL = '**/api/relatorios/producao?*'
const ADDRESS = '/pages/relatorios'
const month = 'inicio=2026-11-01&fim=2026-11-30'

/** Made up, so that all visits are alike. */
export function reportOf(names: readonly string[], linhasTotal = names.length): ProductionReport {
  const linhas = names.map((nome, at) => ({
    nome,
    apontamentos: 3 + ((at * 7) % 11),
    cortes: 120 * ((at * 13) % 17),
    crimpagens: 60 * ((at * 5) % 23),
    juncoes: (at * 3) % 7,
  }))
  const sum = (key: 'apontamentos' | 'cortes' | 'crimpagens' | 'juncoes') =>
    linhas.reduce((total, line) => total + line[key], 0)
  const totais = {
    apontamentos: sum('apontamentos'),
    cortes: sum('cortes'),
    crimpagens: sum('crimpagens'),
    juncoes: sum('juncoes'),
  }
  return { linhas, totais, linhasTotal }
}

const counted = (count: number, name: (at: number) => string) => Array.from({ length: count }, (_, at) => name(at + 1))
const machines = [
  '',
  'KX0001 - Komax',
  'KX0002 - Komax',
  'KX0003 - Schleuniger',
  'PR0001 - Schäfer',
  'US0001 - Telsonic',
]
const november = counted(30, (day) => addDays('2026-11-01', day - 1)).filter((_, at) => at % 7 !== 0)
export const orders = counted(200, (at) => `016214${String(at).padStart(5, '0')}`)

const show = async (page: Page, report: ProductionReport, search: string) => {
  await page.unroute(CALL)
  await page.route(CALL, (route) => route.fulfill({ json: report }))
  await page.goto(`${ADDRESS}?${search}`)
  await expect(page.getByRole('heading', { name: /^Produção de/ })).toBeVisible()
  if (report.linhas.length > 0) await expect(page.locator('canvas')).toBeVisible()
}

export const reportScenes: readonly Scene[] = [
  [
    'relatorios-hoje',
    async (page) => {
      await logIn(page)
      await show(page, reportOf(machines), 'por=maquina')
    },
  ],
  ['relatorios-mes-por-dia', (page) => show(page, reportOf(november), `${month}&por=dia&grafico=crimpagens`)],
  ['relatorios-ordens', (page) => show(page, reportOf(orders, 7312), `${month}&por=ordem&filial=010101`)],
  [
    'relatorios-longos',
    (page) =>
      show(page, reportOf(['M'.repeat(120), 'máquina de nome comprido '.repeat(8).trim()]), `${month}&por=maquina`),
  ],
  ['relatorios-nada', (page) => show(page, reportOf([]), `${month}&por=operador`)],
  [
    'relatorios-periodo-invertido',
    async (page) => {
      await page.goto(`${ADDRESS}?inicio=2026-11-30&fim=2026-11-01`)
      await expect(page.getByText('O fim vem antes do início')).toBeVisible()
    },
  ],
  [
    'relatorios-falha',
    async (page) => {
      const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
      await page.unroute(CALL)
      await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
      await page.goto(`${ADDRESS}?${month}`)
      await expect(page.getByRole('alert')).toBeVisible()
    },
  ],
]
