import type { Page } from '@playwright/test'
import { fillSide1 } from '../support/journeys/cable.ts'
import {
  expect,
  expectAccessible,
  logIn,
  openItemOfOrder,
  pick,
  queryPanel,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const corrections = [
  {
    field: 'Quantidade de peças',
    typed: '500',
    becomes: '120',
    warning: 'Quantidade deve estar entre 1 e 120. Corrigido para 120',
  },
  {
    field: 'Quantidade de peças',
    typed: '0',
    becomes: '1',
    warning: 'Quantidade deve estar entre 1 e 120. Corrigido para 1',
  },
  {
    field: /Força de extração/,
    typed: '0',
    becomes: '1',
    warning: 'Força de extração deve ser um número inteiro maior que 0. Corrigido para 1',
  },
  {
    field: /Altura de crimpagem/,
    typed: '0',
    becomes: '0,01',
    warning: 'Altura de crimpagem deve ser maior que 0.00. Corrigido para 0.01',
  },
]

test('quantidade, força e altura são corrigidas com aviso', async ({ page }) => {
  await openItemOfOrder(page)
  const terminal = section(page, 'Terminal Lado 1')
  for (const { field, typed, becomes, warning } of corrections) {
    const box = terminal.getByRole('textbox', { name: field })
    await box.fill(typed)
    await box.press('Tab')
    await expect(box).toHaveValue(becomes)
    await expect(toast(page)).toContainText('Atenção')
    await expect(toast(page)).toContainText(warning)
  }
})

test('força e altura vêm do pedido marcadas como não medidas, até que se confirme', async ({ page }) => {
  await openItemOfOrder(page)
  const terminal = section(page, 'Terminal Lado 1')
  await expect(terminal.getByRole('textbox', { name: /Força de extração/ })).toHaveValue('70')
  await expect(terminal.getByRole('textbox', { name: /Altura de crimpagem/ })).toHaveValue('1,10')
  await expect(terminal.getByText('não medido')).toHaveCount(2)
  await terminal.getByRole('button', { name: /Força de extração.*não medido/ }).click()
  await expect(terminal.getByText('não medido')).toHaveCount(1)
})

for (const size of [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
]) {
  test(`em ${size.width}x${size.height} o primeiro Registrar está à vista, e rolando ficam item, cor e etapa`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await openItemOfOrder(page)
    const head = section(page, 'Item')
    for (const text of ['Item 000010', 'AM/VD', '0,50 mm²', 'C101', 'CHT000412-01', 'Andorinha Implementos Ltda']) {
      await expect(head).toContainText(text)
    }
    expect((await head.boundingBox())?.height).toBeLessThanOrEqual(64)
    await expect(page.getByText('99.000.001/0001-01')).toBeHidden()
    const register = page.getByRole('button', { name: 'Registrar cabo' })
    await expect(register).toBeInViewport({ ratio: 1 })
    const bar = page.getByRole('note', { name: 'Item em apontamento' })
    await expect(bar).toBeHidden()
    await section(page, 'Terminal Lado 2').getByLabel('Lote').click()
    await page.getByRole('button', { name: 'Registrar lado 2' }).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 2000)
    await expect(head).not.toBeInViewport()
    await expect(bar).toHaveText(/^000010.*AM\/VDLado 2$/)
    await expect(bar).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  })
}

test("o que não está no cabeçalho do item aparece em 'mais'", async ({ page }) => {
  await openItemOfOrder(page)
  await page.getByRole('button', { name: 'mais', exact: true }).click()
  for (const text of ['99.000.001/0001-01', 'CHICOTE PAINEL CABINE', '01621401001', 'Unidade 1', 'Amarelo com verde']) {
    await expect(page.getByRole('definition').filter({ hasText: new RegExp(`^${text}$`) })).toBeVisible()
  }
  await expectAccessible(page)
  await picture(page, 'item-mais')
  await page.getByRole('button', { name: 'menos', exact: true }).click()
  await expect(page.getByText('99.000.001/0001-01')).toBeHidden()
})

async function openList(page: Page, opener: string, title: string) {
  await page.getByRole('button', { name: opener }).click()
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await expect(dialog).toBeVisible()
  return dialog
}

test('a lista de máquinas filtra, limpa o filtro e fecha com Escape', async ({ page }) => {
  await openItemOfOrder(page)
  const dialog = await openList(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo')
  const rows = dialog.getByRole('button', { name: /^Selecionar / })
  await expect(rows).toHaveCount(4)
  await expectAccessible(page)
  await picture(page, 'maquinas')
  const filter = dialog.getByLabel('Filtrar máquinas:')
  await filter.fill('artos')
  await expect(rows).toHaveCount(1)
  await filter.fill('nada disso')
  await expect(dialog.getByText('Nenhuma máquina encontrada com os critérios de filtro aplicados.')).toBeVisible()
  await picture(page, 'maquinas-sem-resultado')
  await dialog.getByRole('button', { name: 'Limpar filtro' }).click()
  await expect(rows).toHaveCount(4)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Selecionar máquina do cabo' })).toBeFocused()
  await expect(section(page, 'Cabo')).toBeVisible()
})

test('um terminal sem mini aplicador oferece Sem Cadastro', async ({ page }) => {
  await openItemOfOrder(page)
  const title = 'Selecionar Mini Aplicador - Terminal T0925590'
  const dialog = await openList(page, 'Selecionar mini aplicador do lado 2', title)
  await expect(dialog.getByText('Nenhum mini aplicador cadastrado para o terminal T0925590.')).toBeVisible()
  await picture(page, 'mini-aplicadores-sem-cadastro')
  await dialog.getByRole('button', { name: 'Selecionar T0925590 Sem Cadastro' }).click()
  await expect(section(page, 'Terminal Lado 2').getByLabel('Mini aplicador', { exact: true })).toHaveValue(
    'Sem Cadastro',
  )
})

test('a lista de um terminal mostra só os mini aplicadores dele, e a do selo as suas seladoras', async ({ page }) => {
  await openItemOfOrder(page)
  const title = 'Selecionar Mini Aplicador - Terminal T1326030'
  const applicators = await openList(page, 'Selecionar mini aplicador do lado 1', title)
  const tools = applicators.getByRole('button', { name: /^Selecionar T1326030 MA-/ })
  await expect(tools).toHaveCount(2)
  await expect(tools.first(), 'the least worn').toHaveAccessibleName('Selecionar T1326030 MA-0002')
  await expect(applicators.getByRole('progressbar', { name: 'Uso do limite de MA-0001' })).toBeVisible()
  await picture(page, 'mini-aplicadores')
  await applicators.getByRole('button', { name: 'Fechar' }).click()
  const stations = await openList(page, 'Selecionar seladora do lado 1', 'Selecionar Seladora - Selo S0963244')
  await expect(stations.getByRole('button', { name: /^Selecionar S0963244 Seladora/ })).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'seladoras')
})

test('a seladora se escolhe também num lado com selo e sem terminal', async ({ page }) => {
  await page.route('**/api/apontamentos/itens**', async (route) => {
    const response = await route.fetch()
    const text = (await response.text())
      .replaceAll(/"Z1_TERML2":"[^"]*"/g, '"Z1_TERML2":"0"')
      .replaceAll(/"Z1_SELOL2":"[^"]*"/g, '"Z1_SELOL2":"S0963244"')
    await route.fulfill({ response, body: text })
  })
  await openItemOfOrder(page)
  await expect(section(page, 'Terminal Lado 2')).toContainText('Sem terminal neste lado')
  await pick(page, 'Selecionar seladora do lado 2', 'Selecionar Seladora - Selo S0963244', /Seladora 0?1/)
  await expect(section(page, 'Selo Lado 2').getByLabel('Seladora', { exact: true })).toHaveValue(/Seladora 0?1/)
})

test('sem rede antes de a lista chegar ao tablet, isso se diz, e o próximo toque a abre', async ({
  page,
  tolerate,
}) => {
  tolerate(/ERR_FAILED|Failed to fetch dynamically imported module/)
  await page.route('**/assets/Selectors-*.js', (route) => route.abort())
  await openItemOfOrder(page)
  await page.getByRole('button', { name: 'Selecionar máquina do cabo' }).click()
  await expect(toast(page)).toContainText('Sem conexão com o servidor. Tente novamente.')
  await page.unroute('**/assets/Selectors-*.js')
  const dialog = await openList(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo')
  await expect(dialog.getByRole('button', { name: /^Selecionar KX0001/ })).toBeVisible()
})

test('uma falha da lista de máquinas se diz e se tenta de novo', async ({ page, tolerate }) => {
  tolerate(/503/)
  await page.route('**/api/maquinas*', (route) => route.fulfill({ status: 503, json: { message: '', code: 'x' } }))
  await openItemOfOrder(page)
  const dialog = await openList(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo')
  await expect(dialog.getByRole('alert')).toHaveText(/^Erro ao carregar a lista de máquinas\. Tente novamente\./)
  await page.unroute('**/api/maquinas*')
  await dialog.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(dialog.getByRole('button', { name: /^Selecionar KX0001/ })).toBeVisible()
})

test('sem item o operador volta à lista', async ({ page }) => {
  await logIn(page, 'operador', '/pages/item-edit')
  await expect(page.getByText('Item não encontrado. Retornando à lista...')).toBeVisible()
  await expect(page).toHaveURL(/\/pages\/apontamento-corte-crimpagem$/)
})

test('sem item volta-se à lista também enquanto outra aba muda a fila', async ({ page }) => {
  await page.addInitScript(`const tab = new BroadcastChannel('apontamentos')
    setInterval(() => tab.postMessage('changed'), 500)`)
  await logIn(page, 'operador', '/pages/item-edit')
  await expect(page.getByText('Item não encontrado. Retornando à lista...')).toBeVisible()
  await expect(page).toHaveURL(/\/pages\/apontamento-corte-crimpagem$/)
})

test('o que foi digitado sobrevive a sair e voltar', async ({ page }) => {
  await openItemOfOrder(page)
  await section(page, 'Cabo').getByLabel('Lote').fill('LOTE-QUE-FICA')
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0003/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
  await page.getByRole('button', { name: 'Ver detalhes do item 000010' }).click()
  await expect(section(page, 'Cabo').getByLabel('Lote')).toHaveValue('LOTE-QUE-FICA')
  await expect(section(page, 'Cabo').getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0003/)
})

test('sem o código do cabo no ERP o corte não se aponta, e a tela diz a quem avisar', async ({ page }) => {
  await page.route('**/api/apontamentos/itens**', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll(/"Z1_CODCABO":"[^"]*"/g, '"Z1_CODCABO":""')
    await route.fulfill({ response, body: text })
  })
  await openItemOfOrder(page)
  const cable = section(page, 'Cabo')
  await expect(cable).toContainText('o corte não pode ser apontado. Avise o PCP.')
  await expect(cable.getByLabel('Lote')).toBeDisabled()
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText('Erro: O ERP não tem o código do cabo deste item.')
  await expectAccessible(page)
})

test('uma força abaixo do mínimo se vê no campo e pede o motivo uma vez; a altura longe do nominal lembra a vírgula', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const terminal = section(page, 'Terminal Lado 1')
  await expect(terminal).toContainText('mín. 70 N')
  await expect(terminal).toContainText('nominal 1,10 mm')
  await terminal.getByRole('textbox', { name: /Altura de crimpagem/ }).fill('11,0')
  await expect(terminal).toContainText('Confira a vírgula (nominal 1,10 mm)')
  await terminal.getByRole('textbox', { name: /Altura de crimpagem/ }).fill('1,12')
  const force = terminal.getByRole('textbox', { name: /Força de extração/ })
  await force.fill('60')
  await expect(terminal).toContainText('Abaixo do mínimo de 70 N')
  await expect(force).toHaveAttribute('aria-invalid', 'true')
  const register = page.getByRole('button', { name: 'Registrar lado 1' })
  await register.click()
  const dialog = page.getByRole('alertdialog', { name: 'Registrar com força abaixo do mínimo?' })
  await expectAccessible(page)
  await picture(page, 'forca-abaixo-do-minimo')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  expect(queryPanel(panel, 'select id from recordings')).toEqual([])
  await register.click()
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(dialog).toContainText('Escolha o motivo')
  await dialog.getByLabel('Motivo').selectOption('Liberado pela Qualidade')
  await dialog.getByLabel('Descrição').fill('desvio 12/26')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  const [recorded] = queryPanel<{ capture_json: string }>(panel, 'select capture_json from recordings')
  expect(JSON.parse(recorded?.capture_json ?? '{}')).toMatchObject({
    medidoForca: true,
    motivoForaDoLimite: { motivo: 'liberado', texto: 'desvio 12/26' },
  })
  await page.goto('/pages/relatorios?aba=rastreabilidade&termo=B23-004517%2F2&tipo=lote')
  await expect(page.getByText('fora do mínimo: Liberado pela Qualidade: desvio 12/26').first()).toBeVisible()
})

test('um mini aplicador que passou do limite vem por último, e escolhido diz que se avise a manutenção', async ({
  page,
}) => {
  await openItemOfOrder(page, '000210')
  const title = 'Selecionar Mini Aplicador - Terminal T1326031'
  const dialog = await openList(page, 'Selecionar mini aplicador do lado 2', title)
  await expect(dialog.getByText('Manutenção vencida')).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'mini-aplicadores-vencido')
  const worn = dialog.getByRole('button', { name: /^Selecionar T1326031 MA-/ }).last()
  await expect(worn).toHaveAccessibleName('Selecionar T1326031 MA-0003')
  await worn.click()
  await expect(section(page, 'Terminal Lado 2')).toContainText(
    /MA-0003 passou do limite \([\d.]+ de 100\.000\)\. Avise a manutenção\./,
  )
})

test('um mini aplicador perto do limite diz para quando isso está previsto', async ({ page }) => {
  await openItemOfOrder(page)
  await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T1326030', /MA-0001/)
  await expect(section(page, 'Terminal Lado 1')).toContainText(
    /MA-0001: 97% · acaba em (cerca de )?\d+ (dias?|semanas|meses) \(.*\d\d\/\d\d.*\)\./,
  )
})
