// What a delivery costs as the queue of a tablet grows: in a real browser with its database on disk. From one request to the
// next, of acts that the server takes as they are. And how long a page takes that opens with so many.
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/programs.mjs'
import { fillCable, multiplyQueue, RECORD, saveHere } from '../test/support/journeys/cable.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { openItemOfOrder, SEARCH } from '../test/support/journeys/journey.ts'
import { startPanel } from '../test/support/panel.ts'
import { median } from './statistics.ts'

const SIZES = (process.env.BENCH_QUEUES ?? '100,2000,5000,100000').split(',').map(Number)
/** Of one queue. The order has pieces for all of them. */
const DELIVERIES = 60
const WARM_UP = 10
const AIM = 1.3
const BATCH = 5000
const WAIT_MS_MAX = 600_000
const LOOK_MS = 250

/** Script of the page, as text. */
const watchDeliveries = `
  globalThis.sentAt = []
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name.endsWith('/corte-crimpagem')) globalThis.sentAt.push(startTime)
  }).observe({ type: 'resource' })
`

type Figures = { openMs: number; deliveryMs: number }

async function fill(page: Page, size: number): Promise<void> {
  await fillCable(page)
  await saveHere(page, 1)
  for (let left = size - 1; left > 0; left -= BATCH) await multiplyQueue(page, Math.min(BATCH, left))
}

async function measureOne(folder: string, size: number): Promise<Figures> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const panel = await startPanel({ env: { DEMO_ERP_PROFILE: 'clean' } })
  const context = await chromium.launchPersistentContext(`${folder}/profile-${size}`, {
    ...{ executablePath, args: chromiumArgs, locale: 'pt-BR', baseURL: panel.url },
    viewport: { width: 1280, height: 800 },
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS_MAX)
    await openItemOfOrder(page)
    await page.route(RECORD, (route) => route.abort())
    await fill(page, size)
    await context.addInitScript(watchDeliveries)
    const begunAt = performance.now()
    // an item's form has costs of its own where more waits of it than it has pieces: all of these are of one item
    await page.goto(SEARCH)
    const name = new RegExp(`^Pendências: ${size} neste dispositivo`)
    await page.getByRole('link', { name }).waitFor()
    const openMs = performance.now() - begunAt
    await page.unroute(RECORD)
    await page.evaluate('sentAt.splice(0), void dispatchEvent(new Event("online"))')
    while ((await page.evaluate<number>('sentAt.length')) < DELIVERIES) await wait(LOOK_MS)
    const sentAt = (await page.evaluate<number[]>('sentAt')).slice(WARM_UP, DELIVERIES)
    const deliveryMs = median(sentAt.slice(1).map((at, n) => at - (sentAt[n] ?? 0)))
    return { openMs, deliveryMs }
  } finally {
    await context.close()
    await panel.stop()
  }
}

export async function measureQueues(folder: string): Promise<void> {
  let first: Figures | undefined
  for (const size of SIZES) {
    const figures = await measureOne(folder, size)
    first ??= figures
    const { openMs, deliveryMs } = figures
    const ratio = deliveryMs / first.deliveryMs
    const costs = `${deliveryMs.toFixed(0)} ms a delivery, ${ratio.toFixed(2)} times the first (aim at 5,000: ${AIM})`
    console.log(`${String(size).padStart(6)} in the queue: ${costs}; opens in ${openMs.toFixed(0)} ms`)
  }
}
