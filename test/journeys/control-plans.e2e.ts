import type { Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { expect, expectAccessible, logIn, openItemOfOrder, section, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const open = async (page: Page, as: string, search = '') => {
  await logIn(page, as, `/pages/planos-de-controle${search}`)
}

test('a qualidade cria a versão seguinte de um plano e importa uma planilha, que é conferida antes', async ({
  page,
}) => {
  await open(page, 'admin')
  const table = page.getByRole('table', { name: 'Planos de controle' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await picture(page, 'planos-lista')
  await page.keyboard.press('/')
  await page.keyboard.type('t1326030')
  await page.getByLabel('Filtrar por bitola').fill('0,5')
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table).toContainText('1,050 a 1,150')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Editar T1326030, 0,50 mm²', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Plano de T1326030, 0,50 mm²' })
  await expect(
    form.getByRole('img', { name: /^Corte da crimpagem/ }),
    'with the figure where it is measured',
  ).toContainText('1,100')
  const heights = form.getByRole('group', { name: 'Altura de crimpagem (mm)' })
  await heights.getByLabel('Tolerância +').fill('')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form).toContainText('Preencha nominal e as duas tolerâncias, ou nenhuma')
  await expectAccessible(page)
  await picture(page, 'planos-editar')
  await heights.getByLabel('Tolerância +').fill('0,06')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Nova versão do plano salva.')
  await expect(table).toContainText('1,050 a 1,160')
  await expect(table).toContainText('v3')
  await toast(page).getByRole('button', { name: 'Fechar' }).click()

  await page.getByRole('button', { name: 'Importar CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar planos de controle' })
  const choose = (...lines: string[]) =>
    dialog.locator('input[type=file]').setInputFiles({
      name: 'planos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Terminal;Bitola;Força mínima', ...lines].join('\r\n'), 'latin1'),
    })
  await choose('T1326030;0,75;95', 'T1326030;meio;95')
  await expect(dialog.getByRole('status')).toHaveText('2 linhas: 1 nova, 0 alteradas, 0 iguais, 1 com erro')
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Linha 3, Bitola: Esperado um número com até 3 casas, por exemplo 0,50',
  ])
  await expect(dialog.getByRole('button', { name: 'Importar' })).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'planos-importar')
  await choose('T1326030;0,75;95')
  await dialog.getByRole('button', { name: 'Importar' }).click()
  await expect(toast(page)).toContainText('Importados: 1 linha: 1 nova')
  await page.getByLabel('Filtrar por bitola').fill('0,75')
  await expect(table.getByRole('row')).toHaveCount(2)
})

test('onde outra pessoa aprova, a versão nova espera por ela, e a lista e a folha dizem quem fez o quê', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/409|Conflict/)
  const admin = await colleagueAt(panel)
  const users = await admin<{ id: number; username: string }[]>('GET', '/api/usuarios')
  const maria = users.find(({ username }) => username === 'operador')
  await admin('PUT', `/api/usuarios/${maria?.id}`, { role: 'qualidade' })
  await admin('PUT', '/api/configuracao', { planApproval: 'outra-pessoa' })
  await open(page, 'admin')
  const table = page.getByRole('table', { name: 'Planos de controle' })
  const filter = async () => {
    await page.getByLabel('Filtrar por terminal').fill('t1326030')
    await page.getByLabel('Filtrar por bitola').fill('0,5')
  }
  await filter()
  await expect(table).toContainText(/criado por Rita Melo em .*aprovado por Bruno Reis em /)
  await page.getByRole('button', { name: 'Editar T1326030, 0,50 mm²', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Plano de T1326030, 0,50 mm²' })
  await expect(form).toContainText(/criado por Rita Melo em .*aprovado por Bruno Reis em /)
  await expect(form).toContainText('A nova vale depois que outra pessoa a aprovar.')
  await form.getByText('Valor digitado vale').click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Nova versão do plano salva: aguarda aprovação.')
  await expect(table).toContainText('digitado não vale')
  await expect(table).toContainText('Aguarda aprovação')
  await picture(page, 'planos-aguarda')
  const approve = async () => {
    await page.getByRole('button', { name: 'Aprovar T1326030, 0,50 mm²', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Aprovar o plano?' })
    await dialog.getByRole('button', { name: 'Aprovar' }).click()
    return dialog
  }
  await expect(await approve()).toContainText('Quem criou a versão não a aprova: peça a outra pessoa.')
  await expectAccessible(page)
  await picture(page, 'planos-aprovar')
  await open(page, 'operador')
  await filter()
  await approve()
  await expect(toast(page)).toContainText('Plano aprovado.')
  await expect(table).toContainText(/criado por Administrador em .*aprovado por Maria Souza em /)
  await expect(page.getByRole('button', { name: /^Aprovar/ })).toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await expect(page.getByRole('article')).toContainText(/v3.*aprovado por Maria Souza em /)
})

test('um operador vê planos e instrumentos, e não os muda', async ({ page }) => {
  await open(page, 'operador', '?aba=instrumentos')
  await expect(
    page.getByText(
      'Seu perfil (Operador) não pode mudar planos, instrumentos e motivos de refugo, tratar ocorrências, atender chamados e ler a trilha da qualidade.',
    ),
  ).toBeVisible()
  await expect(page.getByRole('row', { name: 'MIC-ALT-02' })).toContainText('vencida')
  await expectAccessible(page)
  await picture(page, 'planos-instrumentos')
  await page.getByRole('tab', { name: 'Planos' }).click()
  await expect(page.getByRole('table', { name: 'Planos de controle' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Editar|Encerrar|Adicionar|Importar/ })).toHaveCount(0)
})

test('um administrador escolhe o que se faz fora do plano, e a qualidade tem a aba das ocorrências', async ({
  page,
}) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=fabrica')
  const choice = section(page, 'Fora do plano de controle')
  await expect(choice.getByRole('radio', { name: 'Observar' })).toBeChecked()
  await choice.getByText('Bloquear', { exact: true }).click()
  await expect(choice).toContainText('espera uma medição boa ou a liberação da qualidade')
  await choice.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Configuração salva.')
  await page.reload()
  await expect(choice.getByRole('radio', { name: 'Bloquear' })).toBeChecked()
  await page.goto('/pages/planos-de-controle?aba=ocorrencias')
  await expect(page.getByText('6 ocorrências', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const days = page.getByRole('img', { name: /^Ocorrências por dia\. .*Fora do plano: / })
  const list = page.getByRole('table', { name: 'Ocorrências' })
  const [chartBox, tableBox] = [await days.boundingBox(), await list.boundingBox()]
  expect(chartBox?.y, 'the days above the table').toBeLessThan(tableBox?.y ?? 0)
  await expect(list).toContainText('registrado')
  await expect(list, 'nothing that reads as an order to observe').not.toContainText('Observar')
  await picture(page, 'planos-ocorrencias')
  await page.getByLabel('Ocorrência', { exact: true }).selectOption('Bloqueio sem rede')
  await expect(page.getByText('1 ocorrência', { exact: true })).toBeVisible()
  await expect(page.getByText('Sem rede: líder avisado, peças separadas')).toBeVisible()
  await list.getByText('Sem rede: líder avisado, peças separadas').click()
  await expect(page, 'a row opens the trace').toHaveURL(/\/pages\/relatorios\?aba=rastreabilidade&termo=/)
})

test('a qualidade vê o que seguiu a cada medição fora e escreve o que fez; de um servidor de antes não há a lista', async ({
  page,
  tolerate,
}) => {
  await logIn(page, 'admin', '/pages/planos-de-controle?aba=ocorrencias')
  await page.getByText('Medições fora (1 sem resposta)').click()
  const table = page.getByRole('table', { name: 'Medições fora' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row').nth(2)).toContainText('Nada ainda')
  await table
    .getByRole('link', { name: /^Carta de controle: / })
    .first()
    .click()
  await expect(page.getByRole('img', { name: /^(Médias|Valores individuais)/ }), 'one tap').toBeVisible()
  await page.goBack()
  await expect(table.getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await picture(page, 'planos-medicoes-fora')
  await page.getByLabel('Situação', { exact: true }).selectOption('Aberta')
  await expect(table.getByRole('row')).toHaveCount(2)
  await table.getByRole('button', { name: /^Tratar medição fora: OP/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Tratar medição fora: OP/ })
  await dialog.getByLabel('O que foi feito').fill('...')
  await expect(dialog.getByRole('button', { name: 'Salvar' })).toBeDisabled()
  await dialog.getByLabel('O que foi feito').fill('Peças separadas')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Nenhuma medição fora encontrada com os filtros aplicados.')).toBeVisible()
  await page.getByLabel('Situação', { exact: true }).selectOption('Todas')
  await expect(table.getByRole('row').nth(2)).toContainText('Tratada por Administrador')
  await expect(page.getByText('Medições fora', { exact: true }).first()).toBeVisible()

  tolerate(/status of 40[04] .*planos-de-controle/)
  await page.route('**/api/planos-de-controle/medicoes-fora*', (route) =>
    route.fulfill({ status: 404, json: { code: 'http_404', message: 'Não encontrado.' } }),
  )
  await page.route('**/api/planos-de-controle/ocorrencias?*', (route) =>
    route.fulfill({ status: 400, json: { code: 'input_invalid', message: 'Dados inválidos.' } }),
  )
  await page.reload()
  await expect(page.getByRole('table', { name: 'Ocorrências' }).getByRole('row')).toHaveCount(7)
  await expect(page.getByText('Medições fora')).toHaveCount(0)
})

test('uma lista já lida que passa a responder 404 não derruba a tela', async ({ page, tolerate }) => {
  await open(page, 'admin', '?aba=ocorrencias&lista=medicoes-fora')
  const table = page.getByRole('table', { name: 'Medições fora' })
  await table
    .getByRole('button', { name: /^Tratar medição fora: OP/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /^Tratar medição fora: OP/ })
  await dialog.getByLabel('O que foi feito').fill('Peças separadas')
  tolerate(/status of 404 .*planos-de-controle/)
  await page.route('**/api/planos-de-controle/medicoes-fora*', (route) =>
    route.fulfill({ status: 404, json: { code: 'http_404', message: 'Não encontrado.' } }),
  )
  // the change makes the list old: it is read again while its last answer is still at hand
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('table', { name: 'Ocorrências' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByText('Medições fora')).toHaveCount(0)
})

test('no formulário do item o plano está sob força e altura, e o que se digita é julgado ao sair do campo', async ({
  page,
}) => {
  await openItemOfOrder(page)
  const terminal = section(page, 'Terminal Lado 1')
  await expect(terminal).toContainText('Plano v2: 1,050 a 1,150 mm · força mín. 70 N · 3 leituras')
  const height = terminal.getByRole('textbox', { name: /Altura de crimpagem/ })
  await expect(height).not.toHaveAccessibleDescription(/dentro|fora/)
  await height.fill('1,17')
  await expect(height, 'not while it is typed').not.toHaveAccessibleDescription(/fora/)
  await height.press('Tab')
  await expect(height).toHaveAccessibleDescription(/fora: 0,020 mm acima/)
  await expectAccessible(page)
  await picture(page, 'item-plano-fora')
  await height.fill('1,15')
  await height.press('Tab')
  await expect(height).toHaveAccessibleDescription(/dentro/)
})

test('planos em vigor que só parecem iguais são listados, e a qualidade encerra um deles', async ({ page, panel }) => {
  await open(page, 'admin')
  await page.getByRole('button', { name: 'Importar CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar planos de controle' })
  const lines = ['Terminal;Bitola;Força mínima', 'TPU9;0,75;95', 'TPU8;0,75;90']
  await dialog.locator('input[type=file]').setInputFiles({
    ...{ name: 'planos.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) },
  })
  await dialog.getByRole('button', { name: 'Importar' }).click()
  await expect(toast(page)).toContainText('Importados')
  const list = page.getByRole('list', { name: 'Planos que parecem iguais' })
  await expect(list).toHaveCount(0)
  // as a version before has left it
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  sqlite.exec("update control_plans set terminal = 'TPU\u200B9', terminal_key = 'tpu\u200B9' where terminal = 'TPU8'")
  sqlite.close()
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await picture(page, 'planos-parecidos')
  await list.getByRole('button', { name: 'Encerrar TPU[U+200B]9' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar' }).click()
  await expect(toast(page)).toContainText('Plano encerrado.')
  await expect(list).toHaveCount(0)
})
