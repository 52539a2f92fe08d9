// How long a scan takes to its form, in a real browser, with an ERP that takes 900 ms for everything: of an order that this
// tablet has opened before, and of items that nobody here has read. From the scanner's last key to the form's first picture.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page, type Request } from '@playwright/test'
import { makeSampleOrders } from '../demo/simulator/sample-orders.ts'
import { startErpSimulator } from '../demo/simulator/simulator.ts'
import { findChromium } from '../scripts/programs.mjs'
import { openDb } from '../src/server/store/db/db.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { logIn, SEARCH, scan, searchFor } from '../test/support/journeys/journey.ts'
import { type Panel, startPanel } from '../test/support/panel.ts'
import { addUser } from './sample.ts'
import { quantile } from './statistics.ts'

const ERP_MS = 900
/** Of each kind. */
const SCANS = Number(process.env.BENCH_SCANS ?? 40)
/** The first ones of a tablet find nothing ready in its browser. */
const WARM_UP = 3
/** A tablet that has asked for nothing in as long has all that it wants. */
const QUIET_MS = 150
const KNOWN_AIM_MS = 150
const KNOWN_ORDER = '01622001001'
const BRANCH = '010101'

/** With an ERP that takes so long for everything. */
export async function openPlant(erpMs: number): Promise<{ panel: Panel; stop: () => Promise<void> }> {
  const erp = await startErpSimulator()
  await erp.state.setFaults([{ id: 'F01', ms: erpMs, count: null }])
  const env = { ERP_URL: erp.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel' }
  const panel = await startPanel({ env })
  const db = openDb({ kind: 'sqlite', file: join(panel.dataDir, 'painel.sqlite') })
  await db.transaction(addUser)
  await db.close()
  return {
    panel,
    async stop() {
      await panel.stop()
      await erp.close()
    },
  }
}

/** Notes when the Enter of a scan is pressed, and when the form that it leads to has been drawn. */
const stopwatch = `
  const isThere = () => document.querySelector('section[aria-label="Cabo"]') !== null
  addEventListener('keydown', ({ key, timeStamp }) => {
    if (key !== 'Enter') return
    globalThis.tookMs = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('no form within 30 s')), 30_000)
      const observer = new MutationObserver(() => {
        if (!isThere()) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
      })
      observer.observe(document, { childList: true, subtree: true })
    })
  }, { capture: true })
`

/** Calls of the page that are under way; not its event stream, which never ends. */
function pendingCalls(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>()
  page.on('request', (request) => void (request.url().endsWith('/eventos') || pending.add(request)))
  const end = (request: Request) => void pending.delete(request)
  page.on('requestfinished', end).on('requestfailed', end)
  return pending
}

/** The search as a person comes to it, without what this tab has searched before: a list would be read again. */
async function openSearch(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('heading', { name: 'Painel Industrial', level: 1 }).waitFor()
  await page.evaluate('sessionStorage.clear()')
  await page.getByRole('link', { name: 'Corte e Crimpagem', exact: true }).click()
  await page.getByText('Digite um código de barras ou ordem').waitFor()
}

/** One scan after the other, each when what the one before has set going is over. */
async function timeScans(page: Page, barcodes: readonly string[]): Promise<number[]> {
  const pending = pendingCalls(page)
  const tookMs: number[] = []
  for (const barcode of barcodes) {
    await openSearch(page)
    do await wait(QUIET_MS)
    while (pending.size > 0)
    await scan(page, barcode)
    tookMs.push(await page.evaluate<number>('globalThis.tookMs'))
  }
  return tookMs.slice(WARM_UP)
}

/** A panel, a tablet and an ERP of their own, which know nothing yet. */
async function withTablet(browser: Browser, run: (page: Page) => Promise<number[]>): Promise<number[]> {
  const { panel, stop } = await openPlant(ERP_MS)
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
  try {
    await context.addInitScript(stopwatch)
    const page = await context.newPage()
    await logIn(page, 'operador', panel.url + SEARCH)
    return await run(page)
  } finally {
    await context.close()
    await stop()
  }
}

const said = (tookMs: readonly number[]) =>
  [0.5, 0.95].map((share) => `p${share * 100} ${quantile([...tookMs], share).toFixed(0)} ms`).join(', ')

export async function measureScans(): Promise<void> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const orders = makeSampleOrders().filter(({ branch, closed }) => branch === BRANCH && !closed)
  const barcodesOf = (order: (typeof orders)[number] | undefined) => order?.rows.map((row) => row.Z1_CODBAR) ?? []
  const ofKnown = barcodesOf(orders.find(({ number }) => number === KNOWN_ORDER))
  // whoever opens an item has its whole order a moment later
  const oneOfEach = orders.flatMap((order) => barcodesOf(order).slice(0, 1))
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const known = await withTablet(browser, async (page) => {
      await searchFor(page, KNOWN_ORDER)
      return await timeScans(page, ofKnown.slice(0, WARM_UP + SCANS))
    })
    const unknown: number[] = []
    while (unknown.length < SCANS) unknown.push(...(await withTablet(browser, (page) => timeScans(page, oneOfEach))))
    if (Math.min(...unknown) < ERP_MS) throw new Error('an item that nobody has read was answered without the ERP')
    console.log(`Scan to form in a browser, with an ERP of ${ERP_MS} ms.`)
    console.log(`known order     ${said(known)}, ${known.length} scans (aim of the p95: ${KNOWN_AIM_MS} ms)`)
    console.log(`unknown order   ${said(unknown)}, ${unknown.length} scans (the ERP's ${ERP_MS} ms in it)`)
  } finally {
    await browser.close()
  }
}
