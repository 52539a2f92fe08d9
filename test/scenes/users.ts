import { expect, logIn } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

const SETTINGS = '/pages/configuracoes'

/** What administrators see of users, sessions, the plant and the audit trail. */
export const userScenes: readonly Scene[] = [
  [
    'configuracoes-usuarios',
    async (page) => {
      await logIn(page, 'admin')
      await page.goto(`${SETTINGS}?aba=usuarios`)
      await expect(page.getByRole('row').filter({ hasText: 'Maria Souza' })).toBeVisible()
    },
  ],
  [
    'configuracoes-novo-usuario',
    async (page) => {
      await page.getByRole('button', { name: 'Novo usuário' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Usuário' }).fill('joao.dias')
      await page.getByRole('dialog').getByRole('textbox', { name: 'Senha' }).fill('12345678')
      await expect(page.getByText('Fácil de adivinhar')).toBeVisible()
    },
  ],
  [
    'configuracoes-sessoes',
    async (page) => {
      await page.goto(`${SETTINGS}?aba=sessoes`)
      await expect(page.getByText('Esta sessão')).toBeVisible()
    },
  ],
  [
    'configuracoes-trocar-senha',
    async (page) => {
      const json = { message: 'A senha atual não confere.', code: 'current_password_wrong' }
      await page.route('**/api/auth/password', (route) => route.fulfill({ status: 422, json }))
      await page.getByRole('button', { name: 'Trocar senha' }).click()
      await page.getByLabel(/^Senha atual/).fill('errada')
      await page.getByLabel(/^Nova senha/).fill('três porcas na bancada')
      await page.getByLabel(/^Repita/).fill('três porcas na bancada')
      await page.keyboard.press('Enter')
      await expect(page.getByText('A senha atual não confere.')).toBeVisible()
      await page.getByLabel(/^Repita/).fill('três porcas')
    },
  ],
  [
    'configuracoes-fabrica',
    async (page) => {
      await page.goto(`${SETTINGS}?aba=fabrica`)
      await expect(page.getByLabel('Filial 010101')).toBeVisible()
    },
  ],
  [
    'logs-auditoria',
    async (page) => {
      const json = [
        ['limit_changed', 'counter', '{"name":"MA-0001","was":{"limitOfCrimps":100000},"is":{"limitOfCrimps":50000}}'],
        ['user_changed', 'user', '{"name":"joao.dias","was":{"active":true},"is":{"active":false}}'],
        ['exported', 'file', '{"name":"rastreabilidade_ordem_01621401001_2026-11-21.csv"}'],
        ['discarded', 'recording', '{"was":"parked","because":"Saldo insuficiente"}'],
      ].map(([action, kind, details], at) => ({
        id: 9 - at,
        at: new Date(Date.UTC(2026, 10, 21, 15, 10 - at)).toISOString(),
        userName: 'admin',
        action,
        subject: { kind, id: kind === 'recording' ? '6b0c1f0e-0000-4000-8000-000000000001' : '' },
        reason: kind === 'recording' ? 'Apontado em dobro' : null,
        details,
      }))
      await page.route(/\/api\/auditoria/, (route) => route.fulfill({ json }))
      await page.goto('/pages/logs?aba=auditoria')
      await expect(page.getByText('4 linhas')).toBeVisible()
    },
  ],
]
