import type { Page } from '@playwright/test'
import { fillCable, NO_NETWORK, RECORD, saveHere } from '../support/journeys/cable.ts'
import { CHARTS, choose, openFilters, UNIT } from '../support/journeys/charting.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { ADDRESS, choice, details, tab } from '../support/journeys/crimp-control.ts'
import { details as junctionDetails, leaveRefused } from '../support/journeys/joining.ts'
import {
  BARCODE,
  expect,
  expectAccessibleInBothThemes,
  logIn,
  ORDER,
  openItem,
  SEARCH,
  scan,
  searchFor,
  test,
} from '../support/journeys/journey.ts'
import { ADMIN, leavePending, test as plantTest } from '../support/journeys/plant.ts'
import { box } from '../support/journeys/receiving.ts'

// What it finds names the dialog; the pictures of a trace would only make it slow.
test.use({ trace: 'off' })
plantTest.use({ trace: 'off' })

/** How a dialog is opened. Each begins on the screen on which the one before it was closed. */
type Opening = readonly [name: string, open: (page: Page) => Promise<unknown>]

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function lookAtAll(page: Page, openings: readonly Opening[]): Promise<void> {
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  for (const [name, open] of openings) {
    await test.step(name, async () => {
      await open(page)
      await expect(dialog).toBeVisible()
      await expectAccessibleInBothThemes(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })
  }
}

const registers: readonly Opening[] = [
  [
    'novo mini aplicador, nada informado',
    async (page) => {
      await page.goto('/pages/mini-aplicadores')
      await press(page, 'Adicionar')
      await page.getByRole('dialog').getByLabel('Terminal').press('Enter')
      await expect(page.getByRole('dialog').getByText('é obrigatório').first()).toBeVisible()
    },
  ],
  ['editar mini aplicador', (page) => press(page, /^Editar /)],
  ['excluir mini aplicador', (page) => press(page, /^Excluir /)],
  [
    'zerar crimpagens',
    async (page) => {
      await page.goto(ADDRESS)
      await tab(page, 'Aguardando agendamento').click()
      await choice(page, 'MA-0004').click()
      await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
    },
  ],
  ['filtros dos gráficos', (page) => page.goto(CHARTS).then(() => openFilters(page))],
  ['exportar um gráfico', (page) => choose(page, UNIT).then(() => press(page, 'Exportar'))],
  [
    'limpar o log deste dispositivo',
    async (page) => {
      await page.goto('/pages/logs')
      await press(page, 'Gerar entradas de teste')
      await page.getByRole('button', { name: 'Limpar', exact: true }).click()
    },
  ],
  [
    'limpar o log do servidor',
    async (page) => {
      await page.goto('/pages/logs?aba=servidor')
      await page.getByRole('button', { name: 'Limpar', exact: true }).click()
    },
  ],
]

const work: readonly Opening[] = [
  [
    'máquinas',
    async (page) => {
      await searchFor(page, ORDER)
      await openItem(page)
      await press(page, 'Selecionar máquina do cabo')
      await expect(page.getByRole('dialog').getByRole('button', { name: /KX0001/ })).toBeVisible()
    },
  ],
  ['mini aplicadores', (page) => press(page, 'Selecionar mini aplicador do lado 1')],
  ['nenhum mini aplicador cadastrado', (page) => press(page, 'Selecionar mini aplicador do lado 2')],
  ['seladoras', (page) => press(page, 'Selecionar seladora do lado 1')],
  [
    'devolver ao formulário',
    async (page) => {
      const json = { message: 'Dados inválidos. Verifique os campos.', code: 'input_invalid' }
      await page.route(RECORD, (route) => route.abort())
      await fillCable(page)
      await saveHere(page, 5)
      await page.goto('/pages/pendencias')
      const sendNow = page.getByRole('button', { name: 'Enviar agora' })
      await expect(sendNow).toBeEnabled()
      // The queue sends by itself too, and what it is refused needs no sending any more.
      await page.route(RECORD, (route) => route.fulfill({ status: 400, json }))
      await sendNow.click()
      await press(page, /Devolver ao formulário/)
    },
  ],
  [
    'confirmar recebimento',
    async (page) => {
      await page.goto('/pages/conferencia-corte')
      await page.getByLabel('Ordem de produção').fill(ORDER)
      await press(page, 'Pesquisar')
      await expect(box(page)).toBeFocused()
      await scan(page, BARCODE)
    },
  ],
]

const people: readonly Opening[] = [
  [
    'novo usuário, senha fácil',
    async (page) => {
      await page.goto('/pages/configuracoes?aba=usuarios')
      await press(page, 'Novo usuário')
      await page.getByRole('dialog').getByRole('textbox', { name: 'Senha' }).fill('12345678')
      await expect(page.getByText('Fácil de adivinhar')).toBeVisible()
    },
  ],
  ['editar usuário', (page) => press(page, 'Editar operador')],
  ['trocar a senha', (page) => press(page, 'Trocar a senha de operador')],
  ['desativar usuário', (page) => press(page, 'Desativar operador')],
  [
    'encerrar sessão',
    async (page) => {
      await page.goto('/pages/configuracoes?aba=sessoes')
      await press(page, /^Encerrar a sessão de Maria Souza/)
    },
  ],
]

const documents: readonly Opening[] = [
  [
    'enviar documento que não serve',
    async (page) => {
      await page.goto('/pages/documentos')
      await press(page, 'Enviar documento')
      const file = { name: 'nada.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) }
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    },
  ],
  ['enviar nova revisão', (page) => press(page, /^Enviar nova revisão de Desenho/)],
  ['editar documento', (page) => press(page, /^Editar Desenho/)],
  [
    'retirar documento, sem motivo',
    async (page) => {
      await press(page, /^Retirar Desenho/)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Retirar' }).click()
      await expect(page.getByText('Informe o motivo')).toBeVisible()
    },
  ],
  [
    'documento aberto',
    async (page) => {
      await press(page, /^Abrir Instrução/)
      await expect(page.getByRole('dialog').locator('canvas').first()).toBeVisible()
    },
  ],
  [
    'documentos de um item',
    async (page) => {
      await page.goto(SEARCH)
      await searchFor(page, ORDER)
      await openItem(page)
      await press(page, /^Documentos \(/)
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
    },
  ],
  [
    'corrigir e reenviar uma junção',
    async (page) => {
      await page.goto(junctionDetails('J01'))
      await leaveRefused(page)
      await press(page, 'Corrigir e reenviar')
    },
  ],
]

for (const [what, username, openings] of [
  ['de cadastros, gráficos e logs', 'admin', registers],
  ['do trabalho', 'operador', work],
] as const) {
  test(`as janelas ${what} são acessíveis, no claro e no escuro`, async ({ page, tolerate }) => {
    tolerate(NO_NETWORK)
    tolerate(/status of 400/)
    await logIn(page, username)
    await lookAtAll(page, openings)
  })
}

test('as janelas de usuários, de documentos e da correção de uma junção são acessíveis, no claro e no escuro', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  // a session of hers, to be ended
  await colleagueAt(panel, 'operador')
  await logIn(page, 'admin')
  await lookAtAll(page, [...people, ...documents])
})

plantTest('as janelas das Pendências são acessíveis, no claro e no escuro', async ({ page, plant, tolerate }) => {
  tolerate(/status of 503|^503 from/)
  await leavePending(plant)
  await logIn(page, ADMIN, '/pages/pendencias')
  await lookAtAll(page, [
    ['corrigir e reenviar', (shown) => press(shown, /^Corrigir e reenviar: Terminal/)],
    ['marcar como entregue', (shown) => press(shown, /^Marcar como entregue/)],
    [
      'descartar, sem motivo',
      async (shown) => {
        await press(shown, /^Descartar/)
        await shown.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
        await expect(shown.getByText('Informe o motivo.')).toBeVisible()
      },
    ],
  ])
})
