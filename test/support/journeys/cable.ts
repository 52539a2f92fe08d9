import type { BrowserContext, Locator, Page, Request } from '@playwright/test'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { Panel } from '../panel.ts'
import { LONG, limitMs, STEP_MS } from '../slowness.ts'
import { BARCODE, expect, ORDER, pick, queryPanel, readErpItem, readingLine, scan, section } from './journey.ts'

/** Recording cable, the shortest form there is, and what became of it everywhere. */

export const RECORD = '**/api/apontamentos/corte-crimpagem'
export const CALL_MAINTENANCE = '**/api/chamados'
export const MEASURE = '**/api/medicoes'
export const SUCCESS = 'Apontamento realizado com sucesso!'
export const SAVED = 'Salvo neste dispositivo. Será enviado quando a rede voltar.'
export const SENT = 'O que estava salvo neste dispositivo foi enviado.'
/** In the reading line of the form, with the pieces. */
export const SAVED_HERE = 'Salvo neste dispositivo: '
export const SENT_HERE = 'Enviado: '
/** What Chromium itself writes to the console when nobody answers. */
export const NO_NETWORK =
  /ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|FAILED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_(REFUSED|RESET))/
/** A refusal that comes when it can opens the form of its part again, above the parts below it. */
export const LATE_REFUSAL = /^layout shift: \/pages\/item-edit /

/** Outside of Playwright's runner nothing else would end a step that is done again and again. */
const PASSING = { timeout: limitMs(60_000) }
/** No limit: it is looked whether a press was taken before another one. */
const RETRY_MS = 200

export const cable = (page: Page): Locator => section(page, 'Cabo')
/** All of a part: its sections, 'Registrar', and what waits. */
export const partOf = (page: Page, part: 'l1' | 'l2'): Locator => page.locator(`[data-part=${part}]`)

/** A label that is read before the list of what fits has come is read again. `part` as the line of readings says it. */
export const readMachine = (page: Page, code: string, part: string) =>
  expect(async () => {
    await scan(page, code)
    await expect(readingLine(page)).toHaveText(`Máquina: ${code} · ${part}`, { timeout: STEP_MS })
  }).toPass()

export async function fillCable(page: Page): Promise<void> {
  await cable(page).getByLabel('Lote').fill('L261121001')
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
}

export async function fillSide1(page: Page, tool = /MA-0001/): Promise<void> {
  const terminal = section(page, 'Terminal Lado 1')
  await terminal.getByLabel('Lote').fill('B23-004517/2')
  await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T1326030', tool)
  await pick(page, 'Selecionar máquina do lado 1', 'Selecionar Máquina - Terminal Lado 1', /PR0001/)
}

/** What was filled in stays there from one to the next. Not for exactly what would be left afterwards. */
export async function registerIn(form: Locator, name: string, pieces: number): Promise<void> {
  const quantity = form.getByLabel('Quantidade de peças')
  const button = form.page().getByRole('button', { name })
  // The answer before may redraw the field between its being selected and typed over.
  await expect(async () => {
    await quantity.fill(String(pieces))
    await expect(quantity).toHaveValue(String(pieces), { timeout: STEP_MS })
  }).toPass(PASSING)
  // A press within a second of the one before is taken for a bouncing finger: it does nothing, and is repeated.
  let isClicked = false
  const isChanged = async () =>
    (await quantity.isVisible()) && (await quantity.inputValue({ timeout: RETRY_MS })) !== String(pieces)
  await expect(async () => {
    // in this order: a press that ends in between has changed the amount by then
    if ((await button.isVisible()) && !(await isChanged())) {
      await button.click()
      isClicked = true
    }
    // a field that is gone has no value to look at: the press took the last piece that was open
    const isRegistered = async () => (await isChanged()) || (isClicked && (await quantity.isHidden()))
    await expect.poll(isRegistered, { timeout: RETRY_MS }).toBe(true)
  }).toPass({ ...PASSING, intervals: [50] })
}

export const registerPieces = (page: Page, pieces: number): Promise<void> =>
  registerIn(cable(page), 'Registrar cabo', pieces)

/** Registers as many, one after another, with nobody to answer. */
export async function saveHere(page: Page, ...amounts: number[]): Promise<void> {
  for (const pieces of amounts) {
    await registerPieces(page, pieces)
    await expect(readingLine(page)).toContainText(`${SAVED_HERE}${pieces} peça`)
  }
}

/** As the button is called: by its team where there is only that. */
export const callButton = (page: Page, where: string) =>
  page.getByRole('button', { name: new RegExp(`^Chamar( manutenção)?: ${where}$`) })

export const callDialog = (page: Page) => page.getByRole('dialog', { name: /^Chamar( manutenção)?$/ })

/** The two taps; `machine` where none is chosen there, `team` where it is another than maintenance. */
export async function callMaintenance(
  page: Page,
  where: string,
  symptom: string,
  machine?: string,
  team?: string,
): Promise<void> {
  await callButton(page, where).click()
  const dialog = callDialog(page)
  if (team) await dialog.getByText(team, { exact: true }).click()
  if (machine) {
    await dialog.getByRole('button', { name: 'Selecionar máquina' }).click()
    const machines = page.getByRole('dialog', { name: 'Selecionar Máquina', exact: true })
    await machines.getByRole('button', { name: machine }).click()
  }
  await dialog.getByRole('button', { name: symptom, exact: true }).click()
}

/** The oldest act that waits on this device waits there so many times more, each under an id of its own, as text: it runs in the page. */
const multiply = `(count) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('fila-de-apontamentos')
  opening.onerror = reject
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('waiting', 'readwrite', { durability: 'strict' })
    const waiting = transaction.objectStore('waiting')
    waiting.getAll(null, 1).onsuccess = ({ target }) => {
      const { position: _, ...act } = target.result[0]
      for (let n = 0; n < count; n++) waiting.add({ ...act, id: crypto.randomUUID() })
    }
    transaction.onabort = reject
    transaction.oncomplete = () => resolve(opening.result.close())
  }
})`
export const multiplyQueue = (page: Page, count: number): Promise<unknown> => page.evaluate(`(${multiply})(${count})`)

/** Of the calls that the page has made: the demonstration has others. */
export const callsAtServer = (panel: Panel): { symptom: string; joined: number; state: string }[] =>
  queryPanel(
    panel,
    "select symptom, joined, state from maintenance_calls where id not like '00000000-0000-4000-8000-%' order by received_at, rowid",
  )

/** One piece of side 1, with what its plan asks for, if the page knows one. */
export async function measureSide1(page: Page, height: string, force: string): Promise<void> {
  await page.getByRole('button', { name: 'Medir: lado 1' }).click()
  const dialog = page.getByRole('dialog', { name: /^Medição - / })
  for (const [group, value] of [
    [/Altura de crimpagem/, height],
    [/Força de extração/, force],
  ] as const) {
    for (const field of await dialog
      .getByRole('group', { name: group })
      .getByLabel(/^Leitura \d/)
      .all())
      await field.fill(value)
  }
  await dialog.getByRole('button', { name: 'Salvar medição', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** By recording the samples that it names, and whether they came before it. */
export const namedAtServer = (panel: Panel): { lot: string; act: string; isBefore: number }[] =>
  queryPanel(
    panel,
    `select r.lot, l.act_id as act, max(m.received_at) <= r.received_at as isBefore
     from recording_measurements l join recordings r on r.id = l.recording_id join measurements m on m.act_id = l.act_id
     where l.act_id not like '00000000-0000-4000-8000-ce%' group by l.recording_id, l.act_id order by r.received_at, r.rowid`,
  )

export const badge = (page: Page): Locator => page.getByRole('link', { name: /^Pendências:/ })

/** Neither on this device nor at the server, which does not keep a queue waiting for the ERP. */
export const expectNothingWaiting = (page: Page): Promise<void> => expect(badge(page)).toBeHidden(LONG)

type Sent = { key: string | undefined; body: CutCrimpRecording; authorization: string }

/** Every recording that the pages of this context send from now on. */
export function watchSent(context: BrowserContext): Sent[] {
  const sent: Sent[] = []
  context.on('request', (request: Request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/corte-crimpagem')) return
    const { 'idempotency-key': key, authorization = '' } = request.headers()
    sent.push({ key, body: request.postDataJSON() as CutCrimpRecording, authorization })
  })
  return sent
}

/** In the order in which the server took them. */
export const piecesAtServer = (panel: Panel): number[] =>
  queryPanel<{ pieces: number }>(panel, 'select pieces from recordings order by received_at, rowid').map(
    ({ pieces }) => pieces,
  )

export const piecesAtErp = async (panel: Panel): Promise<number> =>
  Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGCO)
