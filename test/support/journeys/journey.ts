import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type Locator, type Page, expect as playwrightExpect } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { liveChanges } from '../../../src/contract/live-changes.ts'
import type { Panel, PanelProcess } from '../panel.ts'
import { limitMs, STEP_MS } from '../slowness.ts'
import { watchShifts } from './shifts.ts'
import { TestServer } from './test-server.ts'

/** Also outside of Playwright's runner, where its configuration does not hold. */
export const expect = playwrightExpect.configure({ timeout: limitMs(30_000) })

/** The fixed points of the demonstration: the same on every fresh start. */
export const ORDER = '01621401001'
export const ITEM = '000010'
export const BARCODE = '0101621401001000010007'
export const PIECES = 120

type Options = {
  panelEnv: Record<string, string>
  /** Of the demonstration's ERP: 0 answers at once, 1 takes as long as in the field. */
  erpSpeed: number
  /** Nothing may move in the journey's page by itself, but for what it tolerates: everywhere, unless a file says false. */
  isStill: boolean
}

type Fixtures = Options & {
  /** A database and a simulator of this journey's own, as a first start leaves them. */
  panel: Panel
  /** Closes what a journey has opened besides its page: it would ask its server for as long as the worker lives. */
  closesAll: undefined
  /** Says that the page may log this; anything else that it logs as an error, or moves where `isStill`, fails the journey. */
  tolerate: (message: RegExp) => void
}

export const test = base.extend<Fixtures, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const server = new TestServer()
      await use(server)
      await server.end()
    },
    { scope: 'worker' },
  ],
  panelEnv: [{}, { option: true }],
  erpSpeed: [0, { option: true }],
  // pictures change the size of the text
  isStill: [!process.env.PICTURES, { option: true }],
  panel: async ({ server, panelEnv, erpSpeed }, use) => {
    const template = await server.template('demonstration')
    const panel = await server.start({ env: panelEnv, erpSpeed, template })
    await use(panel)
    await panel.stop()
  },
  closesAll: [
    async ({ browser, panel: _panel }, use) => {
      await use(undefined)
      for (const context of browser.contexts()) await context.close()
    },
    { auto: true },
  ],
  baseURL: async ({ panel }, use) => use(panel.url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  tolerate: async ({}, use) => {
    await use((message) => tolerated.push(message))
    tolerated.length = 0
  },
  page: async ({ page, panel, isStill, tolerate: _tolerate }, use, testInfo) => {
    const troubles: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(`console: ${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => troubles.push(`page: ${error.message}`))
    page.on('response', (response) => {
      if (response.status() >= 500) troubles.push(`${response.status()} from ${response.url()}`)
    })
    pressAsHand(page)
    if (isStill) await watchShifts(page, (shift) => troubles.push(shift))
    await use(page)
    // an answer that is still held when the journey has ended is nobody's
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (testInfo.status !== testInfo.expectedStatus) {
      const printed = () => (panel as Partial<PanelProcess>).logs?.() ?? ''
      const body = await readFile(join(panel.dataDir, 'server.log'), 'utf8').catch(printed)
      await testInfo.attach('server.log', { body, contentType: 'text/plain' })
    }
    expect(troubles.filter((trouble) => !tolerated.some((message) => message.test(trouble)))).toEqual([])
  },
})

/** What a scanner hears of this pace is a hand's: a character and the next key in less time would be one scan. */
export const HAND_MS = 60

/** Keys of one character are held for a moment, so that whatever key comes next is no part of a scan. */
function pressAsHand({ keyboard }: Page): void {
  const press = keyboard.press.bind(keyboard)
  keyboard.press = (key, options) =>
    press(key, { ...(key.length === 1 || key === 'Space' ? { delay: HAND_MS } : {}), ...options })
}

/** One journey at a time runs in a worker. */
const tolerated: RegExp[] = []

export const SEARCH = '/pages/apontamento-corte-crimpagem'

/** What a log-in leaves on the device, as one that somebody has worked on before. Of an empty page it is not the panel's. */
const keepSession = `(session) => {
  if (!location.protocol.startsWith('http')) return
  localStorage.setItem('token', session.token)
  localStorage.setItem('basicAuth', btoa(session.username + ':' + session.token))
  localStorage.setItem('user', JSON.stringify(session))
  localStorage.setItem('font', 'inter')
}`

/**
 * Opens a session and a screen of it; most journeys begin with the search. The form in which people do it is a journey of
 * its own. `address` with the server's where the journey has no server of its own.
 */
export async function logIn(page: Page, username = 'operador', address = SEARCH): Promise<void> {
  // what the page of the session before still asks for would come with this one's cookie
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  const [origin = ''] = /^https?:\/\/[^/]+/.exec(address) ?? []
  const data = { username, password: username, deviceName: '' }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.post(`${origin}/api/auth/login`, { headers, data })
  const session = (await answer.json()) as { message?: string }
  if (!answer.ok()) throw new Error(session.message)
  await using _kept = await page.addInitScript(`(${keepSession})(${JSON.stringify(session)})`)
  await page.goto(address)
  if (!address.endsWith(SEARCH)) return
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
}

/** As people do it. Asks for the search first. */
export async function typeLogIn(page: Page, username = 'operador'): Promise<void> {
  await page.goto(SEARCH)
  await page.getByLabel('Usuário').fill(username)
  await page.getByLabel('Senha', { exact: true }).fill(username)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
}

export async function searchFor(page: Page, term: string): Promise<void> {
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await box.fill(term.length < BARCODE.length ? term : '')
  // a whole code that comes at once is a reading, and opens its item
  if (term.length >= BARCODE.length) await box.pressSequentially(term, { delay: HAND_MS })
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText(`Última pesquisa: ${term}`)).toBeVisible()
}

export async function openItem(page: Page, item = ITEM): Promise<void> {
  await page.getByRole('button', { name: `Ver detalhes do item ${item}` }).click()
  await expect(section(page, 'Cabo')).toBeVisible()
}

export async function openItemOfOrder(page: Page, item = ITEM): Promise<void> {
  await logIn(page)
  await searchFor(page, ORDER)
  await openItem(page, item)
}

/** With its first word the event stream has lists read again that did not come: before anybody asks for them. */
export const withoutStream = (page: Page): Promise<unknown> =>
  page.route(`**${liveChanges.stream.path}`, (route) => route.abort())

/** At the server alone, with its answer's status: the page does not know, if it is `withoutStream`, which ends with it. */
export const endSession = (page: Page): Promise<number> =>
  page.evaluate(
    `fetch('/api/auth/logout', { method: 'POST', headers: { authorization: 'Bearer ' + localStorage.token } })
      .then(({ status }) => status)`,
  )

/** The script of a screen is on the device: the way there needs no network. */
export async function untilFetched(page: Page, screen: string): Promise<void> {
  const names = "performance.getEntriesByType('resource').map(({ name }) => name)"
  await expect.poll(() => page.evaluate<string[]>(names)).toContainEqual(expect.stringContaining(`/assets/${screen}-`))
}

export const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

/** By an administrator, in the tab that is open: this device gets a name and is enrolled. Returns the list of its kind. */
export async function enrolDevice(page: Page, name: string, kind: 'estação' | 'quadro'): Promise<Locator> {
  await page.getByLabel('Nome do dispositivo').fill(name)
  await page.getByLabel('Nome do dispositivo').press('Enter')
  const enrolled = section(page, kind === 'quadro' ? 'Quadros' : 'Estações compartilhadas')
  await enrolled.getByRole('button', { name: `Usar como ${kind}` }).click()
  await expect(enrolled.getByRole('listitem')).toContainText(`${name} (este dispositivo)`)
  return enrolled
}

/** Where a form or the shell says what was read. */
export const readingLine = (page: Page): Locator => page.getByRole('status', { name: 'Leitura' })

/** Reads again until the line says this: a code is refused, or asked about, for as long as the lists of codes have not come. */
export const readUntil = (page: Page, words: string, read: () => Promise<unknown>): Promise<void> =>
  expect(async () => {
    await read()
    await expect(readingLine(page)).toContainText(words, { timeout: STEP_MS })
  }).toPass()

export const toast = (page: Page): Locator => page.getByRole('region', { name: 'Avisos' })

/** Presses the button that opens a list, and the first row's 'Selecionar' whose text fits. */
export async function pick(page: Page, opener: string, title: string, row: RegExp): Promise<void> {
  await page.getByRole('button', { name: opener }).click()
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await dialog.getByRole('button', { name: row }).first().click()
  await expect(dialog).toBeHidden()
}

/**
 * As a scanner does: 22 keys within 30 ms, then Enter. All are under way before the first is answered, each with the
 * moment it is pressed at, so that a slow test machine does not turn the scanner into a hand.
 */
export async function scan(page: Page, code: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const startedAt = Date.now() / 1000
  const press = (key: string, text: string, at: number, windowsVirtualKeyCode: number) =>
    (['keyDown', 'keyUp'] as const).map((type) =>
      devTools.send('Input.dispatchKeyEvent', {
        type,
        key,
        windowsVirtualKeyCode,
        timestamp: startedAt + at * 0.0013,
        ...(type === 'keyDown' ? { text } : {}),
      }),
    )
  const characters = [...code].flatMap((character, at) => press(character, character, at, character.charCodeAt(0)))
  await Promise.all([...characters, ...press('Enter', '\r', code.length, 13)])
  await devTools.detach()
}

const axe = (page: Page) =>
  new AxeBuilder({ page })
    // what React Aria has just announced stays for 7 s, naming elements that may be gone
    .exclude('[data-live-announcer]')
    // no page of its own for what frames would say: there are none
    .setLegacyMode()
    .options({
      // what is in order need not be described
      resultTypes: ['violations'],
      // the product must lock the zoom
      rules: { 'meta-viewport': { enabled: false } },
    })

/** What comes into view fades in, and is pale until it has: a spinner that never ends is let turn. */
const atRest = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => null)`

async function expectNoViolations(page: Page, look: AxeBuilder): Promise<void> {
  await page.evaluate(atRest)
  const { violations } = await look.analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found).toEqual([])
}

/** WCAG 2.2 AA and what is good practice besides, except that the product must lock the zoom. */
export const expectAccessible = (page: Page): Promise<void> =>
  expectNoViolations(
    page,
    axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']),
  )

/** The same in both themes: of the second one, what colours can break. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolations(page, axe(page).withRules(['color-contrast', 'link-in-text-block']))
}

/** A row of the ERP as the simulator itself tells it, not as the panel does. */
export async function readErpItem(panel: Panel, order: string, barcode: string): Promise<Record<string, unknown>> {
  const erpUrl = panel.erpUrl()
  const grant = new URLSearchParams({ grant_type: 'password', username: 'painel', password: 'painel' })
  const token = await fetch(`${erpUrl}/api/oauth2/v1/token`, { method: 'POST', body: grant })
  const { access_token: accessToken } = (await token.json()) as { access_token: string }
  const query = new URLSearchParams({ filial: '010101', termo: order, modo: 'APONTAMENTO' })
  const answer = await fetch(`${erpUrl}/p1/ApontamentoProducao/itens?${query}`, {
    headers: { authorization: `Bearer ${accessToken}`, tenantId: '01,010101' },
  })
  const { items } = (await answer.json()) as { items: Record<string, unknown>[] }
  const row = items.find((one) => String(one.Z1_CODBAR).trim() === barcode)
  if (!row) throw new Error(`The ERP has no ${barcode}`)
  return row
}

/** Past work of the demonstration has ids of its own; no journey has recorded it. */
const RECORDED_HERE = `create temp view recordings as
  select rowid, * from main.recordings where id not like '00000000-0000-4000-8000-%';
create temp view recording_findings as
  select rowid, * from main.recording_findings where recording_id not like '00000000-0000-4000-8000-%'`

/** Reads the panel's own database beside the running server. */
export function queryPanel<Row>(panel: Panel, sql: string, ...values: unknown[]): Row[] {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`, { readonly: true })
  try {
    sqlite.exec(RECORDED_HERE)
    return sqlite.prepare(sql).all(...values) as Row[]
  } finally {
    sqlite.close()
  }
}

/** Leaves a row as a version before, or somebody elsewhere, would have. */
export function changePanel(panel: Panel, sql: string): void {
  const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
  try {
    sqlite.exec(sql)
  } finally {
    sqlite.close()
  }
}

export const crimpsOf = (panel: Panel, applicator: string): number =>
  queryPanel<{ crimps: number }>(panel, 'select crimps from applicator_units where name = ?', applicator)[0]?.crimps ??
  Number.NaN
