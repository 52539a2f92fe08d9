import type { Page } from '@playwright/test'
import {
  arrow,
  details,
  fillJunction,
  form,
  logInAt,
  RECORD_JUNCTION,
  register,
  SEARCH,
  searchOrder,
} from '../support/journeys/joining.ts'
import { BARCODE, expect, ORDER, scan } from '../support/journeys/journey.ts'
import { answer, box, expectAsked, RECEIPTS, row } from '../support/journeys/receiving.ts'
import type { Scene } from './scene.ts'

const open = async (page: Page, position: string) => {
  await page.goto(details(position))
  await expect(page.getByRole('heading', { name: /^Cabos do Lado Direito/ })).toBeVisible()
}

/** Junctions and the cut check. What is recorded stays on the visit's own device, so that all visits are alike. */
export const joiningScenes: readonly Scene[] = [
  [
    'juncoes',
    async (page) => {
      await logInAt(page, SEARCH)
      await expect(page.getByText(/^Digite uma ordem de produção e clique/)).toBeVisible()
    },
  ],
  [
    'juncoes-vazia',
    async (page) => {
      await searchOrder(page, '99999999999')
      await expect(page.getByText(/^Nenhuma junção encontrada/)).toBeVisible()
    },
  ],
  [
    'juncoes-ordem',
    async (page) => {
      await searchOrder(page)
      await expect(arrow(page, 'J 02/A')).toBeVisible()
    },
  ],
  ['juncao', (page) => open(page, 'J 02/A')],
  ['juncao-ultrassom', (page) => open(page, 'J02')],
  ['juncao-completa', (page) => open(page, 'J03')],
  [
    'juncao-nao-encontrada',
    async (page) => {
      await page.goto(details('J99'))
      await expect(page.getByRole('alert')).toContainText('Junção não encontrada')
    },
  ],
  [
    'juncao-preenchida',
    async (page) => {
      await open(page, 'J01')
      await fillJunction(page, 30)
    },
  ],
  [
    'juncao-salva-no-dispositivo',
    async (page) => {
      await page.route(RECORD_JUNCTION, (route) => route.abort())
      await register(page).click()
      await expect(form(page)).toContainText('30 peças aguardando envio')
    },
  ],
  [
    'conferencia',
    async (page) => {
      await page.goto('/pages/conferencia-corte')
      await expect(page.getByText(/^Digite uma ordem de produção e clique/)).toBeVisible()
    },
  ],
  [
    'conferencia-ordem',
    async (page) => {
      await page.getByLabel('Ordem de produção').fill(ORDER)
      await page.getByRole('button', { name: 'Pesquisar' }).click()
      await expect(box(page)).toBeFocused()
    },
  ],
  [
    'conferencia-codigo-desconhecido',
    async (page) => {
      await scan(page, '0101621401001000019999')
      await expect(page.getByRole('alert').filter({ hasText: 'não encontrado na lista' })).toBeVisible()
    },
  ],
  [
    'conferencia-outro-codigo',
    async (page) => {
      await page.route(RECEIPTS, (route) => route.abort())
      await scan(page, BARCODE)
      await expectAsked(page, '000010')
      await scan(page, '010162140100100002000S')
      await expect(page.getByRole('alertdialog').getByRole('alert')).toBeVisible()
    },
  ],
  [
    'conferencia-salva-no-dispositivo',
    async (page) => {
      await answer(page, 'Sim')
      await expect(row(page, '000010')).toContainText('aguardando envio')
    },
  ],
  [
    'conferencia-ja-recebido',
    async (page) => {
      await scan(page, '010162140100100003000C')
      await expectAsked(page, '000030')
    },
  ],
  [
    'pendencias-juncao-e-recebimento',
    async (page) => {
      await answer(page, 'Não')
      await page.goto('/pages/pendencias')
      await expect(page.getByText('Junção J01 · 30 peças')).toBeVisible()
    },
  ],
]
