import { arrow, details, form, heading, logInAt, SEARCH, searchOrder } from '../support/journeys/joining.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  ORDER,
  pick,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'

const LIST = '**/api/juncao/obter-juncoes?*'
const DETAILS = '**/api/juncao/obter-detalhes?*'

test('a pesquisa lista as junções, e a última volta ao abrir a tela', async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED/)
  await logInAt(page, SEARCH)
  const box = page.getByLabel('Ordem de produção')
  await expect(box).toBeFocused()
  await expect(box).toHaveAttribute('maxlength', '20')
  await expect(
    page.getByText('Digite uma ordem de produção e clique em "Pesquisar" para buscar junções.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pesquisar' })).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'juncoes')
  await box.press('Enter')
  await expect(page.getByText('Digite uma ordem de produção válida')).toBeVisible()

  await box.fill(ORDER)
  await box.press('Enter')
  await expect(page.getByText('CHICOTE PAINEL CABINE')).toBeVisible()
  await expect(page.getByText('Andorinha Implementos Ltda')).toBeVisible()
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(5)
  const row = rows.filter({ has: arrow(page, 'J 02/A') })
  await expect(row).toContainText('25%')
  await expect(row.getByRole('progressbar', { name: '% Junção' })).toHaveAttribute('aria-valuenow', '25')
  await expect(rows.filter({ has: arrow(page, 'J02') })).toContainText('M500US01')
  await expectAccessible(page)
  await picture(page, 'juncoes-ordem')

  await page.goto('/pages/apontamento-corte-crimpagem')
  // What this tab kept is there before the ERP has answered again.
  await page.route(LIST, (route) => route.abort())
  await page.goto(SEARCH)
  await expect(arrow(page, 'J 02/A')).toBeVisible()
  await expect(box).toHaveValue(ORDER)
})

test('o que foi guardado há mais de duas horas não volta', async ({ page }) => {
  await logInAt(page, SEARCH)
  await searchOrder(page)
  await expect(arrow(page, 'J01')).toBeVisible()
  // Two seconds more: the clock of the server is read from answers that tell whole seconds.
  const old = `const kept = JSON.parse(sessionStorage.getItem('junction-search'))
    sessionStorage.setItem('junction-search', JSON.stringify({ ...kept, timestamp: kept.timestamp - 7_202_000 }))`
  // From another screen: the list itself keeps what it rereads, with a new time.
  await page.goto('/pages/apontamento-corte-crimpagem')
  await page.evaluate(old)
  await page.goto(SEARCH)
  await expect(page.getByText(/Digite uma ordem de produção e clique/)).toBeVisible()
})

test('ordem sem junções, outra filial e falhas se dizem', async ({ page, tolerate }) => {
  tolerate(/50[0-9]|ERR_FAILED/)
  await logInAt(page, SEARCH)
  await searchOrder(page, '99999999999')
  await expect(page.getByText('Nenhuma junção encontrada para a ordem de produção informada.')).toBeVisible()
  await picture(page, 'juncoes-vazia')
  await page.getByText('Unidade 2', { exact: true }).click()
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText('Última pesquisa: 99999999999 (Ordem de produção) - Filial: Unidade 2')).toBeVisible()

  const answers = [
    [{ status: 503, json: { message: 'ERP ocupado. Tente novamente em instantes.', code: 'erp_busy' } }, /ERP ocupado/],
    [{ status: 500, body: 'proxy' }, 'Erro ao obter junções do sistema'],
  ] as const
  for (const [answer, text] of answers) {
    await page.route(LIST, (route) => route.fulfill(answer))
    await page.getByRole('button', { name: 'Pesquisar' }).click()
    await expect(page.getByRole('alert')).toContainText('Erro:')
    await expect(page.getByRole('alert')).toContainText(text)
    await page.getByRole('alert').getByRole('button', { name: 'Fechar' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.unroute(LIST)
  }
})

test('um link copiado abre a junção numa aba nova, com barra e espaço na posição', async ({ page }) => {
  await logInAt(page, details('J 02/A'))
  await expect(heading(page, 'Junção J 02/A')).toBeVisible()
  await expect(page.getByText('Andorinha Implementos Ltda')).toBeVisible()
  await expect(form(page)).toContainText('25%')
  await expect(form(page)).toContainText('0,50 mm²')
  await expect(form(page)).toContainText('70 N')
  await expect(heading(page, 'Cabos do Lado Esquerdo [Qtd: 01]')).toBeVisible()
  await expect(heading(page, 'Cabos do Lado Direito [Qtd: 02]')).toBeVisible()
  const drawings = section(page, 'Cabos do Lado Direito [Qtd: 02]').getByRole('img')
  await expect(drawings.first()).toHaveAttribute('aria-label', /0,50 mm²/)
  await expect(drawings.last()).toHaveAttribute('aria-label', /2,50 mm²/)
  await expectAccessible(page)
  await picture(page, 'juncao')

  await page.getByRole('button', { name: 'Voltar para Junções' }).click()
  await expect(page).toHaveURL(/\/pages\/juncoes$/)
  await searchOrder(page)
  await arrow(page, 'J 02/A').click()
  await expect(page).toHaveURL(/\/J%2002%2FA$/)
  await expect(heading(page, 'Junção J 02/A')).toBeVisible()
  await page.getByRole('button', { name: 'Selecionar máquina' }).click()
  await expect(page.getByRole('dialog', { name: 'Selecionar Máquina - Junção' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(heading(page, 'Junção J 02/A')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/pages\/juncoes$/)
})

test('a junção que não se encontra, ou que não se pode ler, diz por quê', async ({ page, tolerate }) => {
  tolerate(/404|401|50[0-9]/)
  await logInAt(page, details('J99'))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Junção não encontrada para os parâmetros informados')
  await expect(page.getByRole('button', { name: 'Voltar para Junções' })).toBeVisible()
  await picture(page, 'juncao-nao-encontrada')
  await page.goto(`/pages/juncoes/detalhes/010101/${ORDER}`)
  await expect(alert).toContainText('Parâmetros inválidos para carregamento dos detalhes')

  const answers = [
    [
      { status: 502, json: { message: 'Erro de autenticação com o servidor', code: 'erp_auth' } },
      'Erro de autenticação com o servidor',
    ],
    [{ status: 401, json: { message: 'x', code: 'other' } }, 'Erro de autenticação com o servidor'],
    [
      { status: 503, json: { message: 'ERP indisponível. Tente novamente em instantes.', code: 'erp_unavailable' } },
      /ERP indisponível/,
    ],
    [{ status: 500, body: 'proxy' }, 'Erro ao buscar detalhes da junção'],
    [
      { status: 200, json: { data: { registros: [], circuitos: [], teste: null }, juncao: null, dadosDe: null } },
      'Erro: dados de navegação não disponíveis',
    ],
  ] as const
  for (const [answer, text] of answers) {
    await page.route(DETAILS, (route) => route.fulfill(answer))
    await page.goto(details('J01'))
    await expect(alert).toContainText(text)
    await page.unroute(DETAILS)
  }
})

const corrections = [
  { typed: '500', becomes: '120', warning: 'Quantidade deve estar entre 1 e 120. Corrigido para 120' },
  { typed: '0', becomes: '1', warning: 'Quantidade deve estar entre 1 e 120. Corrigido para 1' },
]

test('o formulário pede o que falta e corrige a quantidade com aviso', async ({ page }) => {
  await logInAt(page, details('J01'))
  const register = form(page).getByRole('button', { name: 'Registrar' })
  await register.click()
  await expect(toast(page)).toContainText('Erro: Preencha todos os campos obrigatórios (força, máquina, quantidade)')
  const quantity = form(page).getByLabel('Quantidade de peças')
  for (const { typed, becomes, warning } of corrections) {
    await quantity.fill(typed)
    await quantity.press('Tab')
    await expect(quantity).toHaveValue(becomes)
    await expect(toast(page)).toContainText(warning)
  }
  await form(page).getByLabel('Força (N)').fill('92,55')
  await expect(form(page).getByLabel('Força (N)')).toHaveValue('92,5')
  await pick(page, 'Selecionar máquina', 'Selecionar Máquina - Junção', /US0001|SP0001/)
  await register.click()
  await expect(toast(page)).toContainText(
    'Erro: Para TERMINAIS, preencha todos os campos obrigatórios (lote, altura, estanqueidade)',
  )
  await form(page).getByLabel('Lote').fill('L1;2')
  await expect(form(page).getByLabel('Lote')).toHaveValue('L1/2')
  await expect(form(page).getByLabel('Estanqueidade').locator('option')).toHaveText(['Selecione', 'Sim', 'Não'])

  // Nothing typed is lost: neither by a reload nor on the way out and back.
  await page.reload()
  await expect(form(page).getByLabel('Lote')).toHaveValue('L1/2')
  await page.keyboard.press('Escape')
  await page.goto(details('J01'))
  await expect(form(page).getByLabel('Força (N)')).toHaveValue('92,5')
  await expect(form(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^(US|SP)0001 - /)
})

test('o grupo M500 dispensa lote, altura e estanqueidade; a junção completa não se aponta', async ({ page }) => {
  await logInAt(page, details('J02'))
  for (const label of ['Lote', 'Altura (mm)', 'Estanqueidade'])
    await expect(form(page).getByLabel(label)).toBeDisabled()
  await expect(form(page).getByLabel('Estanqueidade').locator('option:checked')).toHaveText('Selecione')
  for (const label of ['Força (N)', 'Quantidade de peças']) await expect(form(page).getByLabel(label)).toBeEnabled()
  await expect(form(page).getByRole('button', { name: 'Registrar' })).toBeEnabled()
  await picture(page, 'juncao-ultrassom')
  await page.goto(details('J03'))
  await expect(form(page)).toContainText('Esta junção já está 100% apontada.')
  await expect(form(page).getByRole('button', { name: 'Registrar' })).toBeDisabled()
  await expect(form(page).getByRole('button', { name: 'Selecionar máquina' })).toBeDisabled()
  await picture(page, 'juncao-completa')
})

test('um lote lido pelo leitor com o foco em Registrar não registra', async ({ page }) => {
  await logInAt(page, details('J02'))
  await form(page).getByRole('button', { name: 'Registrar' }).focus()
  await scan(page, 'L261118004')
  await expect(toast(page)).not.toContainText('Erro')
})

test('um código de barras lido na pesquisa de junções não passa por ordem, nem aperta o que está em foco', async ({
  page,
}) => {
  await watchSounds(page)
  await logInAt(page, SEARCH)
  await searchOrder(page)
  const box = page.getByLabel('Ordem de produção')
  const note = page.getByText('Para Junções, utilize apenas ordem de produção (não código de barras)')
  for (const [focused, code] of [
    [box, BARCODE],
    [arrow(page, 'J 02/A'), '010162140100100002000S'],
  ] as const) {
    await focused.focus()
    await scan(page, code)
    await expect(note).toBeVisible()
    await expect(box).toHaveValue('')
    await expect(box).toBeFocused()
    await expect(arrow(page, 'J 02/A')).toBeVisible()
    expect(await heard(page)).toHaveLength(2)
    await box.fill(ORDER)
    await expect(note).toBeHidden()
  }
})
