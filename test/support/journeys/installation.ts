import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { type PanelProcess, startPanel } from '../panel.ts'
import { root } from '../tidy/source.ts'
import { test as base, expect } from './journey.ts'

/** What the sidebar says. */
export const THIS_VERSION = 'v2.0 - Painel Industrial'
export const NEXT_VERSION = 'v2.1 - Painel Industrial'

const copied = ['src', 'demo', 'scripts', 'dist/web', 'vite.config.ts', 'package.json', 'package-lock.json']

/** A folder as a plant has it. */
async function makeInstallation(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'painel-instalado-'))
  for (const part of copied) await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** The same sources but for the version's name, built: every changed file has a name of its own. */
async function buildNextVersion(): Promise<string> {
  const folder = await makeInstallation()
  const file = join(folder, 'src', 'contract', 'settings.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace("'v2.0'", "'v2.1'"))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The next version was not built: ${stderr}`)
  return folder
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

export const test = base.extend<Fixtures, { nextVersion: string }>({
  nextVersion: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const folder = await buildNextVersion()
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  installation: async ({ nextVersion }, use) => {
    const folder = await makeInstallation()
    const panel = await startPanel({ installedIn: folder })
    const replaceFiles = async () => {
      for (const part of ['src', 'dist/web']) {
        await rm(join(folder, part), { recursive: true })
        await cp(join(nextVersion, part), join(folder, part), { recursive: true })
      }
    }
    const update = async () => {
      await panel.kill('SIGTERM')
      await replaceFiles()
      await panel.restart()
    }
    const updateWithout = async (prefix: string) => {
      await panel.kill('SIGTERM')
      await replaceFiles()
      const web = join(folder, 'dist', 'web')
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
    await rm(folder, { recursive: true })
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
export async function untilKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.controller?.state'), { timeout: 60_000 })
    .toBe('activated')
}
