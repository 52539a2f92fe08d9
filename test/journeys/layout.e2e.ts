import type { Page } from '@playwright/test'
import { CHARTS, choose, UNIT } from '../support/journeys/charting.ts'
import {
  expect,
  expectAccessibleInBothThemes,
  logIn,
  ORDER,
  openItem,
  searchFor,
  test,
} from '../support/journeys/journey.ts'
import { misfitsOf, sizes } from '../support/journeys/layout.ts'

// What it finds names the screen and the size; recording hundreds of layouts would only make it slow. Text of another size moves all.
test.use({ trace: 'off', isStill: false })

/** A screen with something on it. Each begins where the one before it ended. */
type Stop = readonly [name: string, arrive: (page: Page) => Promise<unknown>]

const go = async (page: Page, path: string, title: string) => {
  await page.goto(path)
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
}
const askFor = async (page: Page, path: string, title: string) => {
  await go(page, path, title)
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
}

const recording: readonly Stop[] = [
  ['Entrar', (page) => page.goto('/').then(() => expect(page.getByLabel('Usuário')).toBeVisible())],
  ['Apontamento de Corte e Crimpagem', (page) => logIn(page)],
  ['itens de uma ordem', (page) => searchFor(page, ORDER)],
  ['um item', (page) => openItem(page)],
  [
    'Junções',
    async (page) => {
      await askFor(page, '/pages/juncoes', 'Junções')
      await expect(page.getByRole('button', { name: /^Detalhes da junção/ }).first()).toBeVisible()
    },
  ],
  [
    'uma junção',
    async (page) => {
      await page
        .getByRole('button', { name: /^Detalhes da junção/ })
        .first()
        .click()
      await expect(page.getByText('Cabos do Lado Esquerdo')).toBeVisible()
    },
  ],
  [
    'Conferência de Corte',
    async (page) => {
      await askFor(page, '/pages/conferencia-corte', 'Conferência de Corte')
      await expect(page.getByText('Não recebido').first()).toBeVisible()
    },
  ],
]

const managing: readonly Stop[] = [
  ['Painel Industrial', (page) => logIn(page, 'admin').then(() => go(page, '/pages/dashboard', 'Painel Industrial'))],
  [
    'Mini Aplicadores',
    async (page) => {
      await page.goto('/pages/mini-aplicadores')
      await expect(page.getByText('MA-0001').first()).toBeVisible()
    },
  ],
  [
    'Confirmar Exclusão',
    async (page) => {
      await page
        .getByRole('button', { name: /^Excluir/ })
        .first()
        .click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).hover()
    },
  ],
  [
    'Estações de Selos',
    async (page) => {
      await page.goto('/pages/estacoes-selo')
      await expect(page.getByText('Seladora 01').first()).toBeVisible()
    },
  ],
  [
    'Controle de Crimpagens',
    async (page) => {
      await page.goto('/pages/controle-crimpagens')
      await expect(page.getByText('MA-0001').first()).toBeVisible()
    },
  ],
  ['Pendências', (page) => go(page, '/pages/pendencias', 'Pendências')],
]

const looking: readonly Stop[] = [
  [
    'Análise de Gráficos',
    async (page) => {
      await logIn(page, 'admin')
      await go(page, CHARTS, 'Análise de Gráficos')
      await choose(page, UNIT)
    },
  ],
  [
    'carta de controle',
    async (page) => {
      const series = 'miniaplicador=MA-0001&terminal=T1326030&bitola=500&caracteristica=altura'
      await go(page, `${CHARTS}?aba=cep&${series}`, 'Análise de Gráficos')
      await expect(page.getByRole('table', { name: 'Amostras' })).toBeVisible()
    },
  ],
  ['Relatórios', (page) => go(page, '/pages/relatorios', 'Relatórios')],
  ['Rastreabilidade', (page) => go(page, '/pages/relatorios?aba=rastreabilidade', 'Relatórios')],
  [
    'Refugo',
    async (page) => {
      await go(page, '/pages/relatorios?aba=refugo', 'Relatórios')
      await expect(page.getByRole('table', { name: 'Refugo por motivo' })).toBeVisible()
    },
  ],
  [
    'Documentos',
    async (page) => {
      await page.goto('/pages/documentos')
      await expect(page.getByRole('button', { name: /^Abrir/ }).first()).toBeVisible()
    },
  ],
  [
    'Enviar documento',
    async (page) => {
      await page.getByRole('button', { name: 'Enviar documento' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).hover()
    },
  ],
  [
    'um documento',
    async (page) => {
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Abrir/ })
        .first()
        .click()
      await expect(page.locator('[data-page] canvas').first()).toBeVisible()
    },
  ],
  ['Logs', (page) => go(page, '/pages/logs', 'Logs')],
  ['log dos servidores', (page) => go(page, '/pages/logs?aba=servidor', 'Logs')],
  ['Configurações', (page) => go(page, '/pages/configuracoes', 'Configurações')],
]

/** What a screen shows behind its first tab. */
const administering: readonly Stop[] = [
  [
    'agendamento',
    async (page) => {
      await logIn(page, 'admin')
      await go(page, '/pages/controle-crimpagens?aba=agendamento', 'Controle de Crimpagens')
      await expect(page.getByLabel('Ordem de Serviço')).toBeVisible()
    },
  ],
  [
    'histórico',
    async (page) => {
      await go(page, '/pages/controle-crimpagens?aba=historico', 'Controle de Crimpagens')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    },
  ],
  [
    'plano',
    async (page) => {
      await go(page, '/pages/controle-crimpagens?aba=plano', 'Controle de Crimpagens')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    },
  ],
  [
    'peças',
    async (page) => {
      await go(page, '/pages/controle-crimpagens?aba=plano&mini=MA-0003', 'Controle de Crimpagens')
      await expect(page.getByRole('button', { name: /^Trocar peça/ }).first()).toBeVisible()
    },
  ],
  [
    'auditoria',
    async (page) => {
      await go(page, '/pages/logs?aba=auditoria', 'Logs')
      await expect(page.getByRole('tab', { name: 'Auditoria' })).toHaveAttribute('aria-selected', 'true')
    },
  ],
  [
    'motivos de refugo',
    async (page) => {
      await go(page, '/pages/planos-de-controle?aba=motivos', 'Planos de Controle')
      await expect(page.getByRole('table', { name: 'Motivos de refugo' })).toBeVisible()
    },
  ],
  [
    'senha e sessões',
    async (page) => {
      await go(page, '/pages/configuracoes?aba=sessoes', 'Configurações')
      await expect(page.getByText('Esta sessão').first()).toBeVisible()
    },
  ],
  [
    'chamados',
    async (page) => {
      await go(page, '/pages/controle-crimpagens?aba=chamados', 'Controle de Crimpagens')
      await expect(page.getByRole('button', { name: /^Resolver chamado/ }).first()).toBeVisible()
    },
  ],
  [
    'resolver chamado',
    async (page) => {
      await page
        .getByRole('button', { name: /^Resolver chamado/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Liberar para produção' }).hover()
    },
  ],
  [
    'usuários',
    async (page) => {
      await go(page, '/pages/configuracoes?aba=usuarios', 'Configurações')
      await expect(page.getByText('Maria Souza')).toBeVisible()
    },
  ],
  [
    'fábrica',
    async (page) => {
      await go(page, '/pages/configuracoes?aba=fabrica', 'Configurações')
      await expect(page.getByLabel('Filial 010101')).toBeVisible()
    },
  ],
  [
    'sistema',
    async (page) => {
      await go(page, '/pages/configuracoes?aba=sistema', 'Configurações')
      await expect(page.getByText('Backup em dia')).toBeVisible()
    },
  ],
]

const watching: readonly Stop[] = [
  [
    'Monitoramento de equipamentos',
    async (page) => {
      await logIn(page, 'admin')
      await go(page, '/pages/equipamentos', 'Monitoramento de equipamentos')
      await expect(page.getByRole('heading', { name: 'KX0001' })).toBeVisible()
    },
  ],
  [
    'máquinas em linhas',
    async (page) => {
      await page.getByRole('radio', { name: 'Linhas' }).check({ force: true })
      await expect(page.getByRole('table', { name: 'Máquinas' })).toBeVisible()
    },
  ],
  [
    'painel de equipamentos',
    async (page) => {
      await page.getByRole('button', { name: 'Abrir painel' }).click()
      await expect(page.getByRole('region', { name: 'Sem uso hoje' })).toContainText('KX0001')
    },
  ],
]

const [desk] = sizes

for (const [tour, stops] of Object.entries({
  'quem aponta': recording,
  'quem cuida': managing,
  'quem analisa': looking,
  'quem administra': administering,
  'quem acompanha': watching,
})) {
  test(`para ${tour}, nada se corta nem sai da tela, e tudo é acessível, claro e escuro`, async ({ page }) => {
    // as long as three journeys, and more on a slow machine
    const found: string[] = []
    for (const [name, arrive] of stops) {
      await test.step(name, async () => {
        await arrive(page)
        await expectAccessibleInBothThemes(page)
        for (const size of sizes) {
          await page.setViewportSize(size)
          const misfits = await misfitsOf(page, ['115', '130', '100'])
          found.push(...misfits.map((misfit) => `${name}, ${size.width} px, ${misfit}`))
        }
        await page.setViewportSize(desk)
      })
    }
    expect(found).toEqual([])
  })
}
