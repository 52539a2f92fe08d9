import type { Page } from '@playwright/test'
import { plantMoment } from '../../src/domain/plant/plant-time.ts'
import { type Colleague, colleagueAt } from '../support/journeys/colleague.ts'
import { keepPrinted, printed } from '../support/journeys/containing.ts'
import { BARCODE, expect, logIn, ORDER, test, toast } from '../support/journeys/journey.ts'
import { ADDRESS, crimp, recorderAt, TOOL, traceByHand } from '../support/journeys/tracing.ts'
import type { Panel } from '../support/panel.ts'

const HOUR_MS = 3_600_000
/** No recording of the demonstration's past is of them. */
const [LOT, MACHINE, INSTRUMENT] = ['L261127099', 'PR0001 - Schäfer', 'MIC-RECALL']

/** A good height, two recordings, and a bad one, all with one tool, lot, machine and instrument. */
async function makeSuspects(panel: Panel, admin: Colleague): Promise<void> {
  const micrometer = { codigo: INSTRUMENT, descricao: 'Micrômetro', resolucao: 1, tipo: 'micrometro', ativo: true }
  const nextYear = plantMoment(Date.now() + 365 * 24 * HOUR_MS, 'America/Sao_Paulo').day
  await admin('POST', '/api/instrumentos', { ...micrometer, calibradoAte: nextYear })
  const operator = await colleagueAt(panel, 'operador')
  // whoever measures has its item before them: its gauge says which plan holds
  await operator('GET', `/api/apontamentos/itens/${BARCODE}?filial=010101`)
  const measure = (height: number, more: object = {}) =>
    operator('POST', '/api/medicoes', {
      ...{ filial: '010101', codigoBarras: BARCODE, ordem: ORDER, parte: 'l1', terminal: 'T1326030', maquina: MACHINE },
      ...{ miniaplicador: TOOL, lote: LOT, instrumento: INSTRUMENT, ocasiao: 'avulsa', ...more },
      leituras: [{ caracteristica: 'altura', valores: Array(5).fill(height) }],
    })
  const record = await recorderAt(panel)
  const made = { ...crimp, MAQUINA: MACHINE, LOTE_TERM_LD1: LOT, captura: { medidoForca: false, medidoAltura: false } }
  await measure(1100)
  await record({ ...made, QTD_REALIZADA: 20 })
  await record({ ...made, QTD_REALIZADA: 10 })
  await measure(1170, { acao: 'qualidade' })
}

/** In the trace, whose link leads to its suspect pieces. */
const traced = (term: string) => async (page: Page) => {
  await page.goto(ADDRESS)
  await traceByHand(page, term)
  await page.getByRole('link', { name: 'Abrir contenção' }).click()
}

async function fillEnds(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Ampliar a janela' })
  for (const [name, at] of [
    ['Início', Date.now() - HOUR_MS],
    ['Fim', Date.now() + HOUR_MS],
  ] as const) {
    const { day, time } = plantMoment(at, 'America/Sao_Paulo')
    await dialog.getByLabel(name, { exact: true }).fill(day.split('-').toReversed().join('/'))
    await dialog.getByLabel(`Hora do ${name.toLowerCase()}`).fill(time.slice(0, 5))
  }
  await dialog.getByLabel('Motivo').fill('Ensaio de recall')
  await dialog.getByRole('button', { name: 'Ampliar' }).click()
}

/** How somebody of quality comes to the suspect pieces of each kind, and what their label says of it. */
const recalls: readonly (readonly [kind: string, subject: string, come: (page: Page) => Promise<void>])[] = [
  [
    'medição',
    'Altura fora: 1,170 mm',
    async (page) => {
      await page.goto('/pages/planos-de-controle?aba=ocorrencias')
      await page.getByText(/^Medições fora/).click()
      const newest = page.getByRole('table', { name: 'Medições fora' }).getByRole('row').nth(1)
      await newest.getByRole('link', { name: /^Abrir contenção/ }).click()
    },
  ],
  ['lote', `Lote ${LOT}`, traced(LOT)],
  ['ferramenta', `Mini aplicador ${TOOL}`, traced(TOOL)],
  [
    'máquina',
    `Máquina ${MACHINE}`,
    async (page) => {
      await traced(MACHINE)(page)
      await fillEnds(page)
    },
  ],
  [
    'instrumento',
    `Instrumento ${INSTRUMENT}`,
    async (page) => {
      await page.goto('/pages/planos-de-controle?aba=instrumentos')
      await page.getByRole('link', { name: `Abrir contenção: ${INSTRUMENT}` }).click()
    },
  ],
]

/** From the pieces that are shown to the closed containment, with labels and sheet in between. */
async function recall(page: Page, subject: string): Promise<void> {
  await expect(page.getByText('2 apontamentos, 30 peças')).toBeVisible()
  const before = (await printed(page)).length
  await page.getByRole('button', { name: 'Abrir contenção' }).click()
  const heading = page.getByRole('heading', { name: /^Contenção C-\d{6}$/ })
  await expect(heading).toBeVisible()
  const number = ((await heading.textContent()) ?? '').replace('Contenção ', '')
  await page.getByRole('button', { name: 'Imprimir etiquetas' }).click()
  await expect.poll(() => printed(page)).toHaveLength(before + 1)
  await page.getByRole('button', { name: 'Imprimir folha' }).click()
  await expect.poll(() => printed(page)).toHaveLength(before + 2)
  const [labels = '', sheet = ''] = (await printed(page)).slice(before)
  expect(labels.match(/SUSPEITO - NÃO USAR/g)).toHaveLength(2)
  expect(labels.match(new RegExp(number, 'g'))?.length).toBeGreaterThanOrEqual(2)
  expect(labels).toContain(subject)
  expect(sheet).toContain(subject)
  expect(sheet).toContain(`${number}: certo · Suspeitas 20`)
  await page.getByRole('checkbox', { name: 'Todas as linhas' }).check()
  await page.getByRole('button', { name: 'Decidir 2 marcadas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decidir 2 linhas' })
  await expect(dialog).toContainText('30 peças')
  await dialog.getByRole('textbox', { name: /^Motivo/ }).fill('Medidas uma a uma')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Tudo decidido: pode ser encerrada.')).toBeVisible()
  await page.getByRole('button', { name: 'Encerrar', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar' }).click()
  await expect(toast(page)).toContainText('Contenção encerrada.')
  await expect(page.getByText('Encerrada', { exact: true })).toBeVisible()
}

test('ensaio de recall: de medição, lote, ferramenta, máquina e instrumento às etiquetas e ao encerramento', async ({
  page,
  panel,
}) => {
  await keepPrinted(page)
  await makeSuspects(panel, await colleagueAt(panel))
  await logIn(page, 'admin', ADDRESS)
  for (const [kind, subject, come] of recalls) {
    await test.step(kind, async () => {
      await come(page)
      await recall(page, subject)
    })
  }
})
