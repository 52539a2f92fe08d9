import type { Page } from '@playwright/test'
import {
  CALL_MAINTENANCE,
  callButton,
  callDialog,
  callMaintenance,
  callsAtServer,
  expectNothingWaiting,
  fillSide1,
  NO_NETWORK,
} from '../support/journeys/cable.ts'
import {
  changePanel,
  expect,
  expectAccessible,
  logIn,
  openItemOfOrder,
  queryPanel,
  section,
  test,
  toast,
  untilFetched,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, silenceUntilTouched, watchSounds } from '../support/journeys/sounds.ts'
import { STEP_MS } from '../support/slowness.ts'

const BOARD = '/pages/equipamentos/painel'
const CALLS = '/pages/controle-crimpagens?aba=chamados'
/** Hertz of the first tone of a call. */
const RING = 1047

const side1 = (page: Page) => section(page, 'Terminal Lado 1')

/** The number that the panel has just given. */
async function openedNumber(page: Page): Promise<string> {
  await expect(toast(page)).toContainText(/Chamado \d+ aberto\./)
  return /Chamado (\d+) aberto/.exec((await toast(page).textContent()) ?? '')?.[1] ?? ''
}

test('dois toques no formulário: o painel toca, alguém atende e resolve, e o formulário diz cada passo', async ({
  page,
  browser,
  panel,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const wall = await browser.newPage({ baseURL: panel.url })
  await watchSounds(wall)
  await silenceUntilTouched(wall)
  await wall.addInitScript(`localStorage.setItem('preferences', '{"soundingTeams":["manutencao","qualidade"]}')`)
  await logIn(wall, 'admin', BOARD)
  await wall.getByRole('button', { name: 'Toque para ligar o som' }).click()
  await expect(wall.getByRole('button', { name: 'Toque para ligar o som' })).toBeHidden()
  expect(await heard(wall)).toEqual([])

  await callButton(page, 'lado 1').click()
  const dialog = callDialog(page)
  for (const fact of ['MáquinaPR0001', 'Mini aplicadorMA-0001', 'Ordem01621401001', 'Item000010', 'Lado1']) {
    await expect(dialog).toContainText(fact)
  }
  await expectAccessible(page)
  await picture(page, 'chamar-manutencao')
  await dialog.getByRole('button', { name: 'Altura fora' }).click()
  const number = await openedNumber(page)
  await expect(side1(page)).toContainText(`Chamado ${number} · aberto agora`)
  await picture(page, 'item-com-chamado')
  await expect.poll(() => heard(wall)).toContain(RING)
  const strip = wall.getByRole('region', { name: 'Chamados', exact: true })
  await expect(strip).toContainText(`${number} · Manutenção · PR0001 · Altura fora`)
  await expectAccessible(wall)
  await picture(wall, 'equipamentos-painel-chamados')

  await wall.goto(CALLS)
  const attend = wall.getByRole('button', { name: `Atender chamado ${number}` })
  await expect(attend).toBeVisible()
  await picture(wall, 'chamados')
  await attend.click()
  await expect(side1(page)).toContainText(new RegExp(`Chamado ${number} · .+ atende desde \\d\\d:\\d\\d`))
  const parts = Promise.withResolvers<void>()
  await wall.route(/\/api\/crimpagens\/MA-0001$/i, (route) => parts.promise.then(() => route.continue()))
  await wall.getByRole('button', { name: `Resolver chamado ${number}` }).click()
  const solving = wall.getByRole('dialog', { name: `Resolver chamado ${number}` })
  await solving.getByRole('button', { name: 'Liberar para produção' }).click()
  await expect(solving).toContainText('Informe a causa.')
  // before the parts have come
  await solving.getByRole('button', { name: 'Bigorna gasta' }).click()
  parts.resolve()
  const changed = solving.getByRole('group', { name: 'Que peças foram trocadas?' })
  await expect(changed.getByRole('switch', { name: /^Bigorna / })).toBeChecked()
  await changed.getByLabel('Código da peça').fill('3-999')
  await expectAccessible(wall)
  await picture(wall, 'chamado-resolver')
  await solving.getByRole('button', { name: 'Liberar para produção' }).click()
  await expect(toast(wall)).toContainText(`Chamado ${number} resolvido.`)
  await expect(wall.getByRole('row', { name: new RegExp(`^${number}\\b`) })).toContainText(
    /Bigorna gasta · trocada: Bigorna 3-456/,
  )
  await expect(side1(page)).toContainText(new RegExp(`Chamado ${number} · Resolvido \\d\\d:\\d\\d`))

  // on any screen of a device that rings
  await heard(wall)
  await callMaintenance(page, 'lado 1', 'Outro')
  await expect(toast(wall)).toContainText('PR0001 · Outro')
  expect(await heard(wall)).toContain(RING)
})

/** Taps and keys of a page from now on. */
const countWork = (page: Page) =>
  page.evaluate(`window.work = { taps: 0, keys: 0 }
    addEventListener('pointerdown', () => window.work.taps++, true)
    addEventListener('keydown', () => window.work.keys++, true)`)
const workOf = (page: Page) => page.evaluate<{ taps: number; keys: number }>('window.work')

test('do chamado à ferramenta liberada e zerada: 7 toques, 5 teclas, uma janela', async ({ page, browser, panel }) => {
  changePanel(panel, "update applicator_units set crimps = 112000, limit_crimps = 100000 where name_key = 'ma-0001'")
  await openItemOfOrder(page)
  await fillSide1(page)
  const bench = await browser.newPage({ baseURL: panel.url })
  await logIn(bench, 'admin', CALLS)
  await countWork(page)
  await callMaintenance(page, 'lado 1', 'Altura fora')
  const number = await openedNumber(page)
  const called = await workOf(page)
  await expect(bench.getByRole('button', { name: `Atender chamado ${number}` })).toBeVisible()
  await countWork(bench)
  await bench.getByRole('button', { name: `Atender chamado ${number}` }).click()
  await expect(bench.getByRole('button', { name: `Atender chamado ${number}` })).toBeHidden()
  await bench.getByRole('button', { name: `Resolver chamado ${number}` }).click()
  const dialog = bench.getByRole('dialog', { name: `Resolver chamado ${number}` })
  const parts = dialog.getByRole('group', { name: 'Que peças foram trocadas?' })
  await expect(parts.getByRole('progressbar').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Crimpador gasto' }).click()
  await expect(
    parts.getByRole('switch', { name: /^Crimpador / }).and(parts.getByRole('switch', { checked: true })),
  ).toHaveCount(1)
  await expect(dialog.getByLabel('Código da peça')).toBeFocused()
  await bench.keyboard.type('1-999')
  const reset = dialog.getByRole('switch', { name: 'Zerar o contador (112.000 de 100.000)' })
  await expect(reset).not.toBeChecked()
  await expect(dialog).toContainText('Podem liberar: Operador, Manutenção')
  await dialog.getByText('Zerar o contador').click()
  await expectAccessible(bench)
  await picture(bench, 'chamado-liberar-e-zerar')
  await dialog.getByRole('button', { name: 'Liberar e zerar' }).click()
  await expect(toast(bench)).toContainText(`Chamado ${number} resolvido.`)
  const { taps, keys } = await workOf(bench)
  expect({ taps: called.taps + taps, keys: called.keys + keys }).toEqual({ taps: 7, keys: 5 })
  const [tool] = queryPanel(panel, "select crimps, limit_crimps from applicator_units where name_key = 'ma-0001'")
  expect(tool).toEqual({ crimps: 0, limit_crimps: 100_000 })
  await bench.getByRole('tab', { name: /^Histórico/ }).click()
  await expect(bench.getByRole('row', { name: /MA-0001/ }).first()).toContainText('112.000')
})

test('o que foi feito se diz com toques, e o contador fica se ninguém toca nele', async ({ page, browser, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await callMaintenance(page, 'lado 1', 'Altura fora')
  const number = await openedNumber(page)
  const bench = await browser.newPage({ baseURL: panel.url })
  await logIn(bench, 'admin', CALLS)
  await bench.getByRole('button', { name: `Resolver chamado ${number}` }).click()
  const dialog = bench.getByRole('dialog', { name: `Resolver chamado ${number}` })
  await dialog.getByRole('button', { name: 'Desajuste' }).click()
  for (const word of ['Ajustado', 'Trocado', 'Limpo', 'Trocado'])
    await dialog.getByRole('button', { name: word }).click()
  await expect(dialog.getByLabel('O que foi feito')).toHaveValue('Ajustado, Limpo')
  await expect(dialog.getByRole('switch', { name: /^Zerar/ })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Liberar para produção' }).click()
  await expect(toast(bench)).toContainText(`Chamado ${number} resolvido.`)
})

test('outra equipe se chama em três toques: toca quem a escolheu, e a lista e o filtro dizem a equipe', async ({
  page,
  browser,
  panel,
}) => {
  const wall = await browser.newPage({ baseURL: panel.url })
  await watchSounds(wall)
  await wall.addInitScript(`localStorage.setItem('preferences', '{"soundingTeams":["qualidade"]}')`)
  await logIn(wall, 'admin', CALLS)
  await openItemOfOrder(page)
  await fillSide1(page)
  await callMaintenance(page, 'lado 1', 'Outro')
  await expect(toast(page)).toContainText(/Chamado \d+ aberto\./)
  const open = wall.getByRole('list', { name: 'Chamados abertos' })
  await expect(open).toContainText('Manutenção · Outro')
  expect(await heard(wall), 'it is not maintenance that this device rings for').toEqual([])
  const dialog = callDialog(page)
  await callButton(page, 'lado 1').click()
  await dialog.getByText('Qualidade').click()
  await picture(page, 'chamar-qualidade')
  await dialog.getByRole('button', { name: 'Peça duvidosa' }).click()
  await expect(toast(page)).toContainText(/Chamado \d+ aberto: Qualidade\./)
  await expect(toast(wall)).toContainText('PR0001 · Peça duvidosa')
  expect(await heard(wall)).toContain(RING)
  await wall.getByLabel('Equipe').selectOption('Qualidade')
  await expect(open).toContainText(/Qualidade · Peça duvidosa/)
  await expect(open).not.toContainText('Manutenção')
  await picture(wall, 'chamados-qualidade')
})

test('um toque duplo é um chamado; o mesmo outra vez junta-se a ele; quem o abriu o desfaz', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await callButton(page, 'lado 1').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Força baixa' })
    .evaluate((button: { click(): void }) => {
      button.click()
      button.click()
    })
  const undone = await openedNumber(page)
  await side1(page).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page)).toContainText(`Chamado ${undone} desfeito.`)
  await expect(side1(page)).not.toContainText(`Chamado ${undone}`)
  expect(callsAtServer(panel)).toEqual([{ symptom: 'forca-baixa', joined: 0, state: 'cancelado' }])

  await callMaintenance(page, 'lado 1', 'Selo falha')
  await expect(side1(page)).toContainText(/Chamado \d+ · aberto agora/)
  await callMaintenance(page, 'lado 1', 'Selo falha')
  await expect(toast(page)).toContainText(/Já há um chamado: \d+\./)
  expect(callsAtServer(panel)).toMatchObject([{ state: 'cancelado' }, { symptom: 'selo-falha', joined: 1 }])
})

test('sem rede o chamado espera no tablet, diz que se chame pessoalmente, e segue uma vez', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await untilFetched(page, 'PendingScreen')
  await context.setOffline(true)
  await callMaintenance(page, 'lado 1', 'Máquina parada')
  await expect(toast(page)).toContainText('Sem rede: chame também pessoalmente. O chamado segue quando a rede voltar.')
  await expect(side1(page)).toContainText('Chamado neste dispositivo agora: chame também pessoalmente')
  await page.getByRole('link', { name: /^Pendências: 1 neste dispositivo/ }).click()
  const waiting = page.getByRole('list', { name: 'Apontamentos neste dispositivo' })
  await expect(waiting).toContainText('Chamado · Máquina parada')
  await expect(waiting).toContainText('MáquinaPR0001')
  await picture(page, 'pendencias-chamado')
  await context.setOffline(false)
  await expect(waiting).toBeHidden()
  expect(callsAtServer(panel)).toEqual([{ symptom: 'maquina-parada', joined: 0, state: 'aberto' }])
})

/** As many as one person may make at once, about other machines. */
const callOften = (page: Page) =>
  page.evaluate(`(async () => {
    for (let n = 0; n < 20; n++) {
      const headers = {
        authorization: 'Basic ' + localStorage.getItem('basicAuth'),
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      }
      const body = JSON.stringify({ filial: '010101', maquina: 'PR 9' + n, sintoma: 'selo-falha' })
      const answer = await fetch('/api/chamados', { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
    }
  })()`)

test('o chamado que passa do limite de uma pessoa espera no tablet e segue sozinho, uma vez', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/status of 429/)
  await openItemOfOrder(page)
  await fillSide1(page)
  await callOften(page)
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/api/chamados') && answer.status() === 429)
  await callMaintenance(page, 'lado 1', 'Máquina parada')
  await refused
  await expect(side1(page)).toContainText('Chamado neste dispositivo agora')
  await expectNothingWaiting(page)
  const [stopped, ...others] = callsAtServer(panel).filter(({ symptom }) => symptom !== 'selo-falha')
  expect([stopped, others]).toEqual([{ symptom: 'maquina-parada', joined: 0, state: 'aberto' }, []])
})

test('sem rede um chamado se desfaz; o que pode ter chegado ao servidor é cancelado quando a rede volta', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  const here = side1(page).getByText(/^Chamado neste dispositivo/)
  const undo = side1(page).getByRole('button', { name: 'Desfazer' })
  // the server has it, and the answer is lost
  await page.route(CALL_MAINTENANCE, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await callMaintenance(page, 'lado 1', 'Selo falha')
  await expect(here).toBeVisible()
  await context.setOffline(true)
  await page.unrouteAll({ behavior: 'wait' })
  await expect(async () => {
    await undo.click({ timeout: STEP_MS })
    await expect(here).toBeHidden({ timeout: STEP_MS })
  }).toPass()
  await expect(toast(page)).toContainText('Chamado desfeito.')
  await callMaintenance(page, 'lado 1', 'Outro')
  await expect(here).toBeVisible()
  await undo.click()
  await expect(here).toBeHidden()
  expect(callsAtServer(panel)).toEqual([{ symptom: 'selo-falha', joined: 0, state: 'aberto' }])
  await context.setOffline(false)
  await expectNothingWaiting(page)
  expect(callsAtServer(panel)).toEqual([{ symptom: 'selo-falha', joined: 0, state: 'cancelado' }])
})

test('o período dos chamados se digita por teclas, sobre a data que está no campo', async ({ page }) => {
  await logIn(page, 'operador', CALLS)
  for (const [box, day] of [
    ['Início', '05/11/2026'],
    ['Fim', '06/11/2026'],
  ] as const) {
    await page.getByLabel(box, { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(day.replaceAll('/', ''))
    await expect(page.getByLabel(box, { exact: true })).toHaveValue(day)
  }
  await expect(page.getByRole('heading', { name: 'Chamados de 05/11/2026 a 06/11/2026' })).toBeVisible()
})
