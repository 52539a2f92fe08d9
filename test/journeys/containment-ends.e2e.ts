import type { Page } from '@playwright/test'
import { plantMoment } from '../../src/domain/plant/plant-time.ts'
import { fillSide1, registerIn } from '../support/journeys/cable.ts'
import { fillBad, measureBad, measureGood, openFromToast } from '../support/journeys/containing.ts'
import {
  expect,
  expectAccessible,
  ITEM,
  logIn,
  openItemOfOrder,
  queryPanel,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { dialogOf } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'

const HOUR_MS = 3_600_000

/** Day and time of the plant's clock, as they are typed. */
function typedMoment(at: number) {
  const { day, time } = plantMoment(at, 'America/Sao_Paulo')
  return { day: day.split('-').toReversed().join('/'), time: time.slice(0, 5) }
}

const widening = (page: Page) => page.getByRole('dialog', { name: 'Ampliar a janela' })

async function fillEnd(page: Page, name: 'Início' | 'Fim', at: number): Promise<void> {
  const { day, time } = typedMoment(at)
  await widening(page).getByLabel(name, { exact: true }).fill(day)
  await widening(page).getByLabel(`Hora do ${name.toLowerCase()}`).fill(time)
}

const widen = (page: Page) => widening(page).getByRole('button', { name: 'Ampliar' })

test('quem aponta amplia as duas pontas da janela com um motivo; estreitá-la fica com a qualidade', async ({
  page,
  tolerate,
}) => {
  tolerate(/403/)
  await openItemOfOrder(page)
  await fillSide1(page)
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', 20)
  await measureGood(page)
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', 30)
  await fillBad(page)
  await dialogOf(page).getByRole('button', { name: 'Salvar medição fora' }).click()
  await toast(page).getByRole('button', { name: 'Ver peças suspeitas' }).click()
  await expect(page.getByText('1 apontamento, 30 peças')).toBeVisible()

  const now = Date.now()
  await page.getByRole('button', { name: 'Ampliar' }).click()
  await expect(widening(page).getByLabel('Início', { exact: true })).toHaveValue(/^\d\d\/\d\d\/\d{4}$/)
  await expect(widen(page), 'nothing is changed yet').toBeDisabled()
  await fillEnd(page, 'Início', now - HOUR_MS)
  await expect(widen(page), 'no reason yet').toBeDisabled()
  await widening(page).getByLabel('Motivo').fill('Matriz trocada antes da medição')
  await fillEnd(page, 'Fim', now - 2 * HOUR_MS)
  await widen(page).click()
  await expect(widening(page)).toContainText('O fim vem antes do início')
  await widening(page).getByLabel('Hora do fim').fill('2561')
  await expect(widening(page)).toContainText('Informe dia e hora')
  await expectAccessible(page)
  await picture(page, 'contencao-ampliar')
  await widening(page).getByLabel('Fim', { exact: true }).fill('')
  await widening(page).getByLabel('Hora do fim').fill('')
  await widen(page).click()
  const widened = page.getByText('2 apontamentos, 50 peças')
  await expect(widened).toBeVisible()
  await expect(page.getByText(/Desde \(à mão\): .*; em aberto: cresce até alguém medir bem/)).toBeVisible()
  await page.reload()
  await expect(widened, 'a link shows what its sender saw').toBeVisible()
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await expect(page.getByText('Faltam 50 peças suspeitas.')).toBeVisible()
  await expect(page.getByText('Janela alterada: Matriz trocada antes da medição')).toBeVisible()

  await page.getByRole('button', { name: 'Ampliar' }).click()
  await fillEnd(page, 'Fim', now + HOUR_MS)
  await widening(page).getByLabel('Motivo').fill('Máquina parada desde então')
  await widen(page).click()
  await expect(widening(page).getByRole('alert')).toBeVisible()
  await widening(page).getByRole('button', { name: 'Cancelar' }).click()
  await logIn(page, 'admin', new URL(page.url()).pathname)
  await page.getByRole('button', { name: 'Ampliar' }).click()
  await fillEnd(page, 'Fim', now + HOUR_MS)
  await widening(page).getByLabel('Motivo').fill('Máquina parada desde então')
  await widen(page).click()
  await expect(toast(page).getByText('Janela reduzida.'), 'an open window has got an end').toBeVisible()
  await expect(page.getByText('Janela alterada: Máquina parada desde então')).toBeVisible()
  await expect(page.getByText(/até \(à mão\): /)).toBeVisible()
  await expect(page.getByText('Faltam 50 peças suspeitas.')).toBeVisible()
})

test('não há peças: fica uma contenção encerrada sem linhas, com o motivo, e a medição não abre outra', async ({
  page,
  panel,
}) => {
  await measureBad(page, 30)
  await toast(page).getByRole('button', { name: 'Ver peças suspeitas' }).click()
  await expect(page.getByRole('button', { name: 'Abrir contenção' })).toBeVisible()
  const nothing = page.getByRole('button', { name: 'Não há peças' })
  await expect(nothing, 'who records says so of an empty window alone').toBeHidden()
  const { pathname, search } = new URL(page.url())
  await logIn(page, 'admin', pathname + search)
  await nothing.click()
  const dialog = page.getByRole('dialog', { name: 'Não há peças suspeitas' })
  await expect(dialog).toContainText('Altura fora: 1,170 mm: fica registrada uma contenção encerrada, sem peças.')
  await expect(dialog.getByRole('button', { name: 'Encerrar sem peças' })).toBeDisabled()
  await dialog.getByLabel('Motivo').fill('Separadas antes da medição')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Encerrar sem peças' }).click()
  await expect(page.getByText('Sem peças.')).toBeVisible()
  await expect(page.getByText('Encerrada', { exact: true })).toBeVisible()
  await expect(page.getByText(/encerrada por .*: Separadas antes da medição$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Imprimir etiquetas' })).toBeHidden()
  await picture(page, 'contencao-sem-pecas')
  const [stored] = queryPanel<{ id: string; number: number }>(
    panel,
    `select id, number from containments where close_reason = 'Separadas antes da medição' and state = 'encerrada'
     and not exists (select 1 from containment_rows r where r.containment_id = containments.id)`,
  )
  expect(page.url()).toContain(stored?.id)
  await page.goto(pathname + search)
  const number = `C-${String(stored?.number).padStart(6, '0')}`
  await expect(page.getByText(`Já há a contenção ${number} para esta medição.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Abrir contenção' })).toBeHidden()
})

test('aberta por engano libera o que resta e encerra; reaberta, cada passo se desfaz com o seu refugo', async ({
  page,
  panel,
}) => {
  await measureBad(page, 30)
  await openFromToast(page)
  await logIn(page, 'admin', new URL(page.url()).pathname)
  const deciding = page.getByRole('dialog', { name: `Decidir: Item ${ITEM}` })
  await page.getByRole('button', { name: /^Decidir: Item/ }).click()
  await deciding.getByText('Sucatear', { exact: true }).click()
  await deciding.getByLabel('Quantidade').fill('4')
  await deciding.getByRole('textbox', { name: /^Motivo/ }).fill('amassadas')
  await deciding.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Faltam 26 peças suspeitas.')).toBeVisible()

  await page.getByRole('button', { name: 'Aberta por engano' }).click()
  const mistake = page.getByRole('dialog', { name: 'Aberta por engano' })
  await expect(mistake.getByRole('button', { name: 'Liberar e encerrar' })).toBeDisabled()
  await mistake.getByLabel('Motivo').fill('Micrômetro fora de zero')
  await expectAccessible(page)
  await mistake.getByRole('button', { name: 'Liberar e encerrar' }).click()
  await expect(toast(page)).toContainText('Contenção encerrada.')
  await expect(page.getByText(/encerrada por .*: Micrômetro fora de zero$/)).toBeVisible()
  await expect(page.getByText('Baixa no ERP: 4 peças em 1 item. Avise o PCP.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Decidir/ })).toBeHidden()
  const steps = page.getByRole('dialog', { name: `Passos: Item ${ITEM}` })
  await page.getByRole('button', { name: /^Passos: Item/ }).click()
  await expect(steps).toContainText('Liberadas: 26 peças · Micrômetro fora de zero')
  await expect(steps.getByRole('button', { name: /^Desfazer/ }), 'it is closed').toBeHidden()
  await steps.getByRole('button', { name: 'Fechar' }).click()

  await page.getByRole('button', { name: 'Reabrir' }).click()
  const reopening = page.getByRole('dialog', { name: 'Reabrir a contenção' })
  await expect(reopening).toContainText('As peças decididas continuam decididas.')
  await reopening.getByLabel('Motivo').fill('O micrômetro estava certo')
  await reopening.getByRole('button', { name: 'Reabrir' }).click()
  await expect(page.getByText('Tudo decidido: pode ser encerrada.')).toBeVisible()
  await page.getByRole('button', { name: /^Passos: Item/ }).click()
  for (const done of [/^Desfazer: Sucateadas: 4 peças/, /^Desfazer: Liberadas: 26 peças/]) {
    await steps.getByRole('button', { name: done }).click()
    const undoing = page.getByRole('dialog', { name: 'Desfazer o passo' })
    await undoing.getByLabel('Motivo').fill('medir todas')
    await undoing.getByRole('button', { name: 'Desfazer' }).click()
    await expect(undoing).toBeHidden()
    await expect(steps.getByRole('button', { name: done }), 'once').toBeHidden()
  }
  await expect(steps).toContainText('Desfeito: 4 peças · medir todas')
  await picture(page, 'contencao-passos')
  await steps.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.getByText('Faltam 30 peças suspeitas.')).toBeVisible()
  expect(
    queryPanel(panel, "select pieces, counted from scraps where origin = 'contencao' and note = 'amassadas'"),
  ).toEqual([{ pieces: 4, counted: 0 }])
})
