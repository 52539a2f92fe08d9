import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect as expectValue, onTestFinished, test } from 'vitest'
import { links } from '../../src/web/text/links.ts'
import { temporaryFolder } from '../support/harness.ts'
import {
  badge,
  callButton,
  callDialog,
  callMaintenance,
  callsAtServer,
  fillCable,
  fillSide1,
  measureSide1,
  multiplyQueue,
  piecesAtErp,
  piecesAtServer,
  registerIn,
  registerPieces,
} from '../support/journeys/cable.ts'
import { expect, queryPanel, section } from '../support/journeys/journey.ts'
import { samplesAt } from '../support/journeys/measuring.ts'
import { saveScrap, scrapButton, scrapDialog, scrapsAtServer } from '../support/journeys/scrapping.ts'
import { makeTablet, returnToItem, waitingText } from '../support/journeys/tablet.ts'
import { type PanelProcess, startPanel } from '../support/panel.ts'
import { report } from '../support/promises/report.ts'
import { isFull } from '../support/promises/sizes.ts'
import { LONG } from '../support/slowness.ts'
import { root } from '../support/tidy/source.ts'

/** The commit that the version before this one was made of: it moves with each version. */
const VERSION_BEFORE = 'd0538548db810927b5eb4806a417976b262aed4b'
const POLL = { ...LONG, intervals: [250] }
const WEB = join('dist', 'web')

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 28 })

/** The version before with its page built, from the history; null where there is none. */
function makeVersionBefore(): string | null {
  const { status, stdout, stderr, error } = git('archive', VERSION_BEFORE, '--', '.')
  const why = `not run, for the history does not have ${VERSION_BEFORE}: ${error?.message ?? stderr}`
  if (isFull) expectValue(status, why).toBe(0)
  if (status !== 0) {
    console.log(why)
    return null
  }
  const folder = temporaryFolder()
  execFileSync('tar', ['-x', '-C', folder], { input: stdout })
  // its own: this version may have left packages behind that its page is built with
  execFileSync('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder, env })
  return folder
}

/** Puts the server of one version into a folder, in the place of the one that is there. */
function installServer(server: string, folder: string): void {
  for (const part of ['src', 'demo', 'scripts', 'package.json', 'CHANGELOG.md']) {
    rmSync(join(folder, part), { recursive: true, force: true })
    cpSync(join(server, part), join(folder, part), { recursive: true })
  }
}

/** The server of one version with the page of another, as while tablets and servers are brought up to date. */
function makeMixed(server: string, page: string): string {
  const folder = join(temporaryFolder(), 'painel')
  mkdirSync(folder)
  installServer(server, folder)
  cpSync(join(page, WEB), join(folder, WEB), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

type Open = { page: Page; panel: PanelProcess; folder: string }

async function recordOn(folder: string, andThen: (open: Open) => Promise<void> = async () => {}): Promise<void> {
  const panel = await startPanel({ installedIn: folder, env: { DEMO_ERP_PROFILE: 'clean' } })
  onTestFinished(() => panel.stop())
  const tablet = await makeTablet(panel.url)
  onTestFinished(tablet.remove)
  const page = await tablet.open(false)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await returnToItem(page, panel.url)
  await fillCable(page)
  for (const pieces of [1, 2]) await registerPieces(page, pieces)
  await expect.poll(() => piecesAtServer(panel), POLL).toEqual([1, 2])
  await expect.poll(() => piecesAtErp(panel), POLL).toBe(3)
  // saved where nobody answers, and sent by the page that it was saved in
  await panel.kill('SIGTERM')
  await registerPieces(page, 3)
  await expect(badge(page)).toBeVisible()
  await panel.restart()
  await expect.poll(() => piecesAtErp(panel), POLL).toBe(6)
  await expect(badge(page)).toBeHidden(POLL)
  await andThen({ page, panel, folder })
  // whatever one of them says of the database, the other takes for no proof that it went back
  expectValue(queryPanel(panel, "select id from audit_entries where action = 'epoch_begun'")).toEqual([])
  expectValue(errors).toEqual([])
}

/** The page before knows no plan: nothing stops it, and what it says was measured is a sample of its recording. */
async function recordCrimp({ page, panel }: Open): Promise<void> {
  const side = section(page, 'Terminal Lado 1')
  await fillSide1(page)
  await side.getByRole('textbox', { name: 'Força de extração' }).fill('70')
  await side.getByRole('textbox', { name: 'Altura de crimpagem' }).fill('1,1')
  await registerIn(side, 'Registrar lado 1', 4)
  await expect.poll(() => piecesAtServer(panel), POLL).toEqual([1, 2, 3, 4])
  await expect(badge(page)).toBeHidden(POLL)
  expectValue(samplesAt(panel).map(({ characteristic }) => characteristic)).toEqual(['altura'])
}

/** This version's page without the reasons that the server before does not have: it throws away in words. */
async function throwAwayInWords(page: Page): Promise<void> {
  await saveScrap(page, 'Outro', 12, { words: 'rebarba', isOnly: true })
  await expect(scrapDialog(page)).toBeHidden()
  await expect(badge(page)).toHaveAccessibleName(waitingText(3), POLL)
}

/** What this version's page makes and the server before does not know waits, holds up nothing, and leaves when the server is brought up to date. */
async function callMeasureScrapAndUpdate({ page, panel, folder }: Open): Promise<void> {
  await callMaintenance(page, 'lado 1', 'Máquina parada', 'PR0001')
  await expect(badge(page)).toHaveAccessibleName(waitingText(1), POLL)
  await registerPieces(page, 4)
  await expect.poll(() => piecesAtErp(panel), POLL).toBe(10)
  await expect(badge(page)).toHaveAccessibleName(waitingText(1), POLL)
  await fillSide1(page)
  await measureSide1(page, '1,1', '75')
  await expect(badge(page)).toHaveAccessibleName(waitingText(2), POLL)
  await throwAwayInWords(page)
  await registerPieces(page, 5)
  await expect.poll(() => piecesAtErp(panel), POLL).toBe(15)
  await expect(badge(page)).toHaveAccessibleName(waitingText(3), POLL)
  // a team that the server before does not know is not offered
  await callButton(page, 'lado 1').click()
  await expect(callDialog(page)).toHaveAccessibleName('Chamar manutenção')
  await callDialog(page).getByRole('button', { name: 'Fechar' }).click()
  await panel.kill('SIGTERM')
  installServer(root, folder)
  await panel.restart()
  await expect(badge(page)).toBeHidden(POLL)
  expectValue(callsAtServer(panel)).toEqual([{ symptom: 'maquina-parada', joined: 0, state: 'aberto' }])
  expectValue(scrapsAtServer(panel)).toEqual([{ reason_code: 'outro', note: 'rebarba', pieces: 12, undone: 0 }])
  await callButton(page, 'lado 1').click()
  await callDialog(page).getByText('Qualidade').click(POLL)
  await callDialog(page).getByRole('button', { name: 'Peça duvidosa' }).click()
  await expect
    .poll(() => queryPanel(panel, 'select team from maintenance_calls order by received_at'), POLL)
    .toEqual([{ team: 'manutencao' }, { team: 'qualidade' }])
  expectValue(samplesAt(panel).map(({ characteristic }) => characteristic)).toEqual(['altura', 'forca'])
}

/** The page of one version in the place of the one that is there. */
async function installPage(page: Page, folder: string, version: string): Promise<void> {
  rmSync(join(folder, WEB), { recursive: true, force: true })
  cpSync(join(version, WEB), join(folder, WEB), { recursive: true })
  await page.evaluate('caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))')
}

/** The way back: the page before opens what this one has kept, and delivers it, but for a kind that it does not know. */
async function goBack({ page, panel, folder }: Open, before: string): Promise<void> {
  await expect(scrapButton(page, 'cabo')).toBeVisible(POLL)
  await panel.kill('SIGTERM')
  await registerPieces(page, 1)
  await expect(badge(page)).toHaveAccessibleName(waitingText(1), POLL)
  await multiplyQueue(page, 49)
  await saveScrap(page, 'Cabo errado', 12, { where: 'cabo' })
  await expect(badge(page)).toHaveAccessibleName(waitingText(51), POLL)
  await installPage(page, folder, before)
  await panel.restart()
  await page.reload()
  await expect.poll(() => piecesAtServer(panel).length, POLL).toBe(53)
  await expect(badge(page)).toHaveAccessibleName(waitingText(1), POLL)
  expectValue(scrapsAtServer(panel)).toEqual([])
  await installPage(page, folder, root)
  await page.goto(`${panel.url}${links.pending}`)
  await page.getByRole('button', { name: 'Enviar agora' }).click(POLL)
  await expect(badge(page)).toBeHidden(POLL)
  expectValue(scrapsAtServer(panel)).toMatchObject([{ reason_code: 'cabo-errado', pieces: 12, undone: 0 }])
  expectValue(piecesAtServer(panel).slice(3)).toEqual(Array(50).fill(1))
  expectValue(queryPanel(panel, 'select distinct id from recordings')).toHaveLength(53)
}

test('a tablet that goes back to the page before finds its queue there: 50 wait, 50 are delivered', async () => {
  const before = makeVersionBefore()
  if (before === null) return
  await recordOn(makeMixed(root, root), (open) => goBack(open, before))
  report('way back', { waiting: 51 }, { delivered: 50, afterUpdate: 1 })
})

test('while an update is under way an operator goes on: each version of the page with the server of the other', async () => {
  const before = makeVersionBefore()
  if (before === null) return
  await recordOn(makeMixed(root, before), recordCrimp)
  await recordOn(makeMixed(before, root), callMeasureScrapAndUpdate)
  report('version skew', { pages: 2 }, { recordings: 9, calls: 2, samples: 1, scraps: 1, epochs: 0 })
})
