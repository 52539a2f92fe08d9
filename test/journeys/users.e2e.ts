import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import type { User } from '../../src/contract/users.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  changePanel,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  searchFor,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo, typeAt } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'

const SETTINGS = '/pages/configuracoes'
const PASSWORD = 'três porcas na bancada'
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const question = (page: Page) => page.getByRole('alertdialog')

/** Another device. */
const openElsewhere = async (browser: Browser, baseURL: string | undefined) =>
  await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()

/** As if everybody had logged in six minutes earlier. */
function letGraceEnd(panel: Panel): void {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  sqlite.exec('update sessions set created_at = created_at - 360000')
  sqlite.close()
}

/** Given up once, then mistyped, then right. */
async function confirmAtLast(page: Page, expectStored: () => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirme a sua senha' })
  const box = dialog.getByLabel(/^Sua senha/)
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alert')).toContainText('Confirme a sua senha para continuar.')
  await expectStored()
  await enterAt(page, 'Criar')
  await expect(box).toBeFocused()
  await page.keyboard.type('errada')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('A senha atual não confere.')
  await page.keyboard.type('admin')
  await page.keyboard.press('Enter')
}

test('o administrador cria um usuário só com o teclado; ele entra, e desativado sai na hora', async ({
  page,
  browser,
  baseURL,
  panel,
  tolerate,
}) => {
  tolerate(/409 .*\/api\/usuarios|428 .*\/api\/usuarios|422 .*\/api\/auth\/confirm/)
  await logIn(page, 'admin', `${SETTINGS}?aba=usuarios`)
  await expect(row(page, 'Maria Souza')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'configuracoes-usuarios')
  await enterAt(page, 'Novo usuário')
  await expect(page.getByRole('dialog').getByLabel('Usuário')).toBeFocused()
  await page.keyboard.type('joão')
  await expect(page.getByText('Use letras sem acento')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('joao.dias')
  await tabTo(page, 'Nome completo', 'textbox')
  await page.keyboard.type('João Dias')
  await tabTo(page, 'Senha', 'textbox')
  await page.keyboard.type('joao.dias')
  await expect(page.getByText('Fácil de adivinhar')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'configuracoes-novo-usuario')
  await enterAt(page, 'Gerar')
  const password = page.getByRole('dialog').getByRole('textbox', { name: 'Senha' })
  await expect(password).toHaveValue(/^\w{3}-\w{3}-\w{3}-\w{3}$/)
  await password.fill(PASSWORD)
  letGraceEnd(panel)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Confirme a sua senha' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'configuracoes-confirmar-senha')
  await confirmAtLast(page, () => expect(password, 'nothing typed is lost').toHaveValue(PASSWORD))
  await expect(toast(page)).toContainText('Usuário joao.dias criado.')
  await expect(row(page, 'joao.dias')).toContainText('Operador')

  const his = await openElsewhere(browser, baseURL)
  await his.goto(SETTINGS)
  await his.getByLabel('Usuário').fill('Joao.Dias')
  await his.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await his.getByRole('button', { name: 'Entrar' }).click()
  await expect(his.getByRole('tab')).toHaveText(['Este dispositivo', 'Senha e sessões'])

  await enterAt(page, 'Desativar joao.dias')
  await expect(question(page)).toContainText('João Dias sai na hora')
  await expectAccessible(page)
  await enterAt(page, question(page).getByRole('button', { name: 'Desativar' }))
  await expect(row(page, 'joao.dias')).toContainText('Desativado')
  await expect(his.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await his.getByLabel('Usuário').fill('joao.dias')
  await his.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await his.getByRole('button', { name: 'Entrar' }).click()
  await expect(his.getByRole('alert')).toContainText('Usuário ou senha inválidos')
  await his.context().close()

  await enterAt(page, 'Trocar a senha de admin')
  await expect(page.getByRole('dialog').getByLabel(/^Senha atual/), "one's own takes the current one").toBeFocused()
  await page.keyboard.press('Escape')
  await enterAt(page, page.getByRole('button', { name: 'Desativar admin', exact: true }))
  await enterAt(page, question(page).getByRole('button', { name: 'Desativar' }))
  await expect(question(page).getByRole('alert')).toContainText('É o último administrador com acesso.')
})

test('um CSV de usuários é conferido antes, e as linhas com problema são ditas', async ({ page, tolerate }) => {
  tolerate(/400 .*\/api\/importacoes\/usuarios/)
  await logIn(page, 'admin', `${SETTINGS}?aba=usuarios`)
  await page.getByRole('button', { name: 'Importar CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar usuários' })
  const choose = (...lines: string[]) =>
    dialog.getByLabel('Escolher arquivo').setInputFiles({
      name: 'usuarios.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['nome;usuario;papel;senha', ...lines].join('\r\n'), 'latin1'),
    })
  await choose('João Dias;joao.dias;chefe;', 'Rui Alves;operador;operador;')
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^Linha 2: Papel desconhecido: 'chefe'/,
    'Linha 3: Já existe um usuário operador.',
  ])
  await picture(page, 'configuracoes-importar-problemas')
  await choose('João Dias;joao.dias;operador;')
  await expect(row(page, 'João Dias')).toContainText('Sem senha')
  await expectAccessible(page)
  await picture(page, 'configuracoes-importar')
  await dialog.getByRole('button', { name: 'Criar 1 usuário' }).click()
  await expect(toast(page)).toContainText('Criados: 1 usuário.')
  await expect(row(page, 'joao.dias')).toContainText('Ativo')
})

test('uma sessão encerrada acaba no outro dispositivo, que volta à mesma tela depois de entrar', async ({
  page,
  browser,
  baseURL,
  panel,
}) => {
  const hers = await openElsewhere(browser, baseURL)
  await logIn(hers, 'operador', '/pages/juncoes')
  await expect(hers.getByRole('heading', { level: 1 })).toBeVisible()
  await logIn(page, 'admin', `${SETTINGS}?aba=sessoes`)
  await expect(row(page, 'Esta sessão')).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'configuracoes-sessoes')
  await expect(row(page, 'Maria Souza'), 'a device without a name').toContainText('Chrome · Linux127.0.0.1')
  await enterAt(page, /^Encerrar a sessão de Maria Souza/)
  await expect(question(page)).toContainText('Maria Souza sai de')
  await enterAt(page, 'Encerrar')
  await expect(toast(page)).toContainText('Sessão encerrada.')
  await expect(row(page, 'Maria Souza')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Sessões abertas' }), 'its button is gone').toBeFocused()
  await hers.getByLabel('Usuário').fill('operador')
  await hers.getByLabel('Senha', { exact: true }).fill('operador')
  await hers.getByRole('button', { name: 'Entrar' }).click()
  await expect(hers).toHaveURL(/\/pages\/juncoes/)
  await expect(row(page, 'Maria Souza')).toHaveCount(0)
  // the list of an operator holds no colleague
  const operator = await colleagueAt(panel, 'operador')
  const names = (await operator<User[]>('GET', '/api/sessoes')).map(({ username }) => username)
  expect(new Set(names)).toEqual(new Set(['operador']))
  await hers.context().close()
})

test('o nome da filial e o aviso mudam, só com o teclado, na hora nos outros dispositivos', async ({
  page,
  browser,
  baseURL,
  tolerate,
}) => {
  tolerate(/400 .*\/api\/configuracao/)
  const hers = await openElsewhere(browser, baseURL)
  await logIn(hers)
  await searchFor(hers, ORDER)
  await expect(hers.getByText('Filial: Unidade 1')).toBeVisible()
  await logIn(page, 'admin', `${SETTINGS}?aba=fabrica`)
  const box = page.getByLabel('Filial 010101')
  await expect(box).toHaveValue('Unidade 1')
  await expectAccessible(page)
  await picture(page, 'configuracoes-fabrica')
  await typeAt(page, box, 'Unidade 2')
  await page.reload()
  await expect(box, 'a reload takes nothing away').toHaveValue('Unidade 2')
  await tabTo(page, box)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Duas filiais não podem ter o mesmo nome.')
  await typeAt(page, box, 'Matriz')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Configuração salva.')
  await expect(hers.getByText('Filial: Matriz')).toBeVisible()
  await hers.context().close()
  await typeAt(page, page.getByLabel('Avisar a partir de'), '0')
  await expect(page.getByText('Esperado um número de 1 a 100')).toBeVisible()
  await typeAt(page, page.getByLabel('Avisar a partir de'), '65')
  await page.keyboard.press('Enter')
  await page.reload()
  await expect(page.getByLabel('Avisar a partir de')).toHaveValue('65')
  await expect(box).toHaveValue('Matriz')
})

test('a trilha de auditoria diz quem mudou o quê, filtra e exporta; o operador não a vê', async ({ page, panel }) => {
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { limitWarningPercent: 70 })
  await admin('PUT', '/api/crimpagens/MA-0001/limit', { miniaplicator: 'MA-0001', limitOfCrimps: 1234 })
  const operator = await colleagueAt(panel, 'operador')
  await expect(operator('GET', '/api/auditoria')).rejects.toThrow('403')
  await logIn(page, 'admin', '/pages/logs?aba=auditoria')
  const trail = page.getByRole('table', { name: 'Trilha de auditoria' })
  await expect(trail.getByRole('row').nth(1)).toContainText('Limite alterado')
  await expect(trail.getByRole('row').nth(1)).toContainText('→ 1.234')
  await expect(trail).toContainText('Aviso antes do limite (%): 80 → 70')
  await expectAccessible(page)
  await picture(page, 'logs-auditoria')
  await page.getByLabel('Tipo').selectOption('Limites e manutenção')
  await expect(page.getByText('1 linha', { exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('nada disso')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nada com este filtro')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('ma-0001')
  await page.keyboard.press('Enter')
  await expect(trail).toContainText('Mini aplicador MA-0001')
  const started = page.waitForEvent('download')
  await enterAt(page, 'Exportar CSV')
  const file = await started
  expect(file.suggestedFilename()).toMatch(/^auditoria_\d{4}-\d\d-\d\d\.csv$/)
  expect((await readFile(await file.path())).toString()).toMatch(
    /;"admin";"Limite alterado";"Mini aplicador MA-0001";.*1\.234/,
  )
  await page.getByLabel('Filtrar por texto').fill('')
  await page.getByLabel('Tipo').selectOption('Exportações')
  await expect(trail).toContainText(/Arquivo auditoria_/)
  await page.getByLabel('Tipo').selectOption('Acessos')
  await expect(trail.getByRole('row').filter({ hasText: 'Acesso negado' })).toContainText('Chamada: GET /api/auditoria')
})

test('quem só consulta lê nas telas por que não aponta, não cadastra e não zera', async ({ page, panel }) => {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  sqlite.exec("update users set role = 'consulta' where username = 'operador'")
  sqlite.close()
  await logIn(page)
  await searchFor(page, ORDER)
  await openItem(page)
  await expect(page.getByRole('note')).toHaveText(/^Seu perfil \(Consulta\) não pode apontar/)
  await expect(page.getByRole('button', { name: 'Registrar cabo' })).toBeDisabled()
  await picture(page, 'item-consulta')
  await page.goto('/pages/mini-aplicadores')
  await expect(row(page, 'MA-0001').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Adicionar|Editar|Excluir/ })).toHaveCount(0)
  await page.goto('/pages/controle-crimpagens')
  await expect(page.getByRole('note')).toHaveText('Seu perfil (Consulta) não pode zerar contadores e mudar limites.')
  await expect(page.getByRole('button', { name: /^Alterar limite/ })).toHaveCount(0)
})

test('o administrador tira de um perfil o direito de zerar e mudar limites', async ({ page, browser, baseURL }) => {
  await logIn(page, 'admin', `${SETTINGS}?aba=fabrica`)
  const form = section(page, 'Quem pode zerar e mudar limites')
  await form.getByText('Operador', { exact: true }).click()
  await picture(page, 'configuracoes-fabrica-perfis')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Configuração salva.')
  const other = await openElsewhere(browser, baseURL)
  await logIn(other, 'operador', '/pages/controle-crimpagens')
  await expect(other.getByRole('note')).toContainText('Seu perfil (Operador) não pode zerar contadores')
})

test('uma trilha vazia diz a quem é da qualidade que nada foi registrado, e com um filtro que nada passa', async ({
  page,
  panel,
}) => {
  changePanel(panel, "update users set role = 'qualidade' where username = 'operador'")
  await page.route('**/api/auditoria?*', (route) => route.fulfill({ json: [] }))
  await logIn(page, 'operador', '/pages/logs?aba=auditoria')
  await expect(page.getByText('Nada foi registrado até agora.')).toBeVisible()
  await page.getByLabel('Filtrar por texto').fill('MIC-ALT-01')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nada com este filtro')).toBeVisible()
})
