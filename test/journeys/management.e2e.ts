import type { Locator, Page } from '@playwright/test'
import type { ApplicatorPair } from '../../src/contract/applicators.ts'
import type { CrimpCounter } from '../../src/contract/crimp-counters.ts'
import { type Colleague, colleagueAt } from '../support/journeys/colleague.ts'
import { test, testOnEach } from '../support/journeys/databases.ts'
import { expect, expectAccessible, logIn, toast, withoutStream } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt } from '../support/journeys/tab-to.ts'

// Each walks a whole flow, by keyboard and with axe at every stop.

const APPLICATORS = '/pages/mini-aplicadores'
const LIST = '**/api/miniaplicadores'

const open = async (page: Page, address = APPLICATORS) => {
  await logIn(page, 'operador', address)
}
const rowOf = (page: Page, text: string): Locator => page.getByRole('row', { name: text })
const form = (page: Page, name = /mini aplicador$/): Locator => page.getByRole('dialog', { name })
const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Confirmar Exclusão' })

const fill = async (page: Page, terminal: string, miniaplicator: string) => {
  await form(page).getByLabel('Terminal').fill(terminal)
  await form(page).getByLabel('Miniaplicador').fill(miniaplicator)
}
const pairsOf = (colleague: Colleague) => colleague<ApplicatorPair[]>('GET', '/api/miniaplicadores')

testOnEach('um mini aplicador se cria, altera e exclui só com o teclado; o contador fica', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await open(page)
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  await picture(page, 'gestao-lista')
  await page.keyboard.press('/')
  await expect(page.getByLabel('Filtrar por terminal')).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Adicionar' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form(page).getByLabel('Terminal')).toBeFocused()
  await expect(form(page)).toHaveAccessibleName('Novo mini aplicador')
  await page.keyboard.type('ZZ-90')
  await page.keyboard.press('Tab')
  await page.keyboard.type('MA-9001')
  await page.keyboard.press('Enter')
  await expect(form(page)).toBeHidden()
  await expect(toast(page)).toContainText('Sucesso')
  await expect(toast(page)).toContainText('Mini aplicador criado com sucesso')
  await expect(page.getByRole('button', { name: 'Adicionar' })).toBeFocused()

  await page.keyboard.press('/')
  await page.keyboard.type('zz-9')
  await expect(page.getByText('1 de 31 registros')).toBeVisible()
  await enterAt(page, 'Editar ZZ-90 - MA-9001')
  await expect(form(page)).toHaveAccessibleName('Editar mini aplicador')
  await expect(form(page)).toContainText('não muda o contador de crimpagens')
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.type('MA-9002')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Mini aplicador atualizado com sucesso')
  await expect(page.getByRole('button', { name: 'Editar ZZ-90 - MA-9002' })).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText(
    'Tem certeza que deseja excluir o mini aplicador "ZZ-90 - MA-9002"? Esta ação não pode ser desfeita.',
  )
  await expect(question(page)).toContainText('O contador de crimpagens do mini aplicador continua guardado.')
  await expectAccessible(page)
  await picture(page, 'gestao-excluir')
  await page.keyboard.press('Enter')
  await expect(question(page), 'a stray Enter presses nothing').toBeVisible()
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await expect(toast(page)).toContainText('Mini aplicador excluído com sucesso')
  await expect(page.getByText('Nenhum registro encontrado com os filtros aplicados.')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Limpar filtros' })).toBeFocused()

  expect((await pairsOf(colleague)).filter(({ terminal }) => terminal === 'ZZ-90')).toEqual([])
  const crimped = await colleague<CrimpCounter>('GET', '/api/crimpagens/MA-0001')
  const [pair] = (await pairsOf(colleague)).filter(({ miniaplicator }) => miniaplicator === 'MA-0001')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Filtrar por terminal')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('ma-0001')
  await enterAt(page, `Excluir ${pair?.terminal} - MA-0001`)
  await enterAt(page, question(page).getByRole('button', { name: 'Excluir' }))
  await expect(question(page)).toBeHidden()
  const left = await colleague<CrimpCounter>('GET', '/api/crimpagens/MA-0001')
  expect(left.lifetimeCrimps).toBe(crimped.lifetimeCrimps)
})

test('o formulário diz o que falta, e recusa um par que já existe', async ({ page, panel }) => {
  await open(page)
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  const save = form(page).getByRole('button', { name: 'Salvar' })
  await expect(save).toBeDisabled()
  await expect(form(page).getByText('é obrigatório')).toHaveCount(0)
  await expect(form(page).getByLabel('Terminal')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(form(page).getByText('Terminal é obrigatório (máximo 255 caracteres)')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(form(page).getByText('Miniaplicador é obrigatório (máximo 255 caracteres)')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'gestao-novo-invalido')
  await fill(page, 'x'.repeat(256), '   ')
  await expect(form(page).getByText('é obrigatório (máximo 255 caracteres)')).toHaveCount(2)
  await expect(save).toBeDisabled()

  const [known] = await pairsOf(await colleagueAt(panel))
  if (!known) throw new Error('The demonstration has no mini applicator')
  await fill(page, ` ${known.terminal.toLowerCase()} `, known.miniaplicator.toLowerCase())
  await expect(form(page).getByRole('alert')).toHaveText(/Este par já está cadastrado/)
  await expect(save).toBeDisabled()
  await expectAccessible(page)
  await form(page).getByLabel('Miniaplicador').fill('MA-9003')
  await expect(form(page).getByRole('alert')).toHaveCount(0)
  await expect(save).toBeEnabled()
})

test('um par que outra pessoa acabou de criar se recusa no formulário', async ({ page, panel, tolerate }) => {
  tolerate(/status of 409/)
  const colleague = await colleagueAt(panel)
  await page.route('**/api/eventos', (route) => route.fulfill({ contentType: 'text/event-stream', body: ':\n\n' }))
  await open(page)
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await fill(page, 'ZZ-91', 'MA-9001')
  // On its way already: a list that is read in between would refuse it before.
  await page.route('**/api/miniaplicadores', async (route) => {
    if (route.request().method() === 'POST') {
      await colleague('POST', '/api/miniaplicadores', { terminal: 'ZZ-91', miniaplicator: 'ma-9001' })
    }
    await route.continue()
  })
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(form(page).getByRole('alert')).toHaveText(/Este par já está cadastrado/)
  await expect(form(page).getByLabel('Terminal')).toHaveValue('ZZ-91')
})

test('o que outra pessoa mudou se recarrega ao lado do que foi digitado', async ({ page, panel, tolerate }) => {
  tolerate(/status of 409/)
  const colleague = await colleagueAt(panel)
  const made = await colleague<ApplicatorPair>('POST', '/api/miniaplicadores', {
    terminal: 'ZZ-92',
    miniaplicator: 'MA-9001',
  })
  const address = `/api/miniaplicadores/${made.id}`
  await open(page)
  await page.getByRole('button', { name: 'Editar ZZ-92 - MA-9001' }).click()
  await fill(page, 'ZZ-92', 'MA-9002')
  await colleague('PUT', address, { terminal: 'ZZ-92', miniaplicator: 'MA-9003' })
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(form(page).getByRole('alert')).toContainText('Registro alterado por outra pessoa. Recarregue.')
  await expect(form(page).getByLabel('Miniaplicador')).toHaveValue('MA-9002')
  await expectAccessible(page)
  await picture(page, 'gestao-editar-alterado')
  await form(page).getByRole('button', { name: 'Recarregar' }).click()
  await expect(form(page).getByLabel('Miniaplicador')).toHaveValue('MA-9003')
  await expect(form(page)).toContainText('Você tinha digitado: ZZ-92 - MA-9002')
  await expectAccessible(page)
  await picture(page, 'gestao-recarregado')
  await form(page).getByRole('button', { name: 'Usar o que digitei' }).click()
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Mini aplicador atualizado com sucesso')
  expect(await colleague('GET', address)).toMatchObject({ miniaplicator: 'MA-9002' })

  await page.getByRole('button', { name: 'Excluir ZZ-92 - MA-9002' }).click()
  await colleague('PUT', address, { terminal: 'ZZ-92', miniaplicator: 'MA-9004' })
  await question(page).getByRole('button', { name: 'Excluir' }).click()
  await expect(question(page).getByRole('alert')).toContainText('Registro alterado por outra pessoa. Recarregue.')
  await question(page).getByRole('button', { name: 'Recarregar' }).click()
  await expect(question(page)).toContainText('"ZZ-92 - MA-9004"')
  await question(page).getByRole('button', { name: 'Excluir' }).click()
  await expect(toast(page)).toContainText('Mini aplicador excluído com sucesso')
})

test('uma estação de selo se cria, altera e exclui', async ({ page }) => {
  await open(page, '/pages/estacoes-selo')
  const station = form(page, /estação de selo$/)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Seal',
    'Estação de Selo',
    'Criado em',
    'Modificação',
    'Ações',
  ])
  await picture(page, 'estacoes-lista')
  await enterAt(page, 'Adicionar')
  await expect(station.getByLabel('Seal')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(station.getByText('Seal é obrigatório (máximo 255 caracteres)')).toBeVisible()
  await expect(station.getByText('Estação de Selo é obrigatório (máximo 255 caracteres)')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('ZZ-SELO')
  await page.keyboard.press('Tab')
  await page.keyboard.type('EST-90')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Estação de selo criada com sucesso')
  await page.keyboard.press('/')
  await page.keyboard.type('zz-selo')
  await enterAt(page, 'Editar ZZ-SELO - EST-90')
  await expect(station.getByLabel('Seal')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('EST-91')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Estação de selo atualizada com sucesso')
  await enterAt(page, 'Excluir ZZ-SELO - EST-91')
  await expect(question(page)).toContainText(
    'Tem certeza que deseja excluir a estação de selo "ZZ-SELO - EST-91"? Esta ação não pode ser desfeita.',
  )
  await enterAt(page, question(page).getByRole('button', { name: 'Excluir' }))
  await expect(toast(page)).toContainText('Estação de selo excluída com sucesso')
  await expectAccessible(page)
})

const pair = (
  id: number,
  terminal: string,
  miniaplicator: string,
  at = '2026-03-01T02:30:00.000Z',
): ApplicatorPair => ({
  id,
  terminal,
  miniaplicator,
  createdAt: at,
  updatedAt: at,
  version: 1,
})
const firstCells = (page: Page) =>
  page
    .getByRole('row')
    .getByRole('cell')
    .filter({ hasText: /^Terminal/ })

test('filtros e ordem: como uma pessoa conta, com acento como digitado', async ({ page }) => {
  const json = [
    pair(1, 'T10', 'MA-2'),
    pair(2, 'T9', 'MA-10', '2026-03-02T12:00:00.000Z'),
    pair(3, 'Água', 'MA-1'),
    pair(4, 'T9', 'MA-9'),
  ]
  await page.route(LIST, (route) => route.fulfill({ json }))
  await open(page)
  await expect(page.getByText('4 registros')).toBeVisible()
  const names = () => firstCells(page).allInnerTexts()
  expect(await names()).toEqual(['Água', 'T9', 'T9', 'T10'])
  await expect(page.getByRole('columnheader', { name: 'Terminal' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Terminal', exact: true }).click()
  expect(await names()).toEqual(['T10', 'T9', 'T9', 'Água'])
  await expect(page.getByRole('columnheader', { name: 'Terminal' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Modificação' }).click()
  await page.getByRole('button', { name: 'Modificação' }).click()
  expect((await names())[0]).toBe('T9')
  await expect(rowOf(page, 'MA-10')).toContainText('02/03/2026 09:00')
  await expect(rowOf(page, 'MA-2')).toContainText('28/02/2026 23:30')

  await page.getByLabel('Filtrar por terminal').fill('ÁG')
  await expect(page.getByText('1 de 4 registros')).toBeVisible()
  await page.getByLabel('Filtrar por terminal').fill('ag')
  await expect(page.getByText('Nenhum registro encontrado com os filtros aplicados.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'gestao-sem-resultado')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(page.getByLabel('Filtrar por terminal')).toBeFocused()
  await page.getByLabel('Filtrar por terminal').fill('t9')
  await page.getByLabel('Filtrar por miniaplicador').fill('a-1')
  await expect(page.getByText('1 de 4 registros')).toBeVisible()
})

test('sem registros a lista diz como criar o primeiro', async ({ page }) => {
  for (const path of [LIST, '**/api/sealingstations']) await page.route(path, (route) => route.fulfill({ json: [] }))
  await open(page)
  await expect(
    page.getByText('Nenhum mini aplicador encontrado. Clique em "Adicionar" para criar o primeiro.'),
  ).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'gestao-vazia')
  await page.goto('/pages/estacoes-selo')
  await expect(
    page.getByText('Nenhuma estação de selo encontrada. Clique em "Adicionar" para criar a primeira.'),
  ).toBeVisible()
})

test('uma lista que não veio se diz e se tenta de novo; uma que envelheceu também', async ({ page, tolerate }) => {
  tolerate(/503|ERR_FAILED/)
  const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
  await withoutStream(page)
  await page.route(LIST, (route) => route.fulfill({ status: 503, json }))
  await open(page)
  await expect(toast(page)).toContainText('Erro ao carregar mini aplicadores')
  const content = page.getByRole('main')
  await expect(content.getByRole('alert')).toContainText('Banco de dados indisponível')
  await expectAccessible(page)
  await picture(page, 'gestao-falha')
  await page.unroute(LIST)
  await toast(page).getByRole('button', { name: 'Fechar' }).click()
  await content.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  await expect(content.getByRole('alert')).toHaveCount(0)

  await page.route(LIST, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 503, json }) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await fill(page, 'ZZ-93', 'MA-9001')
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(rowOf(page, 'ZZ-93')).toBeVisible()
  await expect(toast(page)).toContainText('Erro ao carregar mini aplicadores')
  await expect(content.getByText(/Não foi possível atualizar a lista. Dados de \d\d\/\d\d \d\d:\d\d./)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'gestao-nao-atualizada')
})

test('uma falha ao gravar ou excluir se diz, e o que foi digitado fica', async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED|503/)
  await open(page)
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  const refuse = (method: string, how: 'abort' | 'refuse') =>
    page.route('**/api/miniaplicadores/**', (route) => {
      if (route.request().method() !== method) return route.fallback()
      const json = { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' }
      return how === 'abort' ? route.abort() : route.fulfill({ status: 503, json })
    })
  await refuse('PUT', 'abort')
  await page
    .getByRole('button', { name: /^Editar / })
    .first()
    .click()
  await form(page).getByLabel('Miniaplicador').fill('MA-9001')
  await form(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Erro ao atualizar mini aplicador')
  await expect(form(page).getByRole('alert')).toContainText('Sem conexão com o servidor')
  await expect(form(page).getByLabel('Miniaplicador')).toHaveValue('MA-9001')
  await expectAccessible(page)
  await form(page).getByRole('button', { name: 'Cancelar' }).click()

  await refuse('DELETE', 'refuse')
  await page
    .getByRole('button', { name: /^Excluir / })
    .first()
    .click()
  await question(page).getByRole('button', { name: 'Excluir' }).click()
  await expect(toast(page)).toContainText('Banco de dados indisponível')
  await toast(page).getByRole('button', { name: 'Detalhes' }).click()
  await expect(toast(page)).toContainText('Código: store_unavailable')
  await question(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(question(page)).toBeHidden()
  await expect(page.getByRole('button', { name: /^Excluir / }).first()).toBeFocused()
})

test('o que foi digitado volta depois de recarregar e de Escape, e some com Cancelar', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await fill(page, 'ZZ-94', '')
  await page.reload()
  await expect(form(page).getByLabel('Terminal')).toHaveValue('ZZ-94')
  await page.keyboard.press('Escape')
  await expect(form(page)).toBeHidden()
  await page.reload()
  await expect(rowOf(page, 'MA-0001').first()).toBeVisible()
  await expect(form(page)).toBeHidden()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await expect(form(page).getByLabel('Terminal')).toHaveValue('ZZ-94')
  await form(page).getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await expect(form(page).getByLabel('Terminal')).toHaveValue('')
})

test('5.000 registros: só se desenha o que se vê, e o último se alcança', async ({ page }) => {
  const json = Array.from({ length: 5000 }, (_, at) => pair(at + 1, `T${at + 1}`, `MA-${at + 1}`))
  await page.route(LIST, (route) => route.fulfill({ json }))
  await open(page)
  await expect(page.getByText('5.000 registros')).toBeVisible()
  const rows = page.getByRole('row')
  expect(await rows.count()).toBeLessThan(60)
  await page.getByRole('region', { name: 'Mini aplicadores' }).focus()
  await page.keyboard.press('End')
  await expect(rowOf(page, 'MA-5000')).toBeVisible()
  expect(await rows.count()).toBeLessThan(60)
  await page.getByLabel('Filtrar por miniaplicador').fill('ma-4999')
  await expect(page.getByText('1 de 5.000 registros')).toBeVisible()
})
