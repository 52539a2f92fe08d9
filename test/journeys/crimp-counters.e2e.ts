import type { CrimpCounter } from '../../src/contract/crimp-counters.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  ADDRESS,
  CHANGED,
  choice,
  details,
  downloadOf,
  filterBox,
  limitBox,
  open,
  pencil,
  question,
  rowOf,
  tab,
  today,
  withoutLive,
} from '../support/journeys/crimp-control.ts'
import { test, testOnEach } from '../support/journeys/databases.ts'
import { BARCODE, expect, expectAccessible, logIn, scan, section } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt } from '../support/journeys/tab-to.ts'

// Each walks a whole flow, by keyboard and with axe at every stop.
test('um limite se altera na tabela, só com o teclado', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  const unit = () => colleague<CrimpCounter>('GET', '/api/crimpagens/MA-0003')
  await open(page)
  await expect(tab(page, 'Limite de crimpagens (30)')).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, 'Aguardando agendamento (3)')).toBeVisible()
  await page.keyboard.press('/')
  await expect(filterBox(page)).toBeFocused()
  await page.keyboard.type(' ma-0003 ')
  await expect(tab(page, 'Limite de crimpagens (1)')).toBeVisible()
  await expect(tab(page, 'Aguardando agendamento (3)')).toBeVisible()
  await expect(page.getByText('Mostrando 1 de 30 mini aplicadores')).toBeVisible()
  await expect(rowOf(page, 'MA-0003')).toContainText('130.000')
  await expect(rowOf(page, 'MA-0003')).toContainText('100.000, limite atingido')
  await expect(rowOf(page, 'MA-0003')).toContainText('Atingido')
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '130%, 30.000 acima do limite')
  await expectAccessible(page)

  await pencil(page, 'MA-0003').focus()
  await page.keyboard.press('Enter')
  await expect(limitBox(page, 'MA-0003')).toBeFocused()
  await page.keyboard.type('zero')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'MA-0003').getByRole('alert')).toHaveText(
    'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado',
  )
  await expectAccessible(page)
  await picture(page, 'crimpagens-limite-errado')
  await page.keyboard.press('Escape')
  await expect(pencil(page, 'MA-0003')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(limitBox(page, 'MA-0003')).toHaveValue('100000')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(pencil(page, 'MA-0003'), 'nothing typed just cancels').toBeFocused()
  expect(await unit()).toMatchObject({ limitOfCrimps: 100_000 })

  await page.keyboard.press('Enter')
  await expect(limitBox(page, 'MA-0003')).toBeFocused()
  await page.keyboard.type('150.000')
  await page.keyboard.press('Enter')
  await expect(pencil(page, 'MA-0003')).toBeFocused()
  await expect(rowOf(page, 'MA-0003')).toContainText('150.000, perto do limite')
  await expect(rowOf(page, 'MA-0003')).toContainText('86%')
  await expect(page.getByRole('status').getByText('Limite de MA-0003: 150.000')).toBeAttached()
  await expect(tab(page, 'Aguardando agendamento (2)')).toBeVisible()
  expect(await unit()).toMatchObject({ limitOfCrimps: 150_000, numberOfCrimps: 130_000 })

  await page.keyboard.press('Enter')
  await expect(limitBox(page, 'MA-0003')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(limitBox(page, 'MA-0003')).toHaveValue('-1')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'MA-0003')).toContainText('Ilimitado')
  await expect(rowOf(page, 'MA-0003')).toContainText('∞')
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
  expect(await unit()).toMatchObject({ limitOfCrimps: -1 })
})

test('agendar só com o teclado, sem perder o que foi digitado', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await open(page)
  await tab(page, 'Limite de crimpagens').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Aguardando agendamento (3)')).toBeFocused()
  await expect(page).toHaveURL(/\?aba=agendamento$/)
  await expect(page.getByText('atingiram ou ultrapassaram o limite')).toBeVisible()
  await expect(choice(page, 'MA-0003')).toHaveAttribute('aria-pressed', 'true')
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0003')
  await expectAccessible(page)

  await choice(page, 'MA-0004').focus()
  await page.keyboard.press('Enter')
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeFocused()
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0004')
  await page.keyboard.press('Escape')
  await expect(choice(page, 'MA-0004')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeFocused()
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await expect(details(page).getByText('Informe a ordem de serviço, diferente de zero.')).toBeVisible()
  await expect(details(page).getByText('Informe a previsão de manutenção.')).toBeVisible()
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'crimpagens-agendamento')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('4711')
  await page.keyboard.press('Tab')
  // The browser of the test writes the month first.
  await page.keyboard.type('01012099')
  await expect(details(page)).toContainText('quinta-feira, 01/01/2099')
  await details(page).getByLabel('Informações Adicionais').focus()
  await page.keyboard.type('trocar a faca; "bigorna"')
  await page.keyboard.press('Enter')
  await page.keyboard.type('=1+1')

  await page.getByRole('button', { name: 'ATUALIZAR' }).click()
  await tab(page, 'Histórico de alterações').click()
  await tab(page, 'Aguardando agendamento').click()
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('4711')
  await page.reload()
  await choice(page, 'MA-0004').click()
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('4711')
  await expect(details(page).getByLabel('Informações Adicionais')).toHaveValue('trocar a faca; "bigorna"\n=1+1')
  await expect(details(page).getByText(CHANGED)).toHaveCount(0)

  await details(page).getByRole('button', { name: 'SALVAR DETALHES' }).dblclick()
  await expect(details(page).getByText('Agendamento de manutenção realizado com sucesso.')).toBeVisible()
  await expect(details(page).getByText(CHANGED)).toHaveCount(0)
  await expect(rowOf(page, 'MA-0004')).toContainText('Agendado para 01/01/2099')
  await expect(choice(page, 'MA-0003'), 'nothing is selected, so the first is').toHaveAttribute('aria-pressed', 'true')
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('')
  await expectAccessible(page)
  expect(await colleague('GET', '/api/crimpagens/MA-0004')).toMatchObject({
    serviceOrder: 4711,
    maintenanceDate: '2099-01-01',
    comments: 'trocar a faca; "bigorna"\n=1+1',
  })
})

test('a data se digita dia, mês e ano em qualquer navegador, e o que não é dia se diz no campo', async ({ page }) => {
  await open(page, `${ADDRESS}?aba=agendamento`)
  const day = details(page).getByLabel('Previsão de Manutenção')
  await expect(day).toBeEnabled()
  await day.focus()
  await page.keyboard.type('3102')
  await expect(day).toHaveValue('31/02')
  await page.keyboard.type('2099')
  await expect(day).toHaveAccessibleDescription(/Esta data não existe\./)
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1/3/99')
  await page.keyboard.press('Tab')
  await expect(day).toHaveValue('01/03/2099')
  await enterAt(page, details(page).getByRole('button', { name: 'Próxima segunda' }))
  await expect(details(page)).toContainText('segunda-feira, ')
  await picture(page, 'crimpagens-data')
  await day.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('2099-01-02')
  await expect(details(page)).toContainText('sexta-feira, 02/01/2099')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('0101')
  await page.keyboard.press('Tab')
  await expect(day).toHaveAccessibleDescription(/Data incompleta: digite dd\/mm\/aaaa\./)
  await day.focus()
  await scan(page, BARCODE)
  await expect(day).toHaveAccessibleDescription(/Esta data não existe\./)
  await expect(details(page)).not.toContainText('feira, ')
})

test('a lista que aguarda agendamento vai para um arquivo, com o filtro', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await colleague('PUT', '/api/crimpagens/MA-0004/schedule', {
    miniaplicator: 'MA-0004',
    serviceOrder: 4711,
    maintenanceDate: '2099-01-01',
    comments: 'trocar a faca; "bigorna"\n=1+1',
  })
  await open(page, `${ADDRESS}?aba=agendamento`)
  await expect(rowOf(page, 'MA-0004')).toContainText('Agendado para 01/01/2099')
  expect(await downloadOf(page)).toEqual({
    name: `aguardando_agendamento_${today()}.csv`,
    text:
      '\uFEFFMini Aplicador;Qtd. Crimpagem;Limite Crimpagens;Ordem de Serviço;Data de Manutenção;Comentários\r\n' +
      '"=""MA-0003""";130000;100000;;;\r\n' +
      `"=""MA-0004""";112000;100000;4711;01/01/2099;"trocar a faca, ""bigorna"" '=1+1"\r\n` +
      '"=""MA-0005""";100000;100000;;;\r\n',
  })
  await filterBox(page).fill('0005')
  await expect(rowOf(page, 'MA-0004')).toHaveCount(0)
  await expect(tab(page, 'Aguardando agendamento (1)')).toBeVisible()
  expect((await downloadOf(page)).text.trim().split('\r\n')).toHaveLength(2)
  await filterBox(page).fill('nada disso')
  await expect(page.getByText('Nenhum registro encontrado', { exact: true })).toBeVisible()
})

testOnEach('zerar abre um novo ciclo com o limite pedido, e fica no histórico', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await open(page, `${ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0005').click()
  await expect(details(page).getByRole('button', { name: 'SALVAR DETALHES' })).toBeInViewport({ ratio: 1 })
  const opener = details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const box = question(page).getByLabel('Novo limite de crimpagens')
  await expect(box).toHaveValue('100000')
  await expectAccessible(page)
  await picture(page, 'crimpagens-zerar')
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await box.fill('0')
  await expect(question(page)).toContainText('O limite deve ser um número inteiro a partir de 1')
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Ilimitado' }).click()
  await expect(question(page)).toContainText('Novo limite: Ilimitado')
  await box.fill('cem mil')
  await expect(question(page)).toContainText('Novo limite: 100.000')
  await box.fill('0')
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
  expect(await colleague('GET', '/api/crimpagens/MA-0005'), 'nothing was reset').toMatchObject({
    numberOfCrimps: 100_000,
  })
  await box.fill('80000')
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).dblclick()
  await expect(question(page)).toBeHidden()
  await expect(details(page).getByText('Contador de crimpagens resetado com sucesso.')).toBeVisible()
  await expect(page.locator(':focus'), 'the focus is where the news is').toHaveText(/resetado com sucesso/)
  await expect(tab(page, 'Aguardando agendamento (2)')).toBeVisible()
  await expect(details(page).getByText(/alterado por outra pessoa|não aguarda mais/)).toHaveCount(0)
  expect(await colleague('GET', '/api/crimpagens/MA-0005')).toMatchObject({
    numberOfCrimps: 0,
    limitOfCrimps: 80_000,
    lifetimeCrimps: 100_000,
  })

  await tab(page, 'Histórico de alterações').click()
  await filterBox(page).fill('ma-0005')
  await expect(rowOf(page, 'MA-0005').first()).toContainText('Contador zerado · Maria Souza')
  const panelOfChange = section(page, 'Detalhes da alteração')
  await expect(panelOfChange).toContainText('Selecione um registro na tabela para ver os detalhes')
  await expectAccessible(page)
  await choice(page, 'MA-0005').first().focus()
  await page.keyboard.press('Enter')
  for (const text of ['Contador zerado', 'Maria Souza', '100.000']) await expect(panelOfChange).toContainText(text)
  await expectAccessible(page)
  await picture(page, 'crimpagens-historico')

  const { name, text } = await downloadOf(page)
  expect(name).toBe(`historico_alteracoes_${today()}.csv`)
  const [head, first] = text.split('\r\n')
  expect(head).toBe(
    '\uFEFFMini Aplicador;Qtd. Crimpagem;Limite Crimpagens;Data de Alteração;Ordem de Serviço;Data de Manutenção;Comentários',
  )
  expect(first).toMatch(/^"=""MA-0005""";100000;100000;\d{2}\/\d{2}\/\d{4} \d{2}:\d{2};;;$/)
})

test('duas pessoas no mesmo mini aplicador: nenhuma mudança some em silêncio', async ({ page, panel, tolerate }) => {
  tolerate(/status of 409/)
  const colleague = await colleagueAt(panel)
  const unit = (name: string) => colleague<CrimpCounter>('GET', `/api/crimpagens/${name}`)
  const setLimit = (miniaplicator: string, limitOfCrimps: number) =>
    colleague('PUT', `/api/crimpagens/${miniaplicator}/limit`, { miniaplicator, limitOfCrimps })
  await withoutLive(page)
  await open(page)
  await pencil(page, 'MA-0003').click()
  await limitBox(page, 'MA-0003').fill('120000')
  await setLimit('MA-0003', 110_000)
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'MA-0003').getByRole('alert')).toHaveText(CHANGED)
  await expect(limitBox(page, 'MA-0003')).toHaveValue('120000')
  expect(await unit('MA-0003')).toMatchObject({ limitOfCrimps: 110_000 })
  await expectAccessible(page)
  await rowOf(page, 'MA-0003').getByRole('button', { name: 'Recarregar' }).click()
  await expect(rowOf(page, 'MA-0003').getByRole('alert')).toHaveCount(0)
  await expect(rowOf(page, 'MA-0003')).toContainText('Limite atual: 110.000')
  await expect(limitBox(page, 'MA-0003')).toHaveValue('120000')
  await limitBox(page, 'MA-0003').press('Enter')
  await expect(rowOf(page, 'MA-0003')).toContainText('120.000, limite atingido')

  await tab(page, 'Aguardando agendamento').click()
  await choice(page, 'MA-0003').click()
  await details(page).getByLabel('Ordem de Serviço').fill('7001')
  await details(page).getByLabel('Previsão de Manutenção').fill('15/01/2099')
  await colleague('PUT', '/api/crimpagens/MA-0003/schedule', {
    miniaplicator: 'MA-0003',
    serviceOrder: 7002,
    maintenanceDate: '2099-02-01',
    comments: 'trocar a faca',
  })
  const save = details(page).getByRole('button', { name: 'SALVAR DETALHES' })
  await save.click()
  await expect(details(page).getByRole('alert')).toHaveText(new RegExp(CHANGED))
  await expectAccessible(page)
  await details(page).getByRole('button', { name: 'Recarregar' }).click()
  await expect(details(page).getByRole('alert')).toHaveCount(0)
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('7001')
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveAccessibleDescription('Atual: 7002')
  await expect(details(page)).toContainText('quinta-feira, 15/01/2099 · Atual: domingo, 01/02/2099')
  await expect(details(page).getByLabel('Informações Adicionais')).toHaveValue('trocar a faca')
  await expectAccessible(page)
  await save.click()
  await expect(rowOf(page, 'MA-0003')).toContainText('Agendado para 15/01/2099')
  expect(await unit('MA-0003')).toMatchObject({ serviceOrder: 7001, comments: 'trocar a faca' })

  await choice(page, 'MA-0003').click()
  await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  await question(page).getByLabel('Novo limite de crimpagens').fill('90000')
  await setLimit('MA-0003', 116_000)
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
  await expect(question(page).getByRole('alert')).toHaveText(new RegExp(CHANGED))
  expect(await unit('MA-0003')).toMatchObject({ numberOfCrimps: 130_000 })
  await question(page).getByRole('button', { name: 'Recarregar' }).click()
  await expect(question(page).getByRole('alert')).toHaveCount(0)
  await expect(question(page).getByLabel('Novo limite de crimpagens')).toHaveValue('90000')
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).click()
  await expect(details(page).getByText('Contador de crimpagens resetado com sucesso.')).toBeVisible()
  expect(await unit('MA-0003')).toMatchObject({ numberOfCrimps: 0, limitOfCrimps: 90_000, serviceOrder: null })
})

test('o que outra pessoa faz aparece enquanto se digita, e o formulário não troca de mini aplicador', async ({
  page,
  browser,
  panel,
  tolerate,
}) => {
  tolerate(/layout shift: .* (MA-0004|Ordem de Serviço)/) // below what another person takes away, or has changed
  await open(page, `${ADDRESS}?aba=agendamento`)
  await choice(page, 'MA-0003').click()
  await details(page).getByLabel('Ordem de Serviço').fill('7001')

  const other = await (await browser.newContext({ baseURL: panel.url })).newPage()
  await logIn(other, 'admin', `${ADDRESS}?aba=agendamento`)
  await choice(other, 'MA-0003').click()
  await details(other).getByLabel('Ordem de Serviço').fill('7002')
  await details(other).getByLabel('Previsão de Manutenção').fill('01/02/2099')
  await details(other).getByRole('button', { name: 'SALVAR DETALHES' }).click()
  await expect(rowOf(page, 'MA-0003')).toContainText('Agendado para 01/02/2099')
  await expect(details(page).getByRole('alert')).toHaveText(new RegExp(CHANGED))
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('7001')

  await choice(other, 'MA-0003').click()
  await details(other).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  await question(other).getByRole('button', { name: 'Zerar crimpagens' }).click()
  await expect(rowOf(page, 'MA-0003')).toHaveCount(0)
  await expect(details(page)).toContainText('MA-0003 não aguarda mais manutenção')
  await expect(details(page).getByLabel('Ordem de Serviço')).toHaveValue('7001')
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeDisabled()
  await expectAccessible(page)
  await details(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0004')
  await other.context().close()
})

test('o mini aplicador do formulário não troca quando outro vem antes dele', async ({ page, panel, tolerate }) => {
  tolerate(/layout shift: .* MA-0003/) // and below it
  const colleague = await colleagueAt(panel)
  await open(page, `${ADDRESS}?aba=agendamento`)
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0003')
  const { numberOfCrimps } = await colleague<CrimpCounter>('GET', '/api/crimpagens/MA-0001')
  expect(numberOfCrimps).toBeGreaterThan(0)
  await colleague('PUT', '/api/crimpagens/MA-0001/limit', { miniaplicator: 'MA-0001', limitOfCrimps: 1 })
  await expect(choice(page, 'MA-0001')).toBeVisible()
  await expect(details(page).getByLabel('Número do Mini Aplicador')).toHaveValue('MA-0003')
  await expect(choice(page, 'MA-0003')).toHaveAttribute('aria-pressed', 'true')
})

test('enquanto se zera, a pergunta não se fecha sem dizer o que houve', async ({ page }) => {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let resets = 0
  await page.route('**/reset', async (route) => {
    resets++
    await isReleased
    await route.continue()
  })
  await open(page, `${ADDRESS}?aba=agendamento`)
  await details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }).click()
  await question(page).getByRole('button', { name: 'Zerar crimpagens' }).dblclick()
  await expect(question(page).getByRole('button', { name: 'Cancelar' })).toBeDisabled()
  await expect(question(page).getByRole('button', { name: 'Fechar' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  release()
  await expect(question(page)).toBeHidden()
  await expect(details(page).getByText('Contador de crimpagens resetado com sucesso.')).toBeVisible()
  expect(resets, 'of two presses').toBe(1)
})
