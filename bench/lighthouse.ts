// What Lighthouse says of the first screens on a telephone, the median of five each. It is not installed with the rest, for
// 114 packages would come with it: LIGHTHOUSE names the folder that has it.
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeSampleOrders } from '../demo/simulator/sample-orders.ts'
import { findChromium } from '../scripts/programs.mjs'
import { EDITING_ITEM_KEY, links } from '../src/web/app/links.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { openPlant } from './scan.ts'
import { median } from './statistics.ts'

const VERSION = '13.5.0'
/** Of each screen. */
const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const AIM = 95

/** As much of the two libraries as is used here. */
type Page = { evaluateOnNewDocument(script: string): Promise<unknown>; close(): Promise<void> }
type Browser = { newPage(): Promise<Page>; close(): Promise<void> }
type Puppeteer = { launch(options: object): Promise<Browser> }
type Result = { lhr: { finalDisplayedUrl: string; categories: { performance: { score: number | null } } } }
type Lighthouse = (url: string, flags: object, config: undefined, page: Page) => Promise<Result>

async function load(): Promise<{ puppeteer: Puppeteer; lighthouse: Lighthouse }> {
  const folder = process.env.LIGHTHOUSE
  if (!folder) {
    const get = `npm install --prefix ~/lighthouse lighthouse@${VERSION}`
    throw new Error(`Lighthouse is not installed with the rest: ${get}, then repeat with LIGHTHOUSE=~/lighthouse`)
  }
  const from = createRequire(join(resolve(folder), 'package.json'))
  const open = async (name: string) =>
    ((await import(pathToFileURL(from.resolve(name)).href)) as { default: unknown }).default
  return {
    puppeteer: (await open('puppeteer-core')) as Puppeteer,
    lighthouse: (await open('lighthouse')) as Lighthouse,
  }
}

/** What a page finds on a tablet that somebody has logged in on, and before the item form the item. */
async function storedOf(origin: string): Promise<string> {
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(origin + path, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  const body = JSON.stringify({ username: 'operador', password: 'operador' })
  const headers = { 'content-type': 'application/json' }
  const session = (await call('/api/auth/login', { method: 'POST', headers, body })) as { token: string }
  const [order] = makeSampleOrders()
  const barcode = order?.rows[0]?.Z1_CODBAR ?? ''
  const authorization = { authorization: `Bearer ${session.token}` }
  const path = `/api/apontamentos/itens/${barcode}?filial=${order?.branch}`
  const { item } = (await call(path, { headers: authorization })) as { item: object }
  const local = {
    token: session.token,
    basicAuth: Buffer.from(`operador:${session.token}`).toString('base64'),
    user: JSON.stringify(session),
  }
  return `
    for (const [key, value] of Object.entries(${JSON.stringify(local)})) localStorage.setItem(key, value)
    sessionStorage.setItem('${EDITING_ITEM_KEY}', ${JSON.stringify(JSON.stringify(item))})
  `
}

export async function measureLighthouse(): Promise<void> {
  const { puppeteer, lighthouse } = await load()
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const { panel, stop } = await openPlant(0)
  const browser = await puppeteer.launch({ executablePath, args: chromiumArgs })
  try {
    const stored = await storedOf(panel.url)
    const scoreOf = async (path: string, script: string) => {
      const page = await browser.newPage()
      if (script !== '') await page.evaluateOnNewDocument(script)
      const flags = { logLevel: 'error', onlyCategories: ['performance'] }
      const { lhr } = await lighthouse(panel.url + path, flags, undefined, page)
      await page.close()
      // without a session, or an item, it would be another screen
      if (!lhr.finalDisplayedUrl.endsWith(path)) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`)
      return 100 * (lhr.categories.performance.score ?? 0)
    }
    for (const [name, path, script] of [
      ['login', links.login, ''],
      ['dashboard', links.dashboard, stored],
      ['search', links.cutCrimp, stored],
      ['item form', links.itemEdit, stored],
    ] as const) {
      const scores: number[] = []
      for (let run = 0; run < RUNS; run++) scores.push(await scoreOf(path, script))
      const said = scores.map((score) => score.toFixed(0)).join(' ')
      console.log(`${name.padEnd(10)} ${median(scores).toFixed(0)} (${said}; aim ${AIM})`)
    }
  } finally {
    await browser.close()
    await stop()
  }
}
