import { fillSide1 } from '../support/journeys/cable.ts'
import { expect, logIn, openItemOfOrder, test, toast } from '../support/journeys/journey.ts'
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
