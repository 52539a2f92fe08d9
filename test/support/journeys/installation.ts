import { hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { type PanelProcess, startPanel } from '../panel.ts'
import { LONG } from '../slowness.ts'
import { root } from '../tidy/source.ts'
import { test as base, expect } from './journey.ts'

const [THIS, NEXT] = ['v2.0', 'v2.1']
/** What the sidebar says. */
export const THIS_VERSION = `${THIS} - Painel Industrial`
export const NEXT_VERSION = `${NEXT} - Painel Industrial`

const WEB = join('dist', 'web')
const VERSION_FILE = join('src', 'contract', 'settings.ts')

/** What two versions differ in, here: the page, and the source that says their name. */
async function putVersion(from: string, folder: string): Promise<void> {
  await rm(join(folder, WEB), { recursive: true, force: true })
  await cp(join(from, WEB), join(folder, WEB), { recursive: true })
  await cp(join(from, VERSION_FILE), join(folder, VERSION_FILE))
}

/**
 * What a build leaves whose sources differ in the version's name, without its half a minute: every changed script has a
 * name of its own, and is one because it says that version, or the name of another changed one.
 */
async function makeNextVersion(folder: string): Promise<void> {
  await putVersion(root, folder)
  const web = join(folder, WEB)
  const names = (await readdir(web, { recursive: true })).filter((name) =>
    /^(assets.)?[^\\/]+\.(html|js|json)$/.test(name),
  )
  const texts = new Map<string, string>()
  for (const name of names) texts.set(name, await readFile(join(web, name), 'utf8'))
  const renamed = new Map<string, string>()
  const renameWhatSays = (words: string) => {
    for (const [name, text] of texts) {
      const script = basename(name)
      if (!name.startsWith('assets') || renamed.has(script) || !text.includes(words)) continue
      renamed.set(
        script,
        script.replace(/[\w-]{8}(?=\.js$)/, (part) => [...part].reverse().join('')),
      )
      renameWhatSays(script)
    }
  }
  renameWhatSays(THIS)
  const next = (text: string) =>
    text
      .replaceAll(THIS, NEXT)
      .replace(/[\w-]+-[\w-]{8}\.js/g, (script) => renamed.get(script) ?? script)
      .replace(/(<meta name="pagina" content="[^"]*)"/, '$1b"')
  const sha256 = (text: string) => hash('sha256', text, 'base64')
  const before = texts.get('index.html') ?? ''
  for (const [name, text] of texts) {
    if (next(text) === text) continue
    for (const form of ['', '.br', '.gz']) await rm(join(web, name + form), { force: true })
    await writeFile(join(web, next(name)), next(text).replace(sha256(before), sha256(next(before))))
  }
  const source = join(folder, VERSION_FILE)
  await writeFile(source, next(await readFile(source, 'utf8')))
}

/** Of this worker: its modules are not compiled anew for each journey. */
let folders: Promise<{ installed: string; next: string }> | undefined

/** A folder as a plant has it, and the files of the next version. */
async function makeFolders() {
  const folder = await mkdtemp(join(tmpdir(), 'painel-instalado-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const [installed, next] = [join(folder, 'painel'), join(folder, 'proxima')]
  for (const part of ['src', 'demo', 'scripts', 'package.json']) {
    await cp(join(root, part), join(installed, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'))
  await makeNextVersion(next)
  return { installed, next }
}

type Fixtures = {
  installation: {
    panel: PanelProcess
    /** While the server is away: the files of the next version take the place of this one's. */
    replaceFiles: () => Promise<void>
    /** Stops the server, replaces its files, starts it again. */
    update: () => Promise<void>
    /** The same, but that files whose names begin so are not there before what this resolves to has put them back. */
    updateWithout: (prefix: string) => Promise<() => Promise<void>>
  }
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  installation: async ({}, use) => {
    folders ??= makeFolders()
    const { installed: folder, next } = await folders
    await putVersion(root, folder)
    const panel = await startPanel({ installedIn: folder, env: { DEMO_ERP_PROFILE: 'clean' } })
    const replaceFiles = () => putVersion(next, folder)
    const update = async () => {
      await panel.kill('SIGTERM')
      await replaceFiles()
      await panel.restart()
    }
    const updateWithout = async (prefix: string) => {
      await panel.kill('SIGTERM')
      await replaceFiles()
      const web = join(folder, WEB)
      const names = (await readdir(join(web, 'assets'))).map((name) => `assets/${name}`)
      const missing = names.filter((name) => name.startsWith(prefix))
      expect(missing).not.toEqual([])
      for (const name of missing) await rename(join(web, name), join(folder, basename(name)))
      await panel.restart()
      return async () => {
        for (const name of missing) await rename(join(folder, basename(name)), join(web, name))
      }
    }
    await use({ panel, replaceFiles, update, updateWithout })
    await panel.stop()
  },
  panel: async ({ installation }, use) => use(installation.panel),
})

/** How often this page has been loaded since. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++
  })
  return () => loads
}

/** The worker keeps the panel and answers for this page: whatever comes now, it can start. */
export async function untilCached(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller?.state'), LONG).toBe('activated')
}
