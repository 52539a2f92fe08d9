import { fillCable, NO_NETWORK, registerPieces, SUCCESS } from '../support/journeys/cable.ts'
import { BARCODE, expect, logIn, ORDER, openItemOfOrder, scan, searchFor, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { COLLEAGUE, test } from '../support/journeys/plant.ts'

const details = { name: /Ver detalhes do item/ }

test('uma ordem que outro tablet leu aparece sem esperar o ERP, e o que mudou acende quando ele responde', async ({
  page,
  browser,
  baseURL,
  erp,
}) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 12)
  await expect(toast(page)).toContainText(SUCCESS)
  await page.goto('/pages/pendencias')
  // somebody at the ERP takes back what was recorded
  erp.state.reset()

  const tablet = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await logIn(tablet, COLLEAGUE)
  const answered = Promise.withResolvers<void>()
  await tablet.route('**/api/apontamentos/itens?*', (route) => answered.promise.then(() => route.continue()))
  await searchFor(tablet, ORDER)
  const progress = tablet.getByRole('progressbar', { name: '% Corte' }).first()
  await expect(progress).toHaveAttribute('aria-valuenow', '10')
  await expect(tablet.getByText('Atualizando...')).toBeVisible()
  await picture(tablet, 'busca-copia')
  answered.resolve()
  await expect(tablet.locator('tr[data-flashing]')).toContainText(BARCODE)
  await expect(tablet.locator('tr[data-flashing]')).toHaveCount(1)
  await expect(progress).toHaveAttribute('aria-valuenow', '0')
  await tablet.context().close()
})

test('sem rede o item de uma ordem aberta neste tablet aparece, com a hora do que se vê, até a sessão acabar', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await logIn(page)
  await searchFor(page, ORDER)
  await expect(page.getByRole('button', details)).toHaveCount(24)
  await page.context().setOffline(true)
  // typed: a scan would go on to the form, for which the script of that screen must be here
  await searchFor(page, BARCODE)
  await expect(page.getByText(/Dados de .+ — sem rede/)).toBeVisible()
  await expect(page.getByRole('button', details)).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await picture(page, 'busca-copia-sem-rede')

  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  const count = `new Promise((done) => {
    const opening = indexedDB.open('pesquisas')
    opening.onsuccess = () => {
      const request = opening.result.transaction('searches').objectStore('searches').count()
      request.onsuccess = () => { opening.result.close(); done(request.result) }
    }
  })`
  await expect.poll(() => page.evaluate(count)).toBe(0)
})

test('sem rede uma leitura que acha um só item abre o item, também de quem já o tinha pesquisado', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  // the script of the form is here by then
  await openItemOfOrder(page)
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(page.getByRole('button', details)).toHaveCount(24)
  await page.context().setOffline(true)
  for (const [barcode, item] of [
    ['010162140100100005000H', '000050'],
    [BARCODE, '000010'],
  ] as const) {
    await scan(page, barcode)
    await expect(page.getByRole('heading', { name: `Item ${item}` })).toBeVisible()
    await page.getByRole('button', { name: 'Voltar para a lista' }).click()
    await expect(page.getByRole('button', details)).toHaveCount(24)
  }
})
