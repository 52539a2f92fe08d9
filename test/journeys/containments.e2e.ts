import { NO_NETWORK } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { fillBad, keepPrinted, measureBad, openFromToast, printed } from '../support/journeys/containing.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  ITEM,
  logIn,
  openItemOfOrder,
  queryPanel,
  scan,
  test,
  toast,
  untilFetched,
} from '../support/journeys/journey.ts'
import { dialogOf } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'

const numberOf = async (page: import('@playwright/test').Page) =>
  ((await page.getByRole('heading', { level: 1 }).textContent()) ?? '').replace('Contenção ', '')

test('da altura fora às etiquetas em quatro toques', async ({ page }) => {
  await keepPrinted(page)
  await measureBad(page, 30)
  // the first tap has saved it
  await expect(toast(page)).toContainText('Medição salva: fora do plano. 30 peças desde a última medição boa.')
  await toast(page).getByRole('button', { name: 'Ver peças suspeitas' }).click()
  await expect(page.getByText('1 apontamento, 30 peças')).toBeVisible()
  await expect(page.getByText(/Desde a última medição boa: .* mm \(Maria Souza\); em aberto/)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'pecas-suspeitas')
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await page.getByRole('button', { name: 'Imprimir etiquetas' }).click()
  await expect.poll(() => printed(page)).toHaveLength(1)
  const number = await numberOf(page)
  const [labels = ''] = await printed(page)
  for (const text of ['SUSPEITO - NÃO USAR', number, BARCODE, 'Altura fora: 1,170 mm', 'Maria Souza'])
    expect(labels).toContain(text)
  await expect(page.getByText('Faltam 30 peças suspeitas.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Decidir/ }), 'who measures decides nothing').toBeHidden()
  await picture(page, 'contencao-aberta')
})

test('a qualidade decide, desfaz e encerra; o que outra pessoa decidiu antes aparece primeiro', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/409 \(Conflict\)/)
  await measureBad(page, 30)
  await openFromToast(page)
  const number = await numberOf(page)
  const address = page.url()
  await logIn(page, 'admin', '/pages/relatorios?aba=contencoes')
  await expect(page.getByRole('link', { name: /^Contenções abertas: \d/ })).toBeVisible()
  const listed = page.getByRole('table', { name: 'Contenções' }).getByRole('row').filter({ hasText: number })
  await expect(listed).toContainText('Altura fora: 1,170 mm')
  await expectAccessible(page)
  await picture(page, 'contencoes')
  await listed.getByRole('link', { name: number }).click()
  await expect(page).toHaveURL(address)

  await page.getByRole('button', { name: /^Decidir: Item 000010/ }).click()
  const dialog = page.getByRole('dialog', { name: `Decidir: Item ${ITEM}` })
  await expect(dialog.getByLabel('Quantidade')).toHaveValue('30')
  await dialog.getByLabel('Quantidade').fill('31')
  await expect(dialog).toContainText('De 1 a 30')
  await dialog.getByLabel('Quantidade').fill('20')
  await dialog.getByText('Amostra de n').click()
  await dialog.getByLabel('Peças da amostra').fill('13')
  await dialog.getByLabel('Motivo').fill('Altura boa na amostra')
  await expectAccessible(page)
  await picture(page, 'contencao-decidir')
  // somebody else decides about the same row meanwhile
  const other = await colleagueAt(panel, 'admin')
  const id = address.split('/').at(-1)
  const found = await other<{ linhas: { id: number; version: number }[] }>('GET', `/api/contencoes/${id}`)
  const [row] = found.linhas
  await other('POST', `/api/contencoes/${id}/decisoes`, {
    ...{ tipo: 'retrabalhar', motivo: 'separadas', linhas: [{ id: row?.id, version: row?.version, pecas: 15 }] },
  })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toContainText('Registro alterado por outra pessoa.')
  await dialog.getByRole('button', { name: 'Recarregar' }).click()
  await expect(dialog).toContainText('De 1 a 15')
  await dialog.getByLabel('Quantidade').fill('15')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Decisão salva.')
  await expect(page.getByText('Falta', { exact: false }).first()).toContainText('15 peças em retrabalho.')
  await expect(page.getByRole('button', { name: 'Encerrar', exact: true })).toBeDisabled()

  await page.getByRole('button', { name: /^Passos: Item/ }).click()
  const steps = page.getByRole('dialog', { name: `Passos: Item ${ITEM}` })
  await expect(steps).toContainText('Liberadas: 15 peças · Amostra de 13 · Altura boa na amostra')
  await steps.getByRole('button', { name: /^Desfazer: Liberadas/ }).click()
  const undoing = page.getByRole('dialog', { name: 'Desfazer o passo' })
  await undoing.getByLabel('Motivo').fill('amostra trocada')
  await undoing.getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page)).toContainText('Passo desfeito.')
  await steps.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.getByText('Faltam 15 peças suspeitas.')).toBeVisible()
})

test('a qualidade sucateia, libera o retrabalho, encerra e reabre', async ({ page, panel }) => {
  await measureBad(page, 30)
  await openFromToast(page)
  await logIn(page, 'admin', new URL(page.url()).pathname)
  const dialog = page.getByRole('dialog', { name: `Decidir: Item ${ITEM}` })
  const reason = dialog.getByRole('textbox', { name: /^Motivo/ })
  await page.getByRole('button', { name: /^Decidir: Item/ }).click()
  await dialog.getByText('Retrabalhar', { exact: true }).click()
  await dialog.getByLabel('Quantidade').fill('15')
  await reason.fill('separadas')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Faltam 15 peças suspeitas.')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Todas as linhas' }).check()
  await page.getByRole('button', { name: 'Decidir 1 marcada' }).click()
  await dialog.getByText('Sucatear', { exact: true }).click()
  await expect(dialog.getByLabel('Motivo do refugo')).toHaveValue('altura-fora')
  await reason.fill('fora da altura')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Faltam 15 peças em retrabalho.')).toBeVisible()
  await page.getByRole('button', { name: /^Decidir: Item/ }).click()
  await dialog.getByText('Liberar retrabalhadas').click()
  await reason.fill('crimpadas de novo')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Tudo decidido: pode ser encerrada.')).toBeVisible()
  await page.getByRole('button', { name: 'Encerrar', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar' }).click()
  await expect(page.getByText('Baixa no ERP: 15 peças em 1 item. Avise o PCP.')).toBeVisible()
  expect(
    queryPanel(panel, "select reason_code, pieces, origin from scraps where origin = 'contencao' and pieces = 15"),
  ).toEqual([{ reason_code: 'altura-fora', pieces: 15, origin: 'contencao' }])
  await page.getByRole('button', { name: 'Reabrir' }).click()
  const reopening = page.getByRole('dialog', { name: 'Reabrir a contenção' })
  await reopening.getByLabel('Motivo').fill('apareceu mais uma caixa')
  await reopening.getByRole('button', { name: 'Reabrir' }).click()
  await expect(page.getByRole('button', { name: 'Encerrar', exact: true })).toBeVisible()
})

test('a etiqueta lida abre a contenção, e o item avisa dela também sem rede', async ({ page, context, tolerate }) => {
  tolerate(NO_NETWORK)
  await measureBad(page, 30)
  await openFromToast(page)
  const number = await numberOf(page)
  const heading = page.getByRole('heading', { name: `Contenção ${number}` })
  for (const screen of ['/pages/relatorios?aba=rastreabilidade', '/pages/dashboard', '/pages/pendencias']) {
    await page.goto(screen)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await untilFetched(page, 'StrayReadings')
    await scan(page, number)
    await expect(heading).toBeVisible()
  }
  await openItemOfOrder(page)
  const banner = page.getByText(`30 peças deste item estão na contenção ${number}.`)
  await expect(banner).toBeVisible()
  await picture(page, 'item-em-contencao')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await page.getByRole('button', { name: `Ver detalhes do item ${ITEM}` }).click()
  await expect(banner).toBeVisible()
  await banner.getByRole('link', { name: number }).click()
  await expect(page.getByText('Sem rede: abra a contenção quando ela voltar.')).toBeVisible()
})

test('um servidor da versão anterior não conhece contenções: nada leva lá', async ({ page, tolerate }) => {
  tolerate(/404/)
  await page.route('**/api/contencoes**', (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', message: '' } }),
  )
  await page.route('**/api/contencoes/**', (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', message: '' } }),
  )
  await measureBad(page, 30)
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')
  await expect(toast(page).getByRole('button', { name: 'Ver peças suspeitas' })).toBeHidden()
  await logIn(page, 'admin', '/pages/relatorios')
  await expect(page.getByRole('tab', { name: 'Refugo' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Contenções' })).toBeHidden()
  for (const address of ['C-000001', 'nova?filial=010101&tipo=lote&termo=L-1']) {
    await page.goto(`/pages/contencoes/${address}`)
    await expect(
      page.getByText('O servidor ainda não conhece contenções. Tente depois da atualização.'),
      'a link that somebody has sent',
    ).toBeVisible()
  }
})

test('sem rede a medição fora diz quantas peças este tablet conhece', async ({ page, context, tolerate }) => {
  tolerate(NO_NETWORK)
  await measureBad(page, 30)
  await expect(toast(page)).toContainText('30 peças desde a última medição boa.')
  await context.setOffline(true)
  await fillBad(page)
  await dialogOf(page).getByRole('button', { name: 'Salvar medição fora' }).click()
  // the call that it led to takes no place of it
  await expect(toast(page)).toContainText(
    /(?=.*Pelo menos 30 peças; o resto quando houver rede\.)(?=.*chame também pessoalmente)/,
  )
})
