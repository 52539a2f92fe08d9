import type { ToolParts } from '../../src/contract/wear-parts.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { ADDRESS, choice, details, open, question, rowOf } from '../support/journeys/crimp-control.ts'
import { expect, expectAccessible, queryPanel, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import type { Panel } from '../support/panel.ts'

const codesOf = async (panel: Panel, unit: string) => {
  const colleague = await colleagueAt(panel)
  return (await colleague<ToolParts>('GET', `/api/ferramentas/${unit}/pecas`)).mounted.map(({ code }) => code)
}

test('uma peça se monta e se troca', async ({ page, panel }) => {
  await open(page, `${ADDRESS}?aba=plano`)
  await expect(rowOf(page, 'MA-0003').first()).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'crimpagens-plano')
  await page.getByRole('button', { name: 'Peças da ferramenta' }).click()
  const choosing = page.getByRole('dialog', { name: 'Peças de um mini aplicador' })
  await choosing.getByLabel('Mini aplicador').fill('ma-0004')
  await choosing.getByRole('button', { name: /^MA-0004/ }).click()

  await page.getByRole('button', { name: 'Montar peça' }).click()
  const mounting = page.getByRole('dialog', { name: 'Montar peça em MA-0004' })
  await mounting.getByRole('button', { name: 'Montar peça' }).click()
  await expect(mounting.getByText('Informe o código da peça.')).toBeVisible()
  await mounting.getByLabel('Peça', { exact: true }).selectOption('Cortador')
  await mounting.getByLabel('Código da peça').fill('9-77')
  await mounting.getByLabel('Crimpagens que já tinha').fill('79.500')
  await picture(page, 'crimpagens-montar-peca')
  await mounting.getByRole('button', { name: 'Montar peça' }).click()
  await expect(rowOf(page, '9-77')).toContainText('79.500 de 100.000')

  await page.getByRole('button', { name: 'Trocar peça Cortador 9-77' }).click()
  const changing = page.getByRole('dialog', { name: 'Trocar Cortador 9-77' })
  await changing.getByLabel('Código da peça').fill('9-78')
  await changing.getByText('Quebrada').click()
  await changing.getByRole('button', { name: 'Trocar peça' }).click()
  await expect(rowOf(page, '9-77')).toContainText('Quebrada')
  await expectAccessible(page)
  await picture(page, 'crimpagens-pecas')
  expect(await codesOf(panel, 'MA-0004')).toContain('9-78')
})

test('no plano cada mini aplicador é uma linha com as suas barras, e no celular as listas vêm de 20 em 20', async ({
  page,
}) => {
  await open(page, `${ADDRESS}?aba=plano`)
  const plan = page.getByRole('table', { name: 'Plano de manutenção' })
  await expect(rowOf(page, 'MA-0003')).toHaveCount(1)
  await expect(rowOf(page, 'MA-0003').getByRole('progressbar', { name: /^Uso: Bigorna .* de MA-0003$/ })).toBeVisible()
  await expect(plan).toContainText(/Vencido, \d+% além/)
  const tabs = page.getByRole('tablist', { name: 'Controle de crimpagens' }).getByRole('tab')
  await expect(tabs.nth(3)).toContainText('Chamados')
  await page.setViewportSize({ width: 1280, height: 800 })
  const [first, last] = [await tabs.first().boundingBox(), await tabs.last().boundingBox()]
  expect(last?.y, 'all of them in one line').toBe(first?.y)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('tab', { name: /^Limite de crimpagens/ }).click()
  const tools = page.getByRole('table').getByRole('row', { name: /MA-\d{4}/ })
  await expect(tools).toHaveCount(20)
  await page.getByRole('button', { name: 'Mostrar mais (20 de 30)' }).click()
  await expect(tools).toHaveCount(30)
  await expect(page.getByRole('button', { name: /^Mostrar mais/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('zerar pergunta que peças foram trocadas', async ({ page, panel }) => {
  await open(page, `${ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0004').click()
  await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  const asking = question(page).getByRole('group', { name: 'Que peças foram trocadas?' })
  await asking.getByText(/^Bigorna /).click()
  await asking.getByLabel('Código da peça').fill('3-999')
  await picture(page, 'crimpagens-zerar-pecas')
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
  await expect(question(page)).toBeHidden()
  expect(await codesOf(panel, 'MA-0004')).toContain('3-999')
})

test('uma tarefa se cria, e o que foi feito se registra', async ({ page, panel, tolerate }) => {
  tolerate(/404/)
  await open(page, `${ADDRESS}?aba=plano`)
  await page.getByRole('button', { name: 'Tarefas' }).click()
  const tasks = page.getByRole('dialog', { name: 'Tarefas de manutenção' })
  await expect(rowOf(page, 'Limpeza completa').first()).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'crimpagens-tarefas')
  await tasks.getByRole('button', { name: 'Nova tarefa' }).click()
  const form = page.getByRole('dialog', { name: 'Nova tarefa' })
  await form.getByLabel('Tarefa').fill('Trocar feltro')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form.getByText('Informe crimpagens, dias, ou os dois.')).toBeVisible()
  await form.getByLabel('Mini aplicador').fill('ma-9999')
  await form.getByLabel('A cada quantos dias').fill('1')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form.getByText('Este mini aplicador não está cadastrado.')).toBeVisible()
  await form.getByLabel('Mini aplicador').fill('ma-0002')
  await picture(page, 'crimpagens-tarefa')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await tasks.getByRole('button', { name: 'Fechar' }).click()

  const line = rowOf(page, 'Trocar feltro')
  await expect(line).toContainText('Nunca registrada')
  await line.getByRole('button', { name: 'Registrar Trocar feltro de MA-0002' }).click()
  const running = page.getByRole('dialog', { name: 'Trocar feltro: MA-0002' })
  await running.getByLabel('Observação').fill('Com o óleo novo')
  await picture(page, 'crimpagens-tarefa-feita')
  await running.getByRole('button', { name: 'Registrar', exact: true }).click()
  await expect(line).toContainText('em 1 dia')
  const runs = queryPanel<{ note: string }>(panel, "select note from task_runs where note <> ''")
  expect(runs).toEqual([{ note: 'Com o óleo novo' }])
})
