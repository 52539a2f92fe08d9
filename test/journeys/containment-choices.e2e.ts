import type { Page } from '@playwright/test'
import { plantMoment } from '../../src/domain/plant/plant-time.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { BARCODE, expect, logIn, ORDER, test } from '../support/journeys/journey.ts'
import { crimp, recorderAt, TOOL } from '../support/journeys/tracing.ts'
import type { Panel } from '../support/panel.ts'

const HOUR_MS = 3_600_000
/** No recording of the demonstration's past is of it. */
const MACHINE = 'PR0001 - Schäfer'

/** A good height, a recording, a bad height and a good one: the recording after that may hold pieces of before. */
async function openSuspects(page: Page, panel: Panel): Promise<void> {
  const operator = await colleagueAt(panel, 'operador')
  // whoever measures has its item before them: its gauge says which plan holds
  await operator('GET', `/api/apontamentos/itens/${BARCODE}?filial=010101`)
  const measure = (height: number, more: object = {}) =>
    operator<{ medicoes: { id: string }[] }>('POST', '/api/medicoes', {
      ...{ filial: '010101', codigoBarras: BARCODE, ordem: ORDER, parte: 'l1', terminal: 'T1326030', maquina: MACHINE },
      ...{ miniaplicador: TOOL, lote: 'L261127099', ocasiao: 'avulsa', ...more },
      leituras: [{ caracteristica: 'altura', valores: Array(5).fill(height) }],
    })
  const record = await recorderAt(panel)
  const made = { ...crimp, MAQUINA: MACHINE, captura: { medidoForca: false, medidoAltura: false } }
  await measure(1100)
  await record({ ...made, QTD_REALIZADA: 20 })
  const { medicoes } = await measure(1170, { acao: 'qualidade' })
  await measure(1100)
  await record({ ...made, QTD_REALIZADA: 10 })
  await logIn(page, 'admin', `/pages/contencoes/nova?medicao=${medicoes[0]?.id}&caracteristica=altura`)
}

const widening = (page: Page) => page.getByRole('dialog', { name: 'Ampliar a janela' })
const widen = (page: Page) => widening(page).getByRole('button', { name: 'Ampliar' })

async function fillEnd(page: Page, name: 'Início' | 'Fim', at: number): Promise<void> {
  const { day, time } = plantMoment(at, 'America/Sao_Paulo')
  await widening(page).getByLabel(name, { exact: true }).fill(day.split('-').toReversed().join('/'))
  await widening(page).getByLabel(`Hora do ${name.toLowerCase()}`).fill(time.slice(0, 5))
}

test('um apontamento deixado fora que a janela ampliada torna certo entra na contenção', async ({ page, panel }) => {
  await openSuspects(page, panel)
  const possible = page.getByRole('checkbox', { name: /, 10 peças$/ })
  await possible.uncheck()
  await page.getByRole('button', { name: 'Ampliar' }).click()
  await fillEnd(page, 'Fim', Date.now() + HOUR_MS)
  await widening(page).getByLabel('Motivo').fill('Aponta-se em lote')
  await widen(page).click()
  await expect(page.getByText('2 apontamentos, 30 peças')).toBeVisible()
  await expect(possible).toBeHidden()
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await expect(page.getByText('Faltam 30 peças suspeitas.')).toBeVisible()
})

test('o que apenas pode conter peças fica fora se assim se escolhe', async ({ page, panel }) => {
  await openSuspects(page, panel)
  await page.getByRole('checkbox', { name: /, 10 peças$/ }).uncheck()
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await expect(page.getByText('Faltam 20 peças suspeitas.')).toBeVisible()
})

test('uma ponta da janela que se apaga é pedida no seu campo, antes e depois de aberta', async ({ page, panel }) => {
  const emptyEnd = async () => {
    await page.getByRole('button', { name: 'Ampliar' }).click()
    await widening(page).getByLabel('Motivo').fill('Matriz trocada')
    await widening(page).getByLabel('Fim', { exact: true }).fill('')
    await widening(page).getByLabel('Hora do fim').fill('')
    await widen(page).click()
    await expect(widening(page)).toContainText('Informe dia e hora')
  }
  await openSuspects(page, panel)
  await emptyEnd()
  await fillEnd(page, 'Início', Date.now() - HOUR_MS)
  await widen(page).click()
  await expect(widening(page), 'nothing says that the end stays as it is').toBeVisible()
  await widening(page).getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  await expect(page.getByText(/Faltam \d+ peças suspeitas\./)).toBeVisible()
  await emptyEnd()
})
