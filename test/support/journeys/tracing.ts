import type { Locator, Page } from '@playwright/test'
import type { Panel } from '../panel.ts'
import { colleagueAt } from './colleague.ts'
import { BARCODE, expect, logIn, ORDER, PIECES, section } from './journey.ts'

/** What was recorded to be traced, and where it is traced. */

export const ADDRESS = '/pages/relatorios?aba=rastreabilidade'
export const TRACE = '**/api/rastreabilidade?*'
/** No drum of the demonstration's past, which names its own 001 to 004 of a day. */
export const CABLE_LOT = 'L261118077'
export const TERMINAL_LOT = 'B23-004517/2'
/** No tool of the demonstration's past work. */
export const TOOL = 'MA-0002'
export const OTHER_BARCODE = '010162140100100005000H'

const ofItem = { EMPRESA: '010101', ORDEM_PROD: ORDER, QTD_ORDEM_PROD: PIECES, COD_BARRA: BARCODE }

export const cut = {
  ...ofItem,
  QTD_REALIZADA: 30,
  MAQUINA: 'KX0001 - Komax',
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: CABLE_LOT,
  COMPRIMENTO_CABO: 1250,
}
export const crimp = {
  ...ofItem,
  QTD_REALIZADA: 20,
  MAQUINA: 'PR0001 - Schäfer',
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: TERMINAL_LOT,
  MA_LD1: TOOL,
  SELO_LD1: 'S0963244',
  SELADORA_LD1: 'Seladora 01',
  captura: { medidoForca: true, medidoAltura: false },
}

/** As a tablet does, in the operator's name. */
export async function recorderAt(panel: Panel): Promise<(recording: object) => Promise<void>> {
  const operator = await colleagueAt(panel, 'operador')
  return async (recording) => void (await operator('POST', '/api/apontamentos/corte-crimpagem', recording))
}

/** Two items cut from one lot of cable, one of them crimped. */
export async function recordTwoItems(panel: Panel): Promise<void> {
  const record = await recorderAt(panel)
  await record(cut)
  await record({ ...cut, COD_BARRA: OTHER_BARCODE, QTD_REALIZADA: 10 })
  await record(crimp)
}

export async function openTraces(page: Page, address = ADDRESS): Promise<void> {
  await logIn(page, 'operador', address)
  await expect(box(page)).toBeVisible()
}

export const box = (page: Page): Locator =>
  page.getByLabel('Lote, código de barras, ordem, mini aplicador ou máquina', { exact: true })
export const result = (page: Page): Locator => section(page, 'Resultado')
export const lineOf = (page: Page, text: string): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .filter({ hasText: text })

export async function traceByHand(page: Page, term: string): Promise<void> {
  await box(page).fill(term)
  await box(page).press('Enter')
}

/** What was found of: the heading, and the large figures. */
export async function expectTraced(page: Page, kind: string, term: string, figures: readonly string[]): Promise<void> {
  await expect(result(page).getByRole('heading', { name: `${kind} ${term}` })).toBeVisible()
  await expect(result(page).getByRole('list').getByRole('listitem')).toHaveText([...figures])
}
