// Makes the built web an app that starts without its server: the service worker knows every file of it.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const WORKER = 'sw.js'

/** Tells `src/web/device/service-worker.ts` which files are the panel. */
export const installable = (webDir: string): Plugin => ({
  name: 'installable',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: join(webDir, 'device', 'service-worker.ts'), fileName: WORKER })
  },
  generateBundle: {
    // after Vite has written the page
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle[WORKER]
      const page = bundle['index.html']
      if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('The build has no page or no worker')
      const sha256 = createHash('sha256').update(page.source).digest('base64')
      const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const shell = { sha256, assets: assets.sort().map((name) => `/${name}`) }
      worker.code = `const SHELL=${JSON.stringify(shell)};${worker.code}`
    },
  },
})
