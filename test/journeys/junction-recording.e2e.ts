import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import type { Junction } from '../../src/contract/junctions.ts'
import { expectNothingWaiting, NO_NETWORK, SAVED_HERE } from '../support/journeys/cable.ts'
import {
  arrow,
  details,
  fillJunction,
  form,
  heading,
  leaveRefused,
  logInAt,
  READ_JUNCTION,
  RECORD_JUNCTION,
  register,
  SEARCH,
  searchOrder,
} from '../support/journeys/joining.ts'
import {
  expect,
  expectAccessible,
  ORDER,
  pick,
  queryPanel,
  readingLine,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import { SOON, STEP_MS } from '../support/slowness.ts'

test('registrar limpa o formulário e atualiza a junção e a lista; o reenvio do mesmo ato não existe', {
  tag: '@quick',
}, async ({ page, panel }) => {
  await logInAt(page, details('J01'))
  await fillJunction(page, 30)
  await expect(form(page).getByLabel('Altura (mm)')).toHaveAccessibleDescription('dentro')
  await picture(page, 'juncao-preenchida')
  await register(page).dblclick()
  await expect(toast(page)).toContainText('Apontamento de junção registrado com sucesso!')
  await expect(form(page)).toContainText('25%')
  await expect(form(page).getByLabel('Quantidade de peças')).toHaveValue('90')
  await expect(form(page).getByLabel('Quantidade de peças')).toHaveAccessibleDescription('Restam 90 peças')
  await expect(form(page).getByLabel('Estanqueidade')).toHaveValue('Sim')
  await expect(form(page).getByLabel('Lote')).toHaveValue('')
  const rows = queryPanel<{ part: string; pieces: number }>(panel, 'select part, pieces from recordings')
  expect(rows).toEqual([{ part: 'juncao', pieces: 30 }])
  await page.getByRole('button', { name: 'Voltar para Junções' }).click()
  await searchOrder(page)
  await expect(page.getByRole('row').filter({ has: arrow(page, 'J01') })).toContainText('25%')

  await arrow(page, 'J02').click()
  await form(page).getByLabel('Força (N)').fill('120')
  await pick(page, 'Selecionar máquina', 'Selecionar Máquina - Junção', /(US|SP)0001/)
  await form(page).getByLabel('Quantidade de peças').fill('120')
  await register(page).click()
  await expect(form(page)).toContainText('Esta junção já está 100% apontada.')
  await expect(register(page)).toBeDisabled()
})

test('uma recusa se diz com as palavras do servidor, e o que foi digitado fica', async ({ page, tolerate }) => {
  tolerate(/40[0-9]|422/)
  await logInAt(page, details('J01'))
  await fillJunction(page, 30)
  const answers = [
    [{ status: 400, json: { message: 'Lote desconhecido', code: 'input_invalid' } }, 'Lote desconhecido'],
    [{ status: 400, json: { message: '', code: 'input_invalid' } }, 'Dados inválidos para registro'],
    [{ status: 422, json: { message: 'Posição bloqueada', code: 'erp_refused' } }, 'Posição bloqueada'],
    [{ status: 409, json: { message: '', code: 'other' } }, 'Erro ao registrar apontamento'],
  ] as const
  for (const [answer, reason] of answers) {
    await page.route(RECORD_JUNCTION, (route) => route.fulfill(answer))
    await expect(async () => {
      await register(page).click()
      await expect(toast(page)).toContainText(`Erro ao registrar apontamento: ${reason}`, { timeout: STEP_MS })
    }).toPass()
    await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
    await page.unroute(RECORD_JUNCTION)
    for (const close of await toast(page).getByRole('button', { name: 'Fechar' }).all()) await close.click()
  }
})

test('sem rede fica salvo neste dispositivo, aparece em Pendências e chega ao ERP uma vez', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_FAILED/)
  await logInAt(page, details('J01'))
  await fillJunction(page, 12)
  for (const calls of [RECORD_JUNCTION, '**/api/status']) await page.route(calls, (route) => route.abort())
  await register(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await expect(form(page)).toContainText('12 peças aguardando envio')
  await expect(form(page)).toContainText('10%')
  await picture(page, 'juncao-salva-no-dispositivo')
  await page.getByRole('link', { name: /^Pendências: 1 neste dispositivo/ }).click()
  await expect(section(page, 'Neste dispositivo')).toContainText('Junção J01 · 12 peças')
  await picture(page, 'pendencias-juncao')
  for (const calls of [RECORD_JUNCTION, '**/api/status']) await page.unroute(calls)
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(section(page, 'Neste dispositivo')).toContainText('Nenhum apontamento aguardando envio')
  await page.goto(details('J01'))
  await expect(form(page)).toContainText('10%')
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 12 }])
})

/** Counts in each frame how often a finished junction has become an open one. */
const watchReopened = `(() => {
  let wasDone = false
  window.reopened = 0
  const look = () => {
    const isDone = document.body.textContent.includes('já está 100% apontada')
    if (wasDone && !isDone) window.reopened++
    wasDone = isDone
    requestAnimationFrame(look)
  }
  look()
})()`

/** All that is said of the pieces left. */
const watchLeft = `(() => {
  window.left = new Set()
  const look = () => {
    const said = /Resta[m]? \\d+ peças?|100% apontada/.exec(document.body.textContent)
    if (said) window.left.add(said[0])
    requestAnimationFrame(look)
  }
  look()
})()`

for (const network of ['com rede', 'sem rede'] as const) {
  test(`uma junção pronta não se abre de novo enquanto chega ao servidor, apontada ${network}`, async ({
    page,
    panel,
    tolerate,
  }) => {
    tolerate(NO_NETWORK)
    await logInAt(page, details('J01'))
    await fillJunction(page, 120)
    const read = Promise.withResolvers<void>()
    await page.route(READ_JUNCTION, async (route) => {
      await read.promise
      await route.fallback()
    })
    await page.evaluate(watchReopened)
    if (network === 'sem rede') await page.context().setOffline(true)
    await register(page).click()
    await expect(form(page)).toContainText('Esta junção já está 100% apontada.')
    await page.context().setOffline(false)
    await expect.poll(() => queryPanel(panel, 'select pieces from recordings'), SOON).toEqual([{ pieces: 120 }])
    await expect(form(page)).not.toContainText('aguardando envio')
    read.resolve()
    await expect(form(page)).not.toContainText('aguardando')
    await expect(form(page)).toContainText('Esta junção já está 100% apontada.')
    expect(await page.evaluate('window.reopened')).toBe(0)
  })
}

test('o que o servidor já conta de uma junção não é contado outra vez antes da sua resposta', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await logInAt(page, details('J01'))
  await fillJunction(page, 70)
  await page.context().setOffline(true)
  await register(page).click()
  await expect(form(page)).toContainText('Restam 50 peças')
  await page.evaluate(watchLeft)
  const answer = Promise.withResolvers<void>()
  await page.route(RECORD_JUNCTION, async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })
  const counted = page.waitForResponse(async (response) => {
    if (!response.url().includes('/api/juncao/obter-detalhes?') || !response.ok()) return false
    const { juncao } = (await response.json()) as { juncao: Junction }
    return juncao.Z8_PJUNCAO > 0 || juncao.aguardandoErp > 0
  })
  await page.context().setOffline(false)
  await counted
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  answer.resolve()
  await expectNothingWaiting(page)
  await expect(form(page)).toContainText('Restam 50 peças')
  expect(await page.evaluate('[...window.left]')).toEqual(['Restam 50 peças'])
})

test('o que o servidor não aceita da fila volta ao formulário da junção', async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED|400/)
  await logInAt(page, details('J01'))
  await fillJunction(page, 12)
  for (const calls of [RECORD_JUNCTION, '**/api/status']) await page.route(calls, (route) => route.abort())
  await register(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  const refusal = { message: 'Dados inválidos. Verifique os campos.', code: 'input_invalid' }
  // above the one that cuts off: the queue tries again by itself, and must meet nothing else
  await page.route(RECORD_JUNCTION, (route) => route.fulfill({ status: 400, json: refusal }))
  await page.unroute('**/api/status')
  await page.goto('/pages/pendencias')
  await page.getByRole('button', { name: 'Devolver ao formulário: Junção J01 · 12 peças' }).click()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Devolver', exact: true }).click()
  await expect(heading(page, 'Junção J01')).toBeVisible()
  await expect(form(page).getByLabel('Lote')).toHaveValue('L261118004')
  await expect(form(page).getByLabel('Força (N)')).toHaveValue('92,5')
  await expect(form(page).getByLabel('Altura (mm)')).toHaveValue('1,12')
  await expect(form(page).getByLabel('Quantidade de peças')).toHaveValue('12')
  await expect(page.getByRole('link', { name: /^Pendências:/ })).toHaveCount(0)
})

test('o que o ERP recusa depois se corrige em Pendências e conta uma vez', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await logInAt(page, details('J01'))
  await leaveRefused(page)
  const group = section(page, 'Exigem ação')
  await expect(group).toContainText('Junção J01 · 12 peças')
  await group.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await expect(dialog.getByLabel('Lote')).toHaveValue(sampleBlockedLot)
  await expectAccessible(page)
  await dialog.getByLabel('Quantidade de peças').fill('500')
  await dialog.getByLabel('Lote').fill('L261118004')
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog).toContainText('Quantidade deve estar entre 1 e 120. Corrigido para 120')
  await dialog.getByLabel('Quantidade de peças').fill('6')
  await dialog.getByRole('button', { name: 'Reenviar' }).dblclick()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nada pendente')).toBeVisible()
  await page.goto(details('J01'))
  await expect(form(page)).toContainText('5%')
  expect(queryPanel(panel, `select pieces from recordings where state = 'delivered'`)).toEqual([{ pieces: 6 }])
})

test('uma junção se acha e se aponta só com o teclado', async ({ page, panel }) => {
  await logInAt(page, SEARCH)
  await expect(page.getByLabel('Ordem de produção')).toBeFocused()
  await page.keyboard.type(ORDER, { delay: 80 })
  await page.keyboard.press('Enter')
  await expect(arrow(page, 'J01')).toBeVisible()
  await enterAt(page, 'Detalhes da junção J01')
  await tabTo(page, 'Lote', 'textbox')
  await page.keyboard.type('L261118004', { delay: 80 })
  await page.keyboard.press('Tab')
  await page.keyboard.type('92,5', { delay: 80 })
  await page.keyboard.press('Tab')
  await page.keyboard.type('1,12', { delay: 80 })
  await enterAt(page, 'Selecionar máquina')
  await expect(page.getByLabel('Filtrar máquinas:')).toBeFocused()
  await enterAt(page, /^Selecionar (US|SP)0001/)
  await expect(page.getByRole('dialog')).toBeHidden()
  await tabTo(page, 'Estanqueidade', 'combobox')
  await page.keyboard.press('S')
  await expect(form(page).getByLabel('Estanqueidade')).toHaveValue('Sim')
  await tabTo(page, 'Quantidade de peças', 'textbox')
  await page.keyboard.type('12', { delay: 80 })
  await enterAt(page, 'Registrar')
  await expect(toast(page)).toContainText('Apontamento de junção registrado com sucesso!')
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 12 }])
})

test('o que falta numa junção fica marcado, e o primeiro campo recebe o cursor', async ({ page }) => {
  await logInAt(page, details('J01'))
  await register(page).click()
  await expect(toast(page)).toContainText('Erro: Preencha todos os campos obrigatórios (força, máquina, quantidade)')
  await expect(form(page).getByText('Campo obrigatório')).toHaveCount(4)
  await expect(form(page).getByLabel('Lote')).toBeFocused()
  await fillJunction(page, 12)
  await expect(form(page).getByText('Campo obrigatório')).toHaveCount(0)
})
