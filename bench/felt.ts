// How fast the panel feels on an old tablet: a browser whose processor is slowed down four times, with an order that the tablet has
// read before. From the scanner's last key, the finger's press or the start of the page to the picture that answers it.
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { makeSampleOrders } from '../demo/simulator/sample-orders.ts'
import { findChromium } from '../scripts/programs.mjs'
import { present } from '../src/domain/acts/recordings.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { logIn, SEARCH, scan, searchFor } from '../test/support/journeys/journey.ts'
import { openPlant } from './scan.ts'
import { quantile } from './statistics.ts'

const SLOWER = 4
const ERP_MS = 200
const ORDER = '01622001001'
const BRANCH = '010101'
/** Items that are opened, and cables registered. */
const ITEMS = Number(process.env.BENCH_ITEMS ?? 20)
const STARTS = Number(process.env.BENCH_STARTS ?? 7)
/** The first ones find nothing ready in the browser. */
const WARM_UP = 2
const TASK_MS_MAX = 50

/** In the page: notes when something was pressed, and how long it took until what `until` names was drawn. */
const instruments = `
  const drawn = (isThere, from) => new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('nothing within 30 s: ' + isThere)), 30_000)
    const look = () => {
      if (!isThere()) return
      clearTimeout(giveUp)
      observer.disconnect()
      removeEventListener('focusin', look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    addEventListener('focusin', look)
  })
  const line = () => document.querySelector('[role=status][aria-label="Leitura"]')?.textContent
  const head = () => document.querySelector('h1')?.textContent
  const answers = {
    form: () => { const before = head(); return () => head() !== before && document.querySelector('section[aria-label="Cabo"]') !== null },
    verdict: () => { const before = line(); return () => line() !== before },
    field: () => () => document.activeElement?.closest('[data-part]') && document.activeElement.closest('[data-part]').dataset.part !== 'cabo',
    scrap: () => () => document.querySelector('[role=dialog]') !== null,
  }
  addEventListener('keydown', ({ key, timeStamp }) => {
    globalThis.burstFrom ??= timeStamp
    if (key !== 'Enter' || !globalThis.expected) return
    globalThis.burst = [globalThis.burstFrom, timeStamp]
    globalThis.tookMs = drawn(answers[globalThis.expected](), timeStamp)
  }, { capture: true })
  addEventListener('click', ({ timeStamp }) => {
    if (['field', 'scrap'].includes(globalThis.expected)) globalThis.tookMs = drawn(answers[globalThis.expected](), timeStamp)
  }, { capture: true })
  globalThis.tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' })
  globalThis.interactions = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
  }).observe({ type: 'event', durationThreshold: 16 })
`

/**
 * How fast the processor is before it is slowed down, as Lighthouse's `benchmarkIndex` counts it: times below are to be compared with
 * those of a run with about the same index. Lighthouse takes 1,500 to 2,000 for a desk's computer, and slows that down four times.
 */
const processorIndex = `(() => {
  const perSecond = (turn) => {
    const from = Date.now()
    let turns = 0
    while (turns % 10 !== 0 || Date.now() - from < 500) turn(turns++)
    return turns / 10 / ((Date.now() - from) / 1000)
  }
  const arrays = [0, 1].map(() => Array.from({ length: 100_000 }, (_, at) => at))
  const join = () => {
    let text = ''
    for (let at = 0; at < 10_000; at++) text += 'a'
    if (text.length === 1) throw new Error()
  }
  const copy = (turn) => {
    const [from, to] = turn % 2 === 0 ? arrays : [arrays[1], arrays[0]]
    for (let at = 0; at < from.length; at++) to[at] = from[at]
  }
  return Math.round((perSecond(join) + perSecond(copy)) / 2)
})()`

const endWarmUp = 'interactions.clear(); countedFrom = performance.interactionCount ?? 0'
/** Since the warm-up. Those of less than a frame are only counted. */
const allInteractions = `[...interactions.values(),
  ...Array(Math.max(0, (performance.interactionCount ?? 0) - countedFrom - interactions.size)).fill(0)]`

type Answer = 'verdict' | 'form' | 'field' | 'scrap'
type Felt = Record<Answer, number[]> & { interactionMs: number[]; dialogMs: number[]; burstTaskMs: number[] }

/** The dialog of scrap from its opening to its end: a reason, a number, away with it. Resolves to its interactions to next paint. */
async function throughDialog(page: Page, open: () => Promise<void>): Promise<number[]> {
  // the reading before is drawn and its entries are written: they are none of the dialog's
  await page.waitForTimeout(1000)
  await page.evaluate('dialogFrom = new Set(interactions.keys())')
  await open()
  const dialog = page.getByRole('dialog')
  await dialog.locator('button[aria-pressed]').first().click()
  await page.keyboard.type('12', { delay: 100 })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // their entries come after the paint
  await page.waitForTimeout(300)
  return await page.evaluate<number[]>(
    '[...interactions].filter(([id]) => !dialogFrom.has(id)).map(([, duration]) => duration)',
  )
}

/** What the last press led to, and the longest task of its burst of keys. */
async function timed(page: Page, expected: Answer, press: () => Promise<void>) {
  await page.evaluate(`expected = '${expected}'; burst = undefined; burstFrom = undefined; tookMs = undefined`)
  await press()
  const tookMs = await page.evaluate<number>('tookMs')
  const taskMs = await page.evaluate<number>(`new Promise((resolve) => setTimeout(() => resolve(Math.max(0, ...tasks
    .filter(({ startTime, duration }) => burst && startTime < burst[1] && startTime + duration > burst[0])
    .map(({ duration }) => duration)))))`)
  return { tookMs, taskMs }
}

async function slowed(context: BrowserContext, page: Page): Promise<Page> {
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return page
}

/** The cable can be registered, and then the cursor has a side to go to. */
const isOpenBeyondCable = `document.querySelector('[aria-label="Registrar cabo"]:enabled') !== null &&
  document.querySelector('[data-part=l1] input:enabled, [data-part=l2] input:enabled') !== null`

/** Cables of an order, one after the other, as an operator at a cutting machine registers them. */
async function workThrough(page: Page): Promise<Felt> {
  const felt: Felt = { verdict: [], form: [], field: [], scrap: [], interactionMs: [], dialogMs: [], burstTaskMs: [] }
  const rows = makeSampleOrders()
    .filter(({ branch, number }) => branch === BRANCH && number === ORDER)
    .flatMap((order) => order.rows)
    .filter((row) => present(row.Z1_CODCABO) && (present(row.Z1_TERML1) ?? present(row.Z1_TERML2)))
  const time = async (expected: Answer, press: () => Promise<void>, isCounted: boolean) => {
    const { tookMs, taskMs } = await timed(page, expected, press)
    if (!isCounted) return
    felt[expected].push(tookMs)
    if (expected === 'verdict' || expected === 'form') felt.burstTaskMs.push(taskMs)
  }
  // chosen once: the tablet proposes it from then on
  let hasMachine = false
  for (const [at, row] of rows.slice(0, WARM_UP + ITEMS).entries()) {
    const isCounted = at >= WARM_UP
    if (at === WARM_UP) await page.evaluate(endWarmUp)
    await time('form', () => scan(page, row.Z1_CODBAR), isCounted)
    await page.waitForTimeout(1000)
    await time('verdict', () => scan(page, `L2611${String(at).padStart(4, '0')}`), isCounted)
    await time('verdict', () => scan(page, row.Z1_CODBAR), isCounted)
    const dialogMs = await throughDialog(page, () =>
      time('scrap', () => page.getByRole('button', { name: 'Refugo: cabo' }).click(), isCounted),
    )
    if (isCounted) felt.dialogMs.push(...dialogMs)
    const goesOn = await page.evaluate<boolean>(isOpenBeyondCable)
    if (goesOn && !hasMachine) await time('verdict', () => scan(page, 'KX0001'), false)
    hasMachine ||= goesOn
    if (goesOn) await time('field', () => page.getByRole('button', { name: 'Registrar cabo' }).click(), isCounted)
    await page.waitForTimeout(1000)
  }
  felt.interactionMs = await page.evaluate<number[]>(allInteractions)
  return felt
}

/** Of the installed page, without network: from its address to the form that was open. */
async function timeStarts(context: BrowserContext, address: string): Promise<number[]> {
  const tookMs: number[] = []
  await context.setOffline(true)
  for (let start = 0; start < STARTS; start++) {
    const page = await slowed(context, await context.newPage())
    const from = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' }).waitFor()
    tookMs.push(performance.now() - from)
    await page.close()
  }
  return tookMs
}

async function measureIn(browser: Browser) {
  const { panel, stop } = await openPlant(ERP_MS)
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 }, hasTouch: true })
  try {
    await context.addInitScript(instruments)
    const page = await context.newPage()
    await logIn(page, 'operador', panel.url + SEARCH)
    await searchFor(page, ORDER)
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
    const index = await page.evaluate<number>(processorIndex)
    await slowed(context, page)
    const felt = await workThrough(page)
    await page.close()
    return { ...felt, index, startMs: await timeStarts(context, panel.url + SEARCH) }
  } finally {
    await context.close()
    await stop()
  }
}

function print(name: string, values: readonly number[], share: number, aimMs: number): void {
  const [found, middle] = [quantile([...values], share), quantile([...values], 0.5)]
  const mark = found <= aimMs ? 'reached' : 'NOT reached'
  const figures = `p50 ${middle.toFixed(0)} ms, p${share * 100} ${found.toFixed(0)} ms of ${values.length}`
  console.log(`${name.padEnd(34)} ${figures} (aim ${aimMs} ms: ${mark})`)
}

export async function measureFelt(): Promise<void> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const felt = await measureIn(browser)
    console.log(`On a processor of index ${felt.index}, slowed down ${SLOWER} times, with an ERP of ${ERP_MS} ms.`)
    print('scan to verdict', felt.verdict, 0.95, 100)
    print('scan to form, known order', felt.form, 0.95, 150)
    print("'Registrar' to the next field", felt.field, 0.95, 150)
    print("'Refugo' to its dialog", felt.scrap, 0.95, 200)
    print('in that dialog, to next paint', felt.dialogMs, 0.98, 200)
    print('interaction to next paint', felt.interactionMs, 0.98, 100)
    print('longest task of a burst of keys', felt.burstTaskMs, 1, TASK_MS_MAX)
    print('start of the page without network', felt.startMs, 0.5, 1500)
  } finally {
    await browser.close()
  }
}
