import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../../scripts/programs.mjs'
import { limitMs } from '../slowness.ts'
import { CALL_MAINTENANCE, MEASURE, RECORD } from './cable.ts'
import { chromiumArgs } from './chromium.ts'
import { expect, logIn, ORDER, openItem, SEARCH, searchFor } from './journey.ts'
import { THROW_AWAY } from './scrapping.ts'

/** A browser with a profile on disk that can be killed as a tablet's is: without a moment to say goodbye. */
export type Tablet = {
  /** Starts it, with nobody to take recordings or to tell the status while `isCutOff`. */
  open: (isCutOff: boolean) => Promise<Page>
  kill: () => Promise<void>
  /** Kills it and forgets what was on its disk. */
  remove: () => Promise<void>
}

async function debuggerUrl(child: ChildProcess): Promise<string> {
  let printed = ''
  for await (const text of child.stderr ?? []) {
    printed += String(text)
    const [url] = /ws:\/\/\S+/.exec(printed) ?? []
    if (url) return url
  }
  throw new Error(`Chromium did not start:\n${printed}`)
}

export async function makeTablet(panelUrl: string): Promise<Tablet> {
  const profile = await mkdtemp(join(tmpdir(), 'tablet-'))
  let child: ChildProcess | null = null
  const kill = async () => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await exited
  }
  const start = async () => {
    const args = [
      '--headless=new',
      '--window-size=1280,900',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      ...chromiumArgs,
    ]
    child = spawn(findChromium() ?? '', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
    return await chromium.connectOverCDP(await debuggerUrl(child), { timeout: limitMs(30_000) })
  }
  const open = async (isCutOff: boolean) => {
    // Chromium that was killed may hang while it starts: who holds the tablet starts it once more
    const browser = await start().catch(async () => {
      await kill()
      return await start()
    })
    const [context] = browser.contexts()
    if (!context) throw new Error('Chromium has no profile open')
    if (isCutOff)
      for (const call of [RECORD, CALL_MAINTENANCE, MEASURE, THROW_AWAY, '**/api/status'])
        await context.route(call, (route) => route.abort())
    const page = await context.newPage()
    page.setDefaultTimeout(limitMs(30_000))
    await page.goto(panelUrl + SEARCH)
    return page
  }
  const remove = async () => {
    await kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { open, kill, remove }
}

/** A browser that is killed may forget who had just logged in: local storage and cookies are written lazily. */
export async function logInAgain(page: Page, url: string): Promise<void> {
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await expect(box.or(page.getByLabel('Usuário'))).toBeVisible()
  if (await page.getByLabel('Usuário').isVisible()) await logIn(page, 'operador', url + SEARCH)
}

export async function returnToItem(page: Page, url: string): Promise<void> {
  await logInAgain(page, url)
  await searchFor(page, ORDER)
  await openItem(page)
}

export const waitingText = (count: number) => new RegExp(`^Pendências: ${count} neste dispositivo`)
