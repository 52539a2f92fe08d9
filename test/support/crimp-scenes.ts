import type { Page } from '@playwright/test'
import { ADDRESS, choice, details, limitBox, pencil, question, tab } from './journeys/crimp-control.ts'
import { expect } from './journeys/journey.ts'

/** Crimp control as it is photographed. Nothing is changed, so that all visits are alike. */
export const crimpScenes: readonly [name: string, go: (page: Page) => Promise<void>][] = [
  [
    'crimpagens',
    async (page) => {
      await page.goto(ADDRESS)
      await expect(pencil(page, 'MA-0001')).toBeVisible()
      await expect(page.getByRole('button', { name: 'ATUALIZAR' })).toBeVisible()
    },
  ],
  [
    'crimpagens-limite-errado',
    async (page) => {
      await pencil(page, 'MA-0002').click()
      await limitBox(page, 'MA-0002').fill('cem mil')
      await page.keyboard.press('Enter')
      await expect(page.getByText('O limite deve ser um número inteiro')).toBeVisible()
    },
  ],
  [
    'crimpagens-agendamento',
    async (page) => {
      await tab(page, 'Aguardando agendamento').click()
      await choice(page, 'MA-0004').click()
      await details(page).getByLabel('Previsão de Manutenção').fill('2099-01-15')
      await details(page).getByRole('button', { name: 'SALVAR DETALHES' }).click()
      await expect(details(page).getByText('Informe a ordem de serviço')).toBeVisible()
    },
  ],
  [
    'crimpagens-zerar',
    async (page) => {
      await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
      await expect(question(page)).toBeVisible()
    },
  ],
  [
    'crimpagens-registro',
    async (page) => {
      await question(page).getByRole('button', { name: 'Registro de manutenção NR-12' }).click()
      await question(page).getByLabel('Serviço realizado').fill('Troca da faca')
      await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
      await expect(question(page).getByText('Informe o responsável.')).toBeVisible()
    },
  ],
  [
    'crimpagens-historico',
    async (page) => {
      await page.keyboard.press('Escape')
      await expect(question(page)).toBeHidden()
      await tab(page, 'Histórico de alterações').click()
      await expect(page.getByText('Cada linha mostra os valores')).toBeVisible()
    },
  ],
  [
    'crimpagens-falha',
    async (page) => {
      const calls = /\/api\/crimpagens(\?|$)/
      const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
      await page.route(calls, (route) => route.fulfill({ status: 503, json }))
      await page.goto(ADDRESS)
      await expect(page.getByRole('alert')).toContainText('Erro ao carregar dados de controle de crimpagens')
      await page.unroute(calls)
    },
  ],
]
