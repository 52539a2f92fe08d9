import type { Page } from '@playwright/test'
import { type LogEntry, logLevels } from '../../src/contract/log-entries.ts'
import { expect, logIn } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

const CALL = /\/api\/logs\?/
const NOON = Date.UTC(2026, 10, 21, 15)
const messages = [
  'O ERP não respondeu',
  'Uma chamada falhou por erro interno',
  'Servidor iniciado',
  'Um apontamento precisa de decisão: não se sabe se o ERP o registrou (veja Pendências)',
]

/** Made up, so that all visits are alike. */
const entryOf = (at: number): LogEntry => ({
  id: at,
  timestamp: new Date(NOON - at * 61_000).toISOString(),
  level: logLevels[(at * 7) % 4] ?? 'Info',
  source: `painel-0${1 + (at % 2)} (${4000 + (at % 2)})`,
  message: messages[(at * 3) % 4] ?? '',
  error:
    at % 4 === 1
      ? 'Error: connect ECONNREFUSED 10.0.0.7:8080\n    at TCPConnectWrap.afterConnect (node:net:1637:16)'
      : null,
  additionalData: at % 2 === 1 ? '{"recording":"6b0c1f0e-0000-4000-8000-000000000001","attempts":3}' : null,
})

const showHere = async (page: Page, entries: readonly LogEntry[]) => {
  await page.evaluate(
    (kept) => localStorage.setItem('logs', JSON.stringify(kept)),
    entries.toReversed().map(({ id, ...entry }) => ({
      ...entry,
      source: 'GET /api/crimpagens/history',
      userId: 'operador',
      currentUrl: 'https://painel.fabrica/pages/controle-crimpagens',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0',
    })),
  )
  await page.goto('/pages/logs')
}

/** The log of this browser, then that of the servers. */
export const logScenes: readonly Scene[] = [
  [
    'logs-vazio',
    async (page) => {
      await logIn(page, 'admin')
      await page.goto('/pages/logs')
      await page.evaluate(() => localStorage.removeItem('logs'))
      await page.reload()
      await expect(page.getByText('Nada foi registrado neste dispositivo.')).toBeVisible()
    },
  ],
  [
    'logs-dispositivo',
    async (page) => {
      await showHere(
        page,
        Array.from({ length: 12 }, (_, at) => entryOf(at)),
      )
      await expect(page.getByText('12 entradas')).toBeVisible()
      await page
        .getByRole('button', { name: /^Detalhes/ })
        .nth(1)
        .click()
      await expect(page.getByText('Navegador')).toBeVisible()
    },
  ],
  [
    'logs-sem-resultado',
    async (page) => {
      await page.getByLabel('Filtrar por texto').fill('nada disso')
      await expect(page.getByText('Nenhuma entrada com este filtro')).toBeVisible()
    },
  ],
  [
    'logs-servidor',
    async (page) => {
      const json = Array.from({ length: 40 }, (_, at) => entryOf(at))
      await page.route(CALL, (route) => route.fulfill({ json }))
      await page.goto('/pages/logs?aba=servidor')
      await expect(page.getByText('40 entradas')).toBeVisible()
    },
  ],
  [
    'logs-limpar',
    async (page) => {
      await page.getByRole('button', { name: 'Limpar', exact: true }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  ],
  [
    'logs-servidor-falha',
    async (page) => {
      const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
      await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
      await page.goto('/pages/logs?aba=servidor')
      await expect(page.getByRole('alert')).toBeVisible()
    },
  ],
]
