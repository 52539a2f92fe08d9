import { expect, logIn } from '../support/journeys/journey.ts'
import type { Scene } from './scene.ts'

/** The samples of the demonstration: list, a document, what an administrator does. */
export const documentScenes: readonly Scene[] = [
  [
    'documentos',
    async (page) => {
      await logIn(page, 'admin')
      await page.goto('/pages/documentos')
      await page.getByText('Mostrar obsoletos').click()
      await expect(page.getByText('Obsoleto', { exact: true }).first()).toBeVisible()
    },
  ],
  [
    'documento-aberto',
    async (page) => {
      await page
        .getByRole('button', { name: /^Abrir Desenho/ })
        .first()
        .click()
      await expect(page.locator('[data-page] canvas').first()).toBeVisible()
    },
  ],
  [
    'documentos-enviar',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Enviar documento' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  [
    'documentos-editar',
    async (page) => {
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Editar/ })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  [
    'documentos-retirar',
    async (page) => {
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Retirar/ })
        .first()
        .click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  ],
  [
    'documentos-sem-resultado',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.getByLabel('Buscar').fill('nada disso')
      await expect(page.getByText('Nenhum documento encontrado')).toBeVisible()
    },
  ],
  [
    'documentos-sem-servidor',
    async (page) => {
      await page.route(/\/api\/documentos(\?|$)/, (route) => route.abort())
      await page.goto('/pages/documentos')
      await expect(page.getByText('Aparecem só os documentos já abertos')).toBeVisible()
    },
  ],
]
