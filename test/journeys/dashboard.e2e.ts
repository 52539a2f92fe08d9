import type { Locator, Page, Request } from '@playwright/test'
import { NO_NETWORK } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { test, testOnEach } from '../support/journeys/databases.ts'
import {
  BARCODE,
  changePanel,
  expect,
  expectAccessible,
  ITEM,
  logIn,
  ORDER,
  openItemOfOrder,
  PIECES,
  scan,
  section,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import { STEP_MS } from '../support/slowness.ts'

const COUNT = '**/api/crimpagens/maintenance-pending/count'

const metric = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Indicadores' }).locator('div', { has: page.getByText(name, { exact: true }) })

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Painel Industrial', level: 1 })).toBeVisible()
}

testOnEach(
  'quem entra é recebido no painel, com os números da planta e o caminho aos módulos',
  async ({ page, panel, database }) => {
    const colleague = await colleagueAt(panel)
    const counted = await colleague<{ count: number; totalCount: number }>(
      'GET',
      '/api/crimpagens/maintenance-pending/count',
    )
    expect(counted.count, 'the demonstration has units to schedule').toBeGreaterThan(0)
    await enter(page)
    await expect(page).toHaveURL(/\/pages\/dashboard$/)
    await expect(page).toHaveTitle('Dashboard')
    await expect(page.getByRole('heading', { name: 'Boas-vindas, Maria Souza!' })).toBeVisible()
    await expect(metric(page, 'Mini aplicadores')).toContainText(String(counted.totalCount))
    await expect(metric(page, 'Manutenções pendentes')).toContainText(`${counted.count}Aguardando agendamento`)
    await expect(metric(page, 'Conectividade')).toContainText('100%')
    await expect(metric(page, 'Versão')).toContainText('v2.0')
    const header = page.getByRole('banner')
    await expect(header).toContainText('Painel IndustrialCentral de Produção e MonitoramentoDashboard')
    await expect(header).toContainText('Maria Souza')
    const kind = database === 'SQLite' ? 'SQLite' : 'MySQL'
    for (const text of ['API: Online', `${kind}: Conectado`, 'ERP: Online']) {
      await expect(header.getByRole('img', { name: text })).toHaveAttribute('title', text)
    }
    await expect(header.getByText('ERP de ensaio')).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'painel')

    const modules = page.getByRole('list', { name: 'Módulos' }).getByRole('link')
    const headings = [
      'Apontamento de Corte e Crimpagem',
      'Gestão de Mini Aplicadores',
      'Monitoramento de equipamentos',
      'Documentos',
      'Análise de Gráficos',
    ]
    await expect(modules).toHaveText([
      /^Apontamentos de corte e crimpagem/,
      /^Gestão de mini aplicadores/,
      /^Monitoramento de equipamentos/,
      /^Visualizador de documentos/,
      /^Análises e relatórios/,
    ])
    for (const [at, heading] of headings.entries()) {
      await modules.nth(at).click()
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
      await page.goBack()
    }
  },
)

test('o painel leva de volta ao item que se abriu por último, e cada indicador à sua tela', async ({ page }) => {
  await openItemOfOrder(page)
  await expect(page).toHaveTitle(`Item ${ITEM} · OP ${ORDER}`)
  await page.goto('/pages/dashboard')
  const goOn = page.getByRole('link', { name: `Continuar: OP ${ORDER}, item ${ITEM} (0%)` })
  await expect(goOn).toContainText('falta: Cabo, Lado 1, Lado 2')
  await expectAccessible(page)
  await goOn.click()
  await expect(section(page, 'Cabo')).toBeVisible()
  await expect(page).toHaveTitle(`Item ${ITEM} · OP ${ORDER}`)
  const tiles = page.getByRole('region', { name: 'Indicadores' })
  for (const [tile, heading] of [
    ['Mini aplicadores', 'Gestão de Mini Aplicadores'],
    ['Manutenções pendentes', 'Controle de Crimpagens'],
    ['Conectividade', 'Logs'],
    ['Versão', 'Configurações'],
  ] as const) {
    await page.goto('/pages/dashboard')
    await tiles.getByRole('link', { name: tile }).click()
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  }
})

const cut = {
  ...{ EMPRESA: '010101', ORDEM_PROD: ORDER, QTD_ORDEM_PROD: PIECES, COD_BARRA: BARCODE, QTD_REALIZADA: 15 },
  ...{ MAQUINA: 'KX0001 - Komax', COD_CABO: 'CB050AMVD', LOTE_CABO: 'L261118004', COMPRIMENTO_CABO: 1250 },
}

test('quem aponta vê a sua ordem e o seu turno, e um campo que entende cada etiqueta', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel, 'operador')
  await openItemOfOrder(page)
  await page.goto('/pages/dashboard')
  const work = section(page, 'Meu trabalho')
  await expect(work).toContainText(/Minha ordem 01621401001\d+ de 24/)
  await expect(work).toContainText('Nada apontado ainda')
  await colleague('POST', '/api/apontamentos/corte-crimpagem', cut)
  await expect(work).toContainText('15 cortes')
  await expectAccessible(page)
  await picture(page, 'painel-operador')
  const field = page.getByLabel('Leia uma etiqueta, um lote ou uma ferramenta')
  await field.fill('MA-0001')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/aba=rastreabilidade&termo=MA-0001/)
  await page.goto('/pages/dashboard')
  await field.fill(BARCODE)
  await page.keyboard.press('Enter')
  await expect(section(page, 'Cabo')).toBeVisible()
})

test('quem lidera vê o que exige ação, os chamados, as peças do turno e as medições fora', async ({ page, panel }) => {
  changePanel(panel, "update users set role = 'lider' where username = 'operador'")
  await logIn(page, 'operador', '/pages/dashboard')
  const tiles = page.getByRole('list', { name: 'Agora' }).getByRole('listitem')
  await expect(tiles).toHaveText([
    /^Exigem ação\d+/,
    /^Chamados abertos\d+/,
    /^Peças neste turno\d+/,
    /^Medições fora hoje\d+/,
  ])
  await expectAccessible(page)
  await picture(page, 'painel-lider')
  await tiles.getByRole('link', { name: 'Chamados abertos' }).click()
  await expect(page.getByRole('tab', { name: /^Chamados/ })).toHaveAttribute('aria-selected', 'true')
  const enterAs = async (role: string) => {
    changePanel(panel, `update users set role = '${role}' where username = 'operador'`)
    await logIn(page, 'operador', '/pages/dashboard')
  }
  await enterAs('manutencao')
  await expect(tiles.first()).toHaveText(/^Próximas ferramentas.*MA-\d{4}/)
  await expectAccessible(page)
  await picture(page, 'painel-manutencao')
  await enterAs('qualidade')
  await expect(tiles.first()).toHaveText(/^Séries com sinal em 7 dias/)
  await expectAccessible(page)
  await picture(page, 'painel-qualidade')
})

test('um item em andamento diz quanto está pronto, e um pronto não volta ao painel', async ({ page }) => {
  await openItemOfOrder(page, '000020')
  await page.goto('/pages/dashboard')
  await expect(page.getByRole('link', { name: `Continuar: OP ${ORDER}, item 000020 (25%)` })).toBeVisible()
  await openItemOfOrder(page, '000030')
  await page.goto('/pages/dashboard')
  await expect(metric(page, 'Conectividade')).toContainText('%')
  await expect(page.getByRole('link', { name: /^Continuar/ })).toHaveCount(0)
})

test('a conectividade não é de 100% enquanto algo está vermelho', async ({ page }) => {
  let red = {}
  await page.route('**/api/status', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...((await answer.json()) as object), ...red } })
  })
  await enter(page)
  await expect(metric(page, 'Conectividade')).toHaveText('Conectividade100%')
  for (red of [{ erp: 'offline' }, { erpAccess: 'refused' }, { database: 'offline' }]) {
    await page.reload()
    await expect(metric(page, 'Conectividade'), JSON.stringify(red)).toHaveText('Conectividade99%')
  }
})

const menuGroups = {
  Produção: ['Dashboard', 'Corte e Crimpagem', 'Junções', 'Conferência de Corte', 'Pendências'],
  Ferramentas: [
    'Gestão de Mini Aplicadores',
    'Gestão de Estações de Selos',
    'Planos de Controle',
    'Manutenção Preventiva',
    'Equipamentos',
  ],
  Análise: ['Análise de Gráficos', 'Relatórios', 'Documentos'],
  Sistema: ['Logs', 'Configurações'],
}

test('o menu leva a cada tela, em quatro grupos, todos à vista em 1366×768', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await enter(page)
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  for (const [group, texts] of Object.entries(menuGroups)) {
    const entries = menu.getByRole('list', { name: group }).getByRole('link')
    await expect(entries).toHaveText(texts)
    for (const entry of await entries.all()) await expect(entry).toBeInViewport({ ratio: 1 })
  }
  for (const [text, title] of [
    ['Dashboard', 'Dashboard'],
    ['Gestão de Mini Aplicadores', 'Mini Aplicadores'],
    ['Gestão de Estações de Selos', 'Estações de Selos'],
    ['Planos de Controle', 'Planos de Controle'],
    ['Manutenção Preventiva', 'Controle de Crimpagens'],
    ['Análise de Gráficos', 'Análise de Gráficos'],
  ] as const) {
    await menu.getByRole('link', { name: text }).click()
    await expect(page).toHaveTitle(title)
    await expect(menu.getByRole('link', { name: text })).toHaveAttribute('aria-current', 'page')
  }
})

test('números que já vieram são zero quando falha a atualização', async ({ page, panel, tolerate }) => {
  tolerate(/503/)
  const colleague = await colleagueAt(panel)
  await enter(page)
  await expect(metric(page, 'Manutenções pendentes')).toContainText('Aguardando agendamento')
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route(COUNT, (route) => route.fulfill({ status: 503, json }))
  await colleague('PUT', '/api/crimpagens/MA-0001/limit', { miniaplicator: 'MA-0001', limitOfCrimps: 123_456 })
  await expect(page.getByText('Não foi possível atualizar os indicadores.')).toBeVisible()
  await expect(metric(page, 'Mini aplicadores')).toHaveText('Mini aplicadores0')
  await expect(metric(page, 'Manutenções pendentes')).toHaveText('Manutenções pendentes0')
  await expect(metric(page, 'Manutenções pendentes').getByText('0', { exact: true })).toHaveClass('text-ok-ink')
})

test('enquanto os números não vêm giram, quando falham são zero e isso se diz', async ({ page, tolerate }) => {
  tolerate(/503/)
  let answer = () => {}
  const sent = new Promise<void>((resolve) => {
    answer = resolve
  })
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await page.route(COUNT, async (route) => {
    await sent
    await route.fulfill({ status: 503, json })
  })
  await enter(page)
  for (const name of ['Mini aplicadores', 'Manutenções pendentes']) {
    await expect(metric(page, name)).toContainText('Carregando...')
  }
  await expectAccessible(page)
  answer()
  await expect(metric(page, 'Mini aplicadores')).toHaveText('Mini aplicadores0')
  await expect(metric(page, 'Manutenções pendentes')).toHaveText('Manutenções pendentes0')
  await expect(metric(page, 'Manutenções pendentes').getByText('0', { exact: true }), 'as 0 is').toHaveClass(
    'text-ok-ink',
  )
  await expect(page.getByText('Não foi possível atualizar os indicadores.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'painel-falha')
})

test('sem manutenção pendente o número é verde e diz que está em dia', async ({ page }) => {
  await page.route(COUNT, (route) => route.fulfill({ json: { count: 0, totalCount: 12 } }))
  await enter(page)
  await expect(metric(page, 'Manutenções pendentes')).toHaveText('Manutenções pendentes0Tudo em dia')
  await expect(metric(page, 'Mini aplicadores')).toContainText('12')
  await expectAccessible(page)
  await picture(page, 'painel-em-dia')
})

test('a conectividade é medida: uma consulta sem resposta a baixa', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await page.clock.install()
  await logIn(page)
  // Counted beside the page: time goes on while a slow machine loads it, and with it the polls.
  let polls = { sent: 0, answered: 0 }
  const count = (request: Request, isAnswered: boolean) => {
    if (!request.url().endsWith('/api/status')) return
    polls = { sent: polls.sent + 1, answered: polls.answered + (isAnswered ? 1 : 0) }
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) polls = { sent: 0, answered: 0 }
  })
  page.on('requestfinished', (request) => count(request, true))
  page.on('requestfailed', (request) => count(request, false))
  const expectShare = (isFull: boolean) =>
    expect(async () => {
      const { sent, answered } = polls
      expect(answered === sent, `${answered} of ${sent}`).toBe(isFull)
      await expect(metric(page, 'Conectividade')).toContainText(`${Math.floor((100 * answered) / sent)}%`, {
        timeout: STEP_MS,
      })
    }).toPass()
  await page.goto('/pages/dashboard')
  await expectShare(true)
  await page.route('**/api/status', (route) => route.abort())
  await page.clock.runFor(10_000)
  await expectShare(false)
  const { sent: unanswered } = polls
  await page.unroute('**/api/status')
  await page.clock.runFor(10_000)
  await expect.poll(() => polls.sent).toBeGreaterThan(unanswered)
  await expectShare(false)
})

const GOOD = [880, 1320]
const BAD = [196, 196]

test('o painel responde a uma leitura: item no seu formulário, ordem na sua lista, e diz o que não conhece', async ({
  page,
}) => {
  await watchSounds(page)
  await logIn(page)
  const readAtDashboard = async (code: string) => {
    await page.goto('/pages/dashboard')
    await expect(page.getByRole('heading', { name: 'Painel Industrial', level: 1 })).toBeVisible()
    await heard(page)
    await scan(page, code)
  }
  await readAtDashboard(BARCODE)
  await expect(page.getByRole('heading', { name: `Item ${ITEM}` })).toBeVisible()
  await expect.poll(() => heard(page)).toEqual(GOOD)
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(page.getByText(`Última pesquisa: ${ORDER}`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Itens', exact: true })).toBeVisible()

  await readAtDashboard(ORDER)
  await expect(page.getByRole('region', { name: 'Itens', exact: true })).toContainText(ITEM)
  await expect.poll(() => heard(page)).toEqual(GOOD)

  await readAtDashboard('L261121001')
  await expect(page, 'a lot has a trace').toHaveURL(/aba=rastreabilidade&termo=L261121001/)
  await expect.poll(() => heard(page)).toEqual(GOOD)

  await readAtDashboard('9'.repeat(22))
  await expect(page.getByText('Nenhum item encontrado')).toBeVisible()
  await expect.poll(() => heard(page)).toEqual(BAD)

  await readAtDashboard('PIC-000000000')
  await expect(toast(page)).toContainText('Crachá e PIN só valem numa estação compartilhada.')
  expect(await heard(page)).toEqual(BAD)
  await expect(page).toHaveURL(/dashboard$/)
})

test('um crachá digitado ou lido no campo do painel não fica ali, e um lote comprido cabe inteiro', async ({
  page,
}) => {
  await logIn(page, 'operador', '/pages/dashboard')
  const field = page.getByLabel('Leia uma etiqueta, um lote ou uma ferramenta')
  const refused = 'Crachá e PIN só valem numa estação compartilhada.'
  // by hand: a text that comes at once is a reading
  await field.pressSequentially('PIC-000000000', { delay: 80 })
  await field.press('Enter')
  await expect(toast(page)).toContainText(refused)
  await expect(field).toHaveValue('')
  await toast(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(toast(page)).toBeEmpty()
  await field.pressSequentially('LOTE-', { delay: 80 })
  await scan(page, 'PIC-000000000')
  await expect(toast(page)).toContainText(refused)
  await expect(field).toHaveValue('LOTE-')
  const lot = `L${'7'.repeat(59)}`
  await field.fill('')
  await field.pressSequentially(lot, { delay: 80 })
  await expect(field).toHaveValue(lot)
  await field.press('Enter')
  await expect(page).toHaveURL(new RegExp(`termo=${lot}`))
})
