import type { Page } from '@playwright/test'
import type { CutItem } from '../../src/contract/items.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  ORDER,
  queryPanel,
  readErpItem,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import {
  answer,
  box,
  expectQuestion,
  logInAtCheck,
  openCheck,
  progress,
  RECEIPTS,
  row,
} from '../support/journeys/receiving.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import { tabTo } from '../support/journeys/tab-to.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { LONG, STEP_MS } from '../support/slowness.ts'

const OTHER = '010162140100100002000S'
const RECEIVED_ITEM = '000030'
const SEARCH = '**/api/apontamentos/itens?*'

const orderBox = (page: Page) => page.getByLabel('Ordem de produção')
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Erro:' })

test('a pesquisa aceita só ordens, e mostra o que chegou e o que falta', async ({ page }) => {
  await logInAtCheck(page)
  await expect(orderBox(page)).toBeFocused()
  const search = page.getByRole('button', { name: 'Pesquisar' })
  await expect(search).toBeDisabled()
  await expect(page.getByText('Digite uma ordem de produção e clique em "Pesquisar" para buscar itens.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'conferencia')
  const wrong = [
    ['', 'Por favor, digite uma ordem de produção'],
    [BARCODE, 'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)'],
    ['1234567890123456', 'A ordem de produção tem no máximo 15 caracteres'],
  ] as const
  for (const [typed, message] of wrong) {
    await orderBox(page).fill(typed)
    await orderBox(page).press('Enter')
    await expect(alert(page)).toContainText(message)
  }
  await orderBox(page).fill('')
  await scan(page, BARCODE)
  await expect(alert(page)).toContainText('utilize apenas ordem de produção')

  await orderBox(page).fill(ORDER)
  await orderBox(page).press('Enter')
  await expect(alert(page)).toHaveCount(0)
  await expect(page.getByText(`Última pesquisa: ${ORDER} (Ordem de produção) - Filial: Unidade 1`)).toBeVisible()
  await expect(page.getByText('CHICOTE PAINEL CABINE')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(25)
  await expect(row(page, RECEIVED_ITEM)).toContainText(/(?<!Não )Recebido$/)
  await expect(row(page, '000010')).toContainText('Não recebido')
  await expect(progress(page)).toContainText('7 de 24 recebidos')
  await expect(page.getByText(/^Faltam 17: 000010, 000020, .* e mais 5$/)).toBeVisible()
  await expect(box(page)).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'conferencia-ordem')
})

test('sem itens, e quando o ERP não responde', async ({ page, tolerate }) => {
  tolerate(/50[0-9]/)
  await openCheck(page)
  await orderBox(page).fill('99999999999')
  await orderBox(page).press('Enter')
  await expect(page.getByText('Nenhum item encontrado para os critérios de pesquisa informados.')).toBeVisible()
  const answers = [
    [{ status: 503, json: { message: 'ERP ocupado. Tente novamente em instantes.', code: 'erp_busy' } }, 'ERP ocupado'],
    [{ status: 500, body: 'proxy' }, 'Erro ao buscar itens no Protheus'],
  ] as const
  for (const [reply, text] of answers) {
    await page.route(SEARCH, (route) => route.fulfill(reply))
    await orderBox(page).fill(ORDER)
    await orderBox(page).press('Enter')
    await expect(alert(page)).toContainText(text)
    await expect(page.getByRole('row')).toHaveCount(0)
    await alert(page).getByRole('button', { name: 'Fechar' }).click()
    await expect(alert(page)).toHaveCount(0)
    await page.unroute(SEARCH)
  }
})

test('enquanto busca, diz que busca', async ({ page }) => {
  await logInAtCheck(page)
  const gate = Promise.withResolvers<void>()
  await page.route(SEARCH, async (route) => {
    await gate.promise
    await route.continue()
  })
  await orderBox(page).fill(ORDER)
  await orderBox(page).press('Enter')
  await expect(page.getByText('Carregando itens do Protheus...')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pesquisando...' })).toBeVisible()
  gate.resolve()
  await expect(page.getByRole('row')).toHaveCount(25)
})

test('um código errado se diz, um certo se confirma com Sim, e com Não se lê de novo na hora', {
  tag: '@quick',
}, async ({ page }) => {
  await openCheck(page)
  await box(page).fill('123')
  await box(page).press('Enter')
  await expect(alert(page)).toContainText('O código de barras deve ter exatamente 22 caracteres')
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  await box(page).fill('0101621401001000019999')
  await expect(alert(page)).toContainText('Código de barras não encontrado na lista de itens')
  await expect(page.getByText('É da OP 01621401001, item 000019')).toBeVisible()
  await picture(page, 'conferencia-codigo-desconhecido')
  await expect(box(page)).toHaveValue('')
  await scan(page, '010162200100100001003X')
  await expect(page.getByText('É da OP 01622001001, item 000010')).toBeVisible()

  // The 22nd character is enough, whoever types it.
  await box(page).pressSequentially(BARCODE, { delay: 80 })
  await expectQuestion(page, '000010 AM/VD 0,50 C101')
  await expect(alert(page)).toHaveCount(0)
  await expect(page.getByText(/^É da OP/)).toHaveCount(0)
  await expect(page.getByRole('alertdialog').getByText('Corte 0%')).toBeVisible()
  await expect(page.getByRole('alertdialog').getByText('AM/VD'), 'its colour, once').toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Sim' })).not.toBeFocused()
  const boxes = await Promise.all(['Não', 'Sim'].map((name) => page.getByRole('button', { name }).boundingBox()))
  const [no, yes] = boxes.map((of) => of ?? { x: 0, width: 0, height: 0 })
  const sizes = [
    no?.height,
    yes?.height,
    (yes?.width ?? 0) - (no?.width ?? 0),
    (yes?.x ?? 0) - (no?.x ?? 0) - (no?.width ?? 0),
  ]
  expect(sizes.map((px) => Math.round(px ?? 0))).toEqual([64, 64, 0, 24])
  await expectAccessible(page)
  await answer(page, 'Não')
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  await scan(page, BARCODE)
  await expectQuestion(page, '000010 AM/VD 0,50 C101')
  await answer(page, 'Sim')
  await expect(toast(page)).toContainText('Recebimento confirmado')
  await expect(row(page, '000010')).toContainText(/(?<!Não )Recebido$/)
  await expect(progress(page)).toContainText('8 de 24 recebidos')
  await expect(box(page)).toBeFocused()
})

test('confirmar o que já foi recebido diz isso e nada muda, também com Caps Lock trocado', async ({ page }) => {
  await openCheck(page)
  await scan(page, '010162140100100003000c')
  await expectQuestion(page, RECEIVED_ITEM)
  await expect(page.getByRole('alertdialog')).toContainText('Este item já foi recebido.')
  await picture(page, 'conferencia-ja-recebido')
  await answer(page, 'Sim')
  await expect(toast(page)).toContainText('Item já recebido')
  await expect(progress(page)).toContainText('7 de 24 recebidos')
})

test('outro código com o diálogo aberto não responde nada, e se vê', async ({ page }) => {
  await openCheck(page)
  await scan(page, BARCODE)
  await expectQuestion(page, '000010')
  await page.getByRole('button', { name: 'Sim' }).focus()
  // the dialog's own deafness is over
  await page.evaluate('new Promise((go) => setTimeout(go, 500))')
  await scan(page, OTHER)
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText(OTHER)
  await picture(page, 'conferencia-outro-codigo')
  await expectQuestion(page, '000010')
  // Any other label, its Enter included, presses nothing either.
  await scan(page, 'CAIXA-0042')
  await expectQuestion(page, '000010')
  await answer(page, 'Não')
  await scan(page, OTHER)
  await expectQuestion(page, '000020')
})

test('uma recusa se diz, e a caixa fica pronta para o próximo', async ({ page, tolerate }) => {
  tolerate(/422|500/)
  await openCheck(page)
  const answers = [
    [{ status: 422, json: { message: 'Item bloqueado no ERP', code: 'erp_refused' } }, 'Item bloqueado no ERP'],
  ] as const
  for (const [reply, text] of answers) {
    await page.route(RECEIPTS, (route) => route.fulfill(reply))
    await scan(page, BARCODE)
    await expectQuestion(page, '000010')
    await answer(page, 'Sim')
    await expect(alert(page)).toContainText(text)
    await expect(row(page, '000010')).toContainText('Não recebido')
    await expect(box(page)).toBeFocused()
    await expect(box(page)).toHaveValue('')
    await page.unroute(RECEIPTS)
  }
})

test('a última pesquisa volta, e o console a mostra e apaga', async ({ page }) => {
  await openCheck(page)
  expect(await page.evaluate('window.conferenciaCorteCache.show().searchTerm')).toBe(ORDER)
  await page.goto('/pages/apontamento-corte-crimpagem')
  await page.goto('/pages/conferencia-corte')
  await expect(page.getByRole('row')).toHaveCount(25)
  await expect(orderBox(page)).toHaveValue(ORDER)
  // a list that is read again just now is written again
  await expect(async () => {
    await page.evaluate('window.conferenciaCorteCache.clear()')
    expect(await page.evaluate('window.conferenciaCorteCache.show()')).toBeNull()
    await page.reload()
    await expect(page.getByText(/Digite uma ordem de produção e clique/)).toBeVisible({ timeout: STEP_MS })
  }).toPass()
})

test('sem rede o recebimento fica salvo neste dispositivo e chega ao ERP uma vez', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_FAILED/)
  await openCheck(page)
  for (const calls of [RECEIPTS, '**/api/status']) await page.route(calls, (route) => route.abort())
  for (const [code, item] of [
    [BARCODE, '000010'],
    [OTHER, '000020'],
  ] as const) {
    await scan(page, code)
    await expectQuestion(page, item)
    await answer(page, 'Sim')
    await expect(toast(page)).toContainText('Salvo neste dispositivo. Será enviado quando a rede voltar.')
    await expect(row(page, item)).toContainText('Recebidoaguardando envio')
  }
  await expect(progress(page)).toContainText('9 de 24 recebidos')
  await picture(page, 'conferencia-salva-no-dispositivo')
  await page.getByRole('link', { name: /^Pendências: 2 neste dispositivo/ }).click()
  await expect(section(page, 'Neste dispositivo').getByRole('listitem')).toHaveCount(2)
  await expect(section(page, 'Neste dispositivo')).toContainText(BARCODE)
  for (const calls of [RECEIPTS, '**/api/status']) await page.unroute(calls)
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(section(page, 'Neste dispositivo')).toContainText('Nenhum apontamento aguardando envio')
  await expect.poll(async () => (await readErpItem(panel, ORDER, BARCODE)).Z1_CONFERE).toBe('S')
  expect(queryPanel(panel, 'select barcode from recordings order by received_at, rowid')).toEqual([
    { barcode: BARCODE },
    { barcode: OTHER },
  ])
})

const FIRES = sizeOf('doubleYes').count

test(`${FIRES} toques duplos em Sim, em duas abas, são ${FIRES} recebimentos`, { tag: '@promise' }, async ({
  page,
  context,
  panel,
}) => {
  await openCheck(page)
  const { itens } = (await page.evaluate('window.conferenciaCorteCache.show()')) as { itens: CutItem[] }
  const open = itens.filter((item) => item.Z1_CONFERE !== 'S').slice(0, FIRES)
  const other = await context.newPage()
  await other.goto('/pages/conferencia-corte')
  await other.getByLabel('Ordem de produção').fill(ORDER)
  await other.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(box(other)).toBeFocused()
  for (const [index, item] of open.entries()) {
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await scan(tab, item.Z1_CODBAR)
      await expectQuestion(tab, item.Z1_ITEMEST)
    }
    const fires = [page, other].map((tab) =>
      tab.evaluate(`(async () => {
      const yes = [...document.querySelectorAll('[role=alertdialog] button')].find(({ textContent }) => textContent === 'Sim')
      yes.click()
      await new Promise((resolve) => setTimeout(resolve, ${(index * 137) % 501}))
      yes.click()
    })()`),
    )
    await Promise.all(fires)
    for (const tab of [page, other]) await expect(tab.getByRole('alertdialog')).toHaveCount(0)
  }
  await expect(progress(page)).toContainText(`${7 + open.length} de 24 recebidos`)
  await expect.poll(() => queryPanel(panel, 'select barcode from recordings').length).toBe(open.length)
  const undelivered = `select barcode from recordings where state <> 'delivered'`
  await expect.poll(() => queryPanel(panel, undelivered), LONG).toEqual([])
  expect(queryPanel(panel, 'select distinct barcode from recordings')).toHaveLength(open.length)
})

test('um recebimento se confirma só com o teclado', async ({ page }) => {
  await openCheck(page)
  await page.keyboard.type(BARCODE, { delay: 80 })
  await expectQuestion(page, '000010')
  await tabTo(page, 'Sim')
  // Right after it has opened the dialog answers to no key: a person presses again.
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0, { timeout: STEP_MS })
  }).toPass()
  await expect(toast(page)).toContainText('Recebimento confirmado')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type(OTHER, { delay: 80 })
  await expectQuestion(page, '000020')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(row(page, '000020')).toContainText('Não recebido')
})

test('uma leitura boa e uma ruim soam diferente', async ({ page }) => {
  await watchSounds(page)
  await openCheck(page)
  await scan(page, '0101621401001000019999')
  await expect(alert(page)).toContainText('Código de barras não encontrado na lista de itens')
  const bad = await heard(page)
  await scan(page, BARCODE)
  await expectQuestion(page, '000010')
  const good = await heard(page)
  expect(bad.length).toBeGreaterThan(0)
  expect(good.length).toBeGreaterThan(0)
  expect(Math.min(...good)).toBeGreaterThan(2 * Math.max(...bad))
})

test('onde o dispositivo o quer, a mesma etiqueta lida outra vez responde Sim, e sua linha vem à vista', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.addInitScript(`localStorage.setItem('preferences', '{"confirmsBySecondScan":true}')`)
  await openCheck(page)
  const last = page.getByRole('row').last()
  const code = ((await last.getByRole('cell').nth(4).textContent()) ?? '').replace('Código de Barras', '').trim()
  await scan(page, code)
  await expectQuestion(page, code.slice(13, 19))
  await expect(last).toBeInViewport()
  await expect(async () => {
    await scan(page, code)
    await expect(page.getByRole('alertdialog')).toBeHidden({ timeout: STEP_MS })
  }).toPass({ intervals: [2500] })
  await expect(last).toContainText('Recebido')
  await expect(last).not.toContainText('Não recebido')
})
