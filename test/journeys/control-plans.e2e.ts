import type { Page } from '@playwright/test'
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
  await form.getByLabel('Altura tol. +').fill('')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form).toContainText('Preencha nominal e as duas tolerâncias, ou nenhuma')
  await expectAccessible(page)
  await picture(page, 'planos-editar')
  await form.getByLabel('Altura tol. +').fill('0,06')
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

test('um operador vê planos e instrumentos, e não os muda', async ({ page }) => {
  await open(page, 'operador', '?aba=instrumentos')
  await expect(page.getByText('Seu perfil (Operador) não pode mudar planos de controle e instrumentos.')).toBeVisible()
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
  await expect(page.getByText('6 ocorrências nos últimos 30 dias')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'planos-ocorrencias')
  await page.getByLabel('Ocorrência', { exact: true }).selectOption('Bloqueio sem rede')
  await expect(page.getByText('1 ocorrência nos últimos 30 dias')).toBeVisible()
  await expect(page.getByText('Sem rede: líder avisado, peças separadas')).toBeVisible()
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
