import { NO_NETWORK } from '../support/journeys/cable.ts'
import { holdFrames } from '../support/journeys/frames.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  scan,
  searchFor,
  test,
  untilFetched,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'

test('o operador pesquisa uma ordem e vê seus itens', async ({ page }) => {
  await logIn(page)
  await expect(
    page.getByText('Digite um código de barras ou ordem de produção e clique em "Pesquisar" para buscar itens.'),
  ).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'busca')
  await searchFor(page, ORDER)
  await expect(page.getByText(`Última pesquisa: ${ORDER} (Ordem de produção) - Filial: Unidade 1`)).toBeVisible()
  await expect(page.getByText('Andorinha Implementos Ltda')).toBeVisible()
  await expect(page.getByText('CHICOTE PAINEL CABINE')).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(24)
  await expect(page.getByRole('progressbar', { name: '% Corte' }).nth(1)).toHaveAttribute('aria-valuenow', '50')
  await expectAccessible(page)
  await picture(page, 'busca-ordem')
})

test('num dispositivo lento, o que já foi digitado fica quando a tela põe o cursor na caixa', async ({ page }) => {
  await page.addInitScript(`{
    const set = setTimeout
    globalThis.setTimeout = (run, ms, ...given) => set(run, ms > 0 ? ms : 1500, ...given)
  }`)
  await logIn(page)
  await page.reload()
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.pressSequentially(ORDER.slice(0, 2))
  // due after the screen's own
  await page.evaluate('new Promise((go) => setTimeout(go))')
  await page.keyboard.type(ORDER.slice(2))
  await expect(box).toHaveValue(ORDER)
})

test('a outra filial tem as suas ordens', async ({ page }) => {
  await logIn(page)
  await searchFor(page, '00A3F701002')
  await expect(page.getByText('Nenhum item encontrado para os critérios de pesquisa informados.')).toBeVisible()
  await picture(page, 'busca-vazia')
  await page.getByText('Unidade 2', { exact: true }).click()
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText('Última pesquisa: 00A3F701002 (Ordem de produção) - Filial: Unidade 2')).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(15)
})

test('uma leitura do leitor abre o item sozinha, com o cursor na caixa ou fora dela; a volta leva à sua ordem', async ({
  page,
}) => {
  await logIn(page)
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await expect(box).toBeFocused()
  await scan(page, BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(page.getByText(`Última pesquisa: ${ORDER} (Ordem de produção)`)).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ }).nth(1)).toBeVisible()

  const other = '010162140100100002000S'
  await page.getByRole('button', { name: 'Pesquisar' }).focus()
  await scan(page, other)
  await expect(page.getByRole('heading', { name: 'Item 000020' })).toBeVisible()
})

test('quem sai da pesquisa antes de o item achado se abrir fica na tela para onde foi', async ({ page }) => {
  await logIn(page)
  const drawFrames = await holdFrames(page)
  await scan(page, BARCODE)
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  await page.getByRole('link', { name: 'Pendências', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Pendências' })).toBeVisible()
  await drawFrames()
  await expect(page).toHaveURL(/pendencias$/)
  await expect(page.getByRole('heading', { name: 'Pendências' })).toBeVisible()
})

test('quem sai da pesquisa para uma tela que ainda carrega não é levado ao item achado', async ({ page }) => {
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>()
  const { promise: found, resolve: find } = Promise.withResolvers<void>()
  await page.route('**/assets/CutCheckScreen-*.js', async (route) => {
    await loaded
    await route.continue()
  })
  await page.route('**/api/apontamentos/itens?*', async (route) => {
    await found
    await route.continue()
  })
  await logIn(page)
  await scan(page, BARCODE)
  await page.getByRole('link', { name: 'Conferência de Corte' }).click()
  await expect(page).not.toHaveURL(/apontamento-corte-crimpagem$/)
  find()
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
  load()
  await expect(page.getByRole('heading', { name: 'Conferência de Corte' })).toBeVisible()
})

test('a linha inteira de uma lista abre o item, e uma volta só leva de novo a ela', async ({ page }) => {
  await logIn(page)
  await searchFor(page, BARCODE)
  await picture(page, 'busca-codigo-de-barras')
  await searchFor(page, ORDER)
  await page.getByRole('row').filter({ hasText: BARCODE }).getByText('C101').click()
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Ver detalhes do item 000010' }).click()
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText(`Última pesquisa: ${ORDER} (Ordem de produção)`)).toBeVisible()
})

test('uma leitura que acha soa de um jeito, uma que não acha de outro', async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED/)
  await watchSounds(page)
  await logIn(page)
  await scan(page, BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  const good = await heard(page)
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await scan(page, '0101621401001000019999')
  await expect(page.getByText('Nenhum item encontrado para os critérios de pesquisa informados.')).toBeVisible()
  await expect.poll(() => page.evaluate('window.heard.length')).toBe(2)
  const bad = await heard(page)
  expect(good).toHaveLength(2)
  expect(Math.min(...good)).toBeGreaterThan(2 * Math.max(...bad))
  await page.route('**/api/apontamentos/**', (route) => route.abort())
  await scan(page, '0101622201001000010015')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect.poll(() => page.evaluate('window.heard')).toEqual(bad)
  await picture(page, 'busca-falha')
})

test('o Enter de uma etiqueta que não é código de barras não aperta botão nenhum', async ({ page }) => {
  await logIn(page)
  await searchFor(page, ORDER)
  const open = page.getByRole('button', { name: 'Ver detalhes do item 000010' })
  await open.focus()
  await scan(page, ORDER)
  await page.getByRole('link', { name: 'Pendências' }).focus()
  await scan(page, 'L261118004')
  await page.getByRole('button', { name: 'Recolher menu' }).focus()
  await scan(page, BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Recolher menu' })).toBeVisible()
})

test('sem rede neste tablet há um aviso só, e a lista diz de quando é', async ({ page, context, tolerate }) => {
  tolerate(NO_NETWORK)
  await logIn(page)
  await searchFor(page, ORDER)
  await untilFetched(page, 'StateDialog')
  await context.setOffline(true)
  const chip = page.getByText('Sem rede neste tablet — pode continuar apontando')
  await expect(chip).toBeVisible()
  const header = page.getByRole('banner')
  await expect(header.getByRole('img', { name: 'ERP: Offline' })).toBeVisible()
  await expect(header.getByText('fora do ar')).toHaveCount(0)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText(/Dados de \d\d\/\d\d \d\d:\d\d — sem rede/)).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(24)
  await expectAccessible(page)
  await picture(page, 'busca-sem-rede')
  await header.getByRole('button', { name: /^Situação do sistema/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Situação do sistema' })
  await expect(dialog).toContainText('Rede deste tablet: sem rede')
  await expect(dialog).toContainText('ERP: sem notícia')
  await expectAccessible(page)
  await picture(page, 'situacao-do-sistema')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await context.setOffline(false)
  await expect(chip).toBeHidden()
  await expect(header.getByRole('img', { name: 'ERP: Online' })).toBeVisible()
})

test('uma etiqueta da outra filial diz de qual é, e uma pesquisa vazia o que falta', async ({ page }) => {
  await logIn(page)
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText('Leia ou digite um código.')).toBeVisible()
  await scan(page, '0200A3F7010020000100BW')
  await expect(page.getByText('Este código é da Unidade 2.')).toBeVisible()
  await expect(page.getByText('Leia ou digite um código.')).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'busca-outra-filial')
  await page.getByRole('button', { name: 'Pesquisar na Unidade 2' }).click()
  await expect(page.getByText(/Última pesquisa: 0200A3F7010020000100BW .* Filial: Unidade 2/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeVisible()
})

test('a lista de uma ordem se reduz ao que falta, e na volta está onde estava', async ({ page }) => {
  await logIn(page)
  await searchFor(page, ORDER)
  const rows = page.getByRole('button', { name: /^Ver detalhes do item/ })
  await expect(rows).toHaveCount(24)
  const chip = (name: string) => page.getByRole('group', { name: 'Situação dos itens' }).getByRole('button', { name })
  const counts = await Promise.all(
    ['Pendentes', 'Em andamento', 'Prontos'].map(async (name) =>
      Number((await chip(name).textContent())?.replace(/\D/g, '')),
    ),
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(24)
  await chip('Prontos').click()
  await expect(rows).toHaveCount(counts[2] ?? 0)
  await expect(page.getByRole('button', { name: 'Ver detalhes do item 000030' })).toBeVisible()
  await chip('Pendentes').click()
  await expect(rows).toHaveCount(counts[0] ?? 0)
  await expectAccessible(page)
  await picture(page, 'busca-pendentes')
  const last = rows.last()
  const name = (await last.getAttribute('aria-label')) ?? ''
  await last.click()
  await expect(page.getByRole('region', { name: 'Cabo', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(chip('Pendentes')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name })).toBeInViewport()
  await chip('Pendentes').click()
  await expect(rows).toHaveCount(24)
})
