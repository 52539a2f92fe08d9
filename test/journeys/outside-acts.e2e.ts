import type { Page } from '@playwright/test'
import { cable, fillCable, fillSide1, NO_NETWORK, RECORD } from '../support/journeys/cable.ts'
import { expect, ITEM, logIn, openItemOfOrder, pick, section, test, toast } from '../support/journeys/journey.ts'
import { fillMeasuring } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'

const MINUTE_MS = 60_000

test('uma medição fora a que nada segue é um alarme em 15 minutos, até a qualidade escrever o que fez', async ({
  page,
  browser,
  baseURL,
  panel,
  server,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,17', '92')
  await dialog.getByText('Ajustei, vou medir de novo').click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')

  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await logIn(other, 'admin', '/pages/configuracoes?aba=sistema')
  const alarm = other.getByRole('listitem').filter({ hasText: 'Medição fora sem resposta' })
  const well = other.getByRole('listitem').filter({ hasText: 'Medições fora respondidas' })
  await expect(well.getByRole('img', { name: 'Sem alarme' })).toBeVisible()
  await server.advance(panel, 16 * MINUTE_MS)
  await other.reload()
  await expect(alarm).toContainText('1 medição fora do plano sem resposta há mais de 15 minutos.')
  await picture(other, 'sistema-medicao-fora')

  await other.goto('/pages/planos-de-controle?aba=ocorrencias')
  await other.getByText('Medições fora (2 sem resposta)').click()
  const newest = other.getByRole('table', { name: 'Medições fora' }).getByRole('row').nth(1)
  await expect(newest).toContainText('Nada ainda')
  await newest.getByRole('button', { name: /^Tratar medição fora: OP/ }).click()
  const treating = other.getByRole('dialog', { name: /^Tratar medição fora: OP/ })
  await treating.getByLabel('O que foi feito').fill('Peças separadas, bigorna trocada')
  await treating.getByRole('button', { name: 'Salvar' }).click()
  await expect(newest).toContainText('Tratada por Administrador')
  await other.goto('/pages/configuracoes?aba=sistema')
  await expect(well).toBeVisible()
  await other.context().close()
})

/** What is left of a part, at once. The charts of a sample move the button as they come: by a key. */
async function registerRest(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).press('Enter')
  await expect(page.getByRole('button', { name })).toBeHidden()
}

/** Of the list. */
const barOfSide1 = (page: Page) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Ver detalhes do item ${ITEM}` }) })
    .getByRole('progressbar')
    .nth(1)

test('um item inteiro com uma altura fora do plano nunca parece perfeito: na linha da parte, no alto e na lista', async ({
  page,
}) => {
  const side1 = section(page, 'Terminal Lado 1')
  const side2 = section(page, 'Terminal Lado 2')
  const head = section(page, 'Item')
  await openItemOfOrder(page)
  await fillCable(page)
  await registerRest(page, 'Registrar cabo')
  await side2.getByLabel('Lote').fill('B23-004518/1')
  await pick(
    page,
    'Selecionar mini aplicador do lado 2',
    'Selecionar Mini Aplicador - Terminal T0925590',
    /Sem Cadastro/,
  )
  await pick(page, 'Selecionar máquina do lado 2', 'Selecionar Máquina - Terminal Lado 2', /PR0001/)
  await registerRest(page, 'Registrar lado 2')
  await expect(side2).toContainText('100%')
  await expect(side2).not.toContainText('fora do plano')
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,2', '92')
  await dialog.getByText('Parei e chamei a qualidade').click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(dialog).toBeHidden()
  await registerRest(page, 'Registrar lado 1')

  await expect(side1).toContainText(/120 de 120 .* 92 N medido · 1,20 mm medido .* · fora do plano/)
  await expect(side1.getByLabel('Fora do plano')).toBeVisible()
  await expect(cable(page).getByLabel('Fora do plano')).toHaveCount(0)
  await expect(head).toContainText('100%')
  await expect(head.getByLabel('Fora do plano')).toBeVisible()
  await picture(page, 'item-fora-do-plano')
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: `Ver detalhes do item ${ITEM}` }) })
  const ofParts = row.getByRole('progressbar')
  for (const [at, text] of ['100%', '100%, fora do plano', '100%'].entries())
    await expect(ofParts.nth(at)).toHaveAttribute('aria-valuetext', text)
})

test('também sem rede: a linha da parte diz que este dispositivo mediu fora', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  const side1 = section(page, 'Terminal Lado 1')
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1).toContainText('Falta medir: primeira peça')
  await page.context().setOffline(true)
  const dialog = await fillMeasuring(page, '1,2', '92')
  await dialog.getByText('Parei e chamei a qualidade').click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(dialog).toBeHidden()
  await registerRest(page, 'Registrar lado 1')
  await expect(side1).toContainText(/120 de 120 .* 1,20 mm medido .* · fora do plano/)
  await expect(side1.getByLabel('Fora do plano')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(barOfSide1(page)).toHaveAttribute('aria-valuetext', '100%, fora do plano, aguardando envio')
  await page.context().setOffline(false)
})

test('a rede cai entre a amostra fora e o apontamento: a lista tem o sinal também depois de recarregada', async ({
  page,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,2', '92')
  await dialog.getByText('Parei e chamei a qualidade').click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')
  await page.route(RECORD, (route) => route.abort())
  await registerRest(page, 'Registrar lado 1')
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await expect(barOfSide1(page)).toHaveAttribute('aria-valuetext', '100%, fora do plano, aguardando envio')
  await page.reload()
  await expect(barOfSide1(page)).toHaveAttribute('aria-valuetext', '100%, fora do plano, aguardando envio')
})
