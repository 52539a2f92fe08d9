// What makes the built web an app that installs and starts without its server: PNG icons and the service worker.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Plugin } from 'vite'

/** Drawn from `src/web/<source>.svg`. A maskable one fills its square: the system cuts it to its own shape. */
const icons = [
  { name: 'icon-192', source: 'icon', widthPx: 192 },
  { name: 'icon-512', source: 'icon', widthPx: 512 },
  { name: 'maskable-192', source: 'icon-maskable', widthPx: 192 },
  { name: 'maskable-512', source: 'icon-maskable', widthPx: 512 },
  { name: 'apple-touch-icon', source: 'icon-maskable', widthPx: 180 },
]

async function drawIcons(webDir: string) {
  await initWasm(readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
  return await Promise.all(
    icons.map(async ({ name, source, widthPx }) => {
      const svg = await readFile(join(webDir, `${source}.svg`), 'utf8')
      const image = new Resvg(svg, { fitTo: { mode: 'width', value: widthPx } })
      return { fileName: `icons/${name}.png`, source: image.render().asPng() }
    }),
  )
}

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
    async handler(_options, bundle) {
      for (const icon of await drawIcons(webDir)) this.emitFile({ type: 'asset', ...icon })
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
