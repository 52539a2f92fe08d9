import { NO_NETWORK, SAVED_HERE } from '../support/journeys/cable.ts'
import { type Colleague, colleagueAt } from '../support/journeys/colleague.ts'
import {
  arrow,
  details,
  fillJunction,
  form,
  logInAt,
  register,
  SEARCH,
  searchOrder,
} from '../support/journeys/joining.ts'
import { BARCODE, expect, expectAccessible, ITEM, readingLine, scan, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { answer, expectQuestion, openCheck } from '../support/journeys/receiving.ts'
import { CABLE_LOT, cut, recorderAt } from '../support/journeys/tracing.ts'

const JOINED_LOT = 'L261127088'

/** Somebody else holds all that was made of a lot. Resolves to its number. */
const contain = async (colleague: Colleague, lot: string): Promise<string> => {
  const body = { filial: '010101', tipo: 'lote', termo: lot }
  return (await colleague<{ numero: string }>('POST', '/api/contencoes', body)).numero
}

test('a pergunta da conferência diz que há peças do item em contenção, também sem rede, e nada leva para fora dela', async ({
  page,
  panel,
  context,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const operator = await colleagueAt(panel, 'operador')
  await (await recorderAt(panel))(cut)
  await openCheck(page)
  const dialog = page.getByRole('alertdialog', { name: 'Confirmar Recebimento' })
  await scan(page, BARCODE)
  await expectQuestion(page, ITEM)
  await expect(dialog).not.toContainText('contenção')
  await answer(page, 'Não')

  // a page that is open hears of it
  const number = await contain(operator, CABLE_LOT)
  const said = `30 peças deste item estão na contenção ${number}.`
  await expect(async () => {
    await scan(page, BARCODE)
    await expectQuestion(page, ITEM)
    const isSaid = (await dialog.textContent())?.includes(said)
    if (!isSaid) await answer(page, 'Não')
    expect(isSaid).toBe(true)
  }).toPass()
  await expect(dialog.getByRole('link'), 'the question waits for its answer').toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'conferencia-em-contencao')
  await answer(page, 'Não')
  await context.setOffline(true)
  await scan(page, BARCODE)
  await expectQuestion(page, ITEM)
  await expect(dialog).toContainText(said)
  await answer(page, 'Não')
})

test('o formulário da junção avisa da contenção, também sem rede; o apontamento continua', async ({
  page,
  panel,
  context,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  const operator = await colleagueAt(panel, 'operador')
  await logInAt(page, details('J01'))
  await fillJunction(page, 30, JOINED_LOT)
  await register(page).click()
  await expect(toast(page)).toContainText('Apontamento de junção registrado com sucesso!')
  const banner = page.getByText(/desta junção/)
  await expect(banner).toBeHidden()
  const number = await contain(operator, JOINED_LOT)
  await expect(banner).toHaveText(`30 peças desta junção estão na contenção ${number}.`)
  await expectAccessible(page)
  await picture(page, 'juncao-em-contencao')

  await page.getByRole('button', { name: 'Voltar para Junções' }).click()
  await expect(page).toHaveURL(new RegExp(SEARCH))
  await searchOrder(page)
  await arrow(page, 'J02').click()
  await expect(form(page)).toBeVisible()
  await expect(banner, 'another junction').toBeHidden()
  await page.getByRole('button', { name: 'Voltar para Junções' }).click()
  await context.setOffline(true)
  await arrow(page, 'J01').click()
  await expect(banner).toHaveText(`30 peças desta junção estão na contenção ${number}.`)
  await fillJunction(page, 5, JOINED_LOT)
  await register(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
})
