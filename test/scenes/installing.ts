import { expect, logIn } from '../support/journeys/journey.ts'
import { banner, offer } from '../support/journeys/offer.ts'
import type { Scene } from './scene.ts'

/** The banner that offers to install, and an installed panel that is opened while its server is away. */
export const installScenes: readonly Scene[] = [
  [
    'faixa-instalar-login',
    async (page) => {
      await page.goto('/')
      await expect(page.getByLabel('Usuário')).toBeVisible()
      await page.evaluate(offer)
      await expect(banner(page)).toBeVisible()
    },
  ],
  [
    'faixa-instalar',
    async (page) => {
      await logIn(page)
      await page.goto('/pages/dashboard')
      await expect(page.getByText('Aguardando agendamento')).toBeVisible()
      await page.evaluate(offer)
      await expect(banner(page)).toBeVisible()
    },
  ],
  [
    'servidor-fora-painel',
    async (page) => {
      await page.route('**/api/**', (route) => route.abort())
      await page.goto('/pages/dashboard')
      await expect(page.getByRole('img', { name: 'API: Offline' })).toBeVisible()
    },
  ],
  [
    'servidor-fora-mini-aplicadores',
    async (page) => {
      await page.goto('/pages/mini-aplicadores')
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Sem conexão')
    },
  ],
  [
    'servidor-fora-relatorios',
    async (page) => {
      await page.goto('/pages/relatorios')
      await expect(page.getByRole('img', { name: 'API: Offline' })).toBeVisible()
    },
  ],
]
