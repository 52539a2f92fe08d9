// What Lighthouse says of the first screens on a telephone, the median of five each. It is not installed with the rest, for
// 114 packages would come with it: LIGHTHOUSE names the folder that has it.
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeSampleOrders } from '../demo/simulator/sample-orders.ts'
import { findChromium } from '../scripts/programs.mjs'
import { EDITING_ITEM_KEY, links } from '../src/web/text/links.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { openPlant } from './scan.ts'
import { median } from './statistics.ts'

const VERSION = '13.5.0'
/** Of each screen. */
const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const AIM = 95

/** As much of the two libraries as is used here. */
type Page = { goto(url: string): Promise<unknown>; evaluate(script: string): Promise<unknown> }
type Cookie = { name: string; value: string; domain: string; httpOnly: true; secure: true; sameSite: 'Strict' }
type Context = { newPage(): Promise<Page>; setCookie(...cookies: Cookie[]): Promise<void>; close(): Promise<void> }
type Browser = { createBrowserContext(): Promise<Context>; close(): Promise<void> }
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

type Stored = { script: string; cookies: Cookie[] }
const nothing: Stored = { script: '', cookies: [] }

/** What a page finds on a tablet that somebody has logged in on, and before the item form the item. */
async function storedOf(origin: string): Promise<Stored> {
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(origin + path, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const body = JSON.stringify({ username: 'operador', password: 'operador' })
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const loggedIn = await call('/api/auth/login', { method: 'POST', headers, body })
  const session = (await loggedIn.json()) as { token: string }
  const pairs = loggedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const cookies = pairs.map((pair): Cookie => {
    const [name = '', value = ''] = pair.split('=')
    return { name, value, domain: new URL(origin).hostname, httpOnly: true, secure: true, sameSite: 'Strict' }
  })
  const [order] = makeSampleOrders()
  const barcode = order?.rows[0]?.Z1_CODBAR ?? ''
  const authorization = { authorization: `Bearer ${session.token}`, cookie: pairs.join('; ') }
  const path = `/api/apontamentos/itens/${barcode}?filial=${order?.branch}`
  const { item } = (await (await call(path, { headers: authorization })).json()) as { item: object }
  const local = {
    token: session.token,
    basicAuth: Buffer.from(`operador:${session.token}`).toString('base64'),
    user: JSON.stringify(session),
  }
  const script = `
    for (const [key, value] of Object.entries(${JSON.stringify(local)})) localStorage.setItem(key, value)
    sessionStorage.setItem('${EDITING_ITEM_KEY}', ${JSON.stringify(JSON.stringify(item))})
  `
  return { script, cookies }
}

export async function measureLighthouse(): Promise<void> {
  const { puppeteer, lighthouse } = await load()
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const { panel, stop } = await openPlant(0)
  const browser = await puppeteer.launch({ executablePath, args: chromiumArgs })
  try {
    const stored = await storedOf(panel.url)
    const scoreOf = async (path: string, { script, cookies }: Stored) => {
      // a device of its own, which has nothing of the panel but what is stored here
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      await context.setCookie(...cookies)
      await page.goto(`${panel.url}/robots.txt`)
      await page.evaluate(script)
      const flags = { logLevel: 'error', onlyCategories: ['performance'] }
      const { lhr } = await lighthouse(panel.url + path, flags, undefined, page)
      await context.close()
      // without a session, or an item, it would be another screen
      if (!lhr.finalDisplayedUrl.endsWith(path)) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`)
      return 100 * (lhr.categories.performance.score ?? 0)
    }
    for (const [name, path, found] of [
      ['login', links.login, nothing],
      ['dashboard', links.dashboard, stored],
      ['search', links.cutCrimp, stored],
      ['item form', links.itemEdit, stored],
    ] as const) {
      const scores: number[] = []
      for (let run = 0; run < RUNS; run++) scores.push(await scoreOf(path, found))
      const said = scores.map((score) => score.toFixed(0)).join(' ')
      console.log(`${name.padEnd(10)} ${median(scores).toFixed(0)} (${said}; aim ${AIM})`)
    }
  } finally {
    await browser.close()
    await stop()
  }
}
