import type { Page } from '@playwright/test'
import { expect, logIn, toast } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

const LIST = '**/api/miniaplicadores'
const COUNT = '**/api/crimpagens/maintenance-pending/count'
const form = (page: Page) => page.getByRole('dialog')
const unavailable = {
  status: 503,
  json: { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' },
}

/** Dashboard, mini applicators, sealing stations. Nothing is changed at the server, so that all visits are alike. */
export const managementScenes: readonly Scene[] = [
  [
    'painel',
    async (page) => {
      await logIn(page)
      await page.goto('/pages/dashboard')
      await expect(page.getByText('Aguardando agendamento')).toBeVisible()
      await expect(page.getByText('100%')).toBeVisible()
    },
  ],
  [
    'painel-em-dia',
    async (page) => {
      await page.route(COUNT, (route) => route.fulfill({ json: { count: 0, totalCount: 30 } }))
      await page.goto('/pages/dashboard')
      await expect(page.getByText('Tudo em dia')).toBeVisible()
    },
  ],
  [
    'painel-falha',
    async (page) => {
      await page.route(COUNT, (route) => route.fulfill(unavailable))
      await page.goto('/pages/dashboard')
      await expect(page.getByText('Não foi possível atualizar os indicadores.')).toBeVisible()
    },
  ],
  [
    'gestao-lista',
    async (page) => {
      await page.goto('/pages/mini-aplicadores')
      await expect(page.getByText('30 registros')).toBeVisible()
    },
  ],
  [
    'gestao-sem-resultado',
    async (page) => {
      await page.getByLabel('Filtrar por terminal').fill('nada disso')
      await expect(page.getByText('Nenhum registro encontrado')).toBeVisible()
    },
  ],
  [
    'gestao-novo-invalido',
    async (page) => {
      await page.getByRole('button', { name: 'Limpar filtros' }).click()
      await page.getByRole('button', { name: 'Adicionar' }).click()
      await form(page).getByLabel('Terminal').press('Enter')
      await form(page).getByLabel('Miniaplicador').press('Enter')
      await expect(form(page).getByText('é obrigatório')).toHaveCount(2)
    },
  ],
  [
    'gestao-editar-alterado',
    async (page) => {
      await form(page).getByRole('button', { name: 'Cancelar' }).click()
      const json = { message: 'Registro alterado por outra pessoa. Recarregue.', code: 'changed_meanwhile' }
      await page.route('**/api/miniaplicadores/*', (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 409, json }) : route.fallback(),
      )
      await page
        .getByRole('button', { name: /^Editar / })
        .first()
        .click()
      await form(page).getByLabel('Miniaplicador').fill('MA-9001')
      await form(page).getByRole('button', { name: 'Salvar' }).click()
      await expect(form(page).getByRole('alert')).toBeVisible()
    },
  ],
  [
    'gestao-recarregado',
    async (page) => {
      await form(page).getByRole('button', { name: 'Recarregar' }).click()
      await expect(form(page).getByText('Você tinha digitado:')).toBeVisible()
    },
  ],
  [
    'gestao-excluir',
    async (page) => {
      await form(page).getByRole('button', { name: 'Cancelar' }).click()
      await page
        .getByRole('button', { name: /^Excluir / })
        .first()
        .click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  ],
  [
    'gestao-falha',
    async (page) => {
      await page.route(LIST, (route) => route.fulfill(unavailable))
      await page.goto('/pages/mini-aplicadores')
      await expect(toast(page)).toContainText('Erro ao carregar mini aplicadores')
    },
  ],
  [
    'gestao-vazia',
    async (page) => {
      await page.route(LIST, (route) => route.fulfill({ json: [] }))
      await page.goto('/pages/mini-aplicadores')
      await expect(page.getByText('Nenhum mini aplicador encontrado.')).toBeVisible()
    },
  ],
  [
    'gestao-longos',
    async (page) => {
      const at = '2026-11-21T12:00:00.000Z'
      const long = { id: 1, terminal: 'T'.repeat(255), miniaplicator: 'MA '.repeat(80), createdAt: at, updatedAt: at }
      await page.route(LIST, (route) => route.fulfill({ json: [{ ...long, version: 1 }] }))
      await page.goto('/pages/mini-aplicadores')
      await expect(page.getByText('1 registro')).toBeVisible()
    },
  ],
  [
    'estacoes-lista',
    async (page) => {
      await page.goto('/pages/estacoes-selo')
      await expect(page.getByText(/^\d+ registros$/)).toBeVisible()
    },
  ],
]
