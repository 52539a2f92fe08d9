import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../scripts/programs.mjs'
import { badge, fillCable, piecesAtErp, piecesAtServer, RECORD, saveHere } from './cable.ts'
import { chromiumArgs } from './chromium.ts'
import {
  BARCODE,
  test as base,
  crimpsOf,
  expect,
  logIn,
  ORDER,
  openItem,
  pick,
  queryPanel,
  readErpItem,
  searchFor,
  section,
  toast,
} from './journey.ts'

/** A browser with a profile on disk that can be killed as a tablet's is: without a moment to say goodbye. */
type Tablet = {
  /** Starts it, with nobody to take recordings or to tell the status while `isCutOff`. */
  open: (isCutOff: boolean) => Promise<Page>
  kill: () => Promise<void>
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

const test = base.extend<{ tablet: Tablet }>({
  tablet: async ({ panel }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'tablet-'))
    let child: ChildProcess | null = null
    const kill = async () => {
      if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      process.kill(-child.pid, 'SIGKILL')
      await exited
    }
    const open = async (isCutOff: boolean) => {
      const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...chromiumArgs]
      child = spawn(findChromium() ?? '', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
      const browser = await chromium.connectOverCDP(await debuggerUrl(child))
      const [context] = browser.contexts()
      if (!context) throw new Error('Chromium has no profile open')
      if (isCutOff) for (const call of [RECORD, '**/api/status']) await context.route(call, (route) => route.abort())
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      await page.goto(panel.url)
      return page
    }
    await use({ open, kill })
    await kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** A browser that is killed may forget who had just logged in: local storage is written lazily. */
async function returnToItem(page: Page, url: string): Promise<void> {
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await expect(box.or(page.getByLabel('Usuário'))).toBeVisible()
  if (await page.getByLabel('Usuário').isVisible()) await logIn(page, 'operador', url)
  await searchFor(page, ORDER)
  await openItem(page)
}

async function fillSide1(page: Page): Promise<void> {
  const terminal = section(page, 'Terminal Lado 1')
  await terminal.getByLabel('Lote').fill('B23-004517/2')
  await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T1326030', /MA-0001/)
  await pick(page, 'Selecionar máquina do lado 1', 'Selecionar Máquina - Terminal Lado 1', /PR0001/)
}

const waitingText = (count: number) => new RegExp(`^Pendências: ${count} neste dispositivo`)

test('três apontamentos na fila sobrevivem à morte do navegador, uma vez cada e em ordem', async ({
  tablet,
  panel,
}) => {
  let page = await tablet.open(true)
  await returnToItem(page, panel.url)
  await fillCable(page)
  await saveHere(page, 5, 7, 9)
  await tablet.kill()
  expect(piecesAtServer(panel)).toEqual([])

  page = await tablet.open(false)
  await expect.poll(() => piecesAtServer(panel)).toEqual([5, 7, 9])
  await expect.poll(() => piecesAtErp(panel)).toBe(21)
  await expect(badge(page)).toBeHidden()
})

/** Twice as many, for cable and side 1 in turn; each amount differs from the one before it. */
const amountsOf = (round: number) => Array.from({ length: round === 2 ? 9 : 8 }, (_, at) => 1 + ((round * 8 + at) % 3))

test('50 apontamentos sem rede e três mortes do navegador: todos uma vez, em ordem', async ({ tablet, panel }) => {
  test.setTimeout(300_000)
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  const expected: number[] = []
  for (const round of [0, 1, 2]) {
    const page = await tablet.open(true)
    await returnToItem(page, panel.url)
    await fillCable(page)
    await fillSide1(page)
    for (const pieces of amountsOf(round)) {
      expected.push(pieces)
      await saveHere(page, pieces)
      await section(page, 'Terminal Lado 1').getByLabel('Quantidade de peças').fill(String(pieces))
      await page.getByRole('button', { name: 'Registrar lado 1' }).click()
      await expect(badge(page)).toHaveAccessibleName(waitingText(expected.length * 2))
    }
    if (round < 2) await tablet.kill()
    else await page.context().unrouteAll()
  }
  expect(expected).toHaveLength(25)
  // The third death comes in the middle of the delivery.
  await expect.poll(() => piecesAtServer(panel).length, { timeout: 90_000 }).toBeGreaterThanOrEqual(5)
  await tablet.kill()
  expect(piecesAtServer(panel).length).toBeLessThan(50)

  const page = await tablet.open(false)
  await expect.poll(() => piecesAtServer(panel).length, { timeout: 90_000 }).toBe(50)
  await expect(badge(page)).toBeHidden({ timeout: 30_000 })
  await expect(toast(page)).toHaveText('')
  for (const part of ['cabo', 'l1']) {
    const rows = queryPanel<{ pieces: number }>(
      panel,
      'select pieces from recordings where part = ? order by received_at, rowid',
      part,
    )
    expect(rows.map(({ pieces }) => pieces)).toEqual(expected)
  }
  const total = expected.reduce((sum, pieces) => sum + pieces, 0)
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + total)
  await expect
    .poll(
      async () => {
        const { Z1_QTREGCO, Z1_QTREGL1 } = await readErpItem(panel, ORDER, BARCODE)
        return [Z1_QTREGCO, Z1_QTREGL1].map(Number)
      },
      { timeout: 60_000 },
    )
    .toEqual([total, total])
})
