// What a PDF may need beside the library that shows it. The library asks for it by these names.
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Decoders of scanned pages, for a page that may not run WebAssembly, and the fonts of symbols that no tablet has. */
const offline = /^(jbig2|openjpeg)_nowasm_fallback\.js$|^Foxit(Symbol|Dingbats)\.pfb$/
/** Character maps of Asian scripts, and whose work all this is. */
const onServer = /\.bcmap$|^LICENSE_/

export const pdfExtras: Plugin = {
  name: 'pdf-extras',
  apply: 'build',
  async buildStart() {
    const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
    for (const folder of ['wasm', 'standard_fonts', 'cmaps']) {
      const from = join(dirname(manifest), folder)
      for (const name of await readdir(from)) {
        const to = offline.test(name) ? 'assets/' : onServer.test(name) ? '' : null
        if (to === null) continue
        const place = to === '' ? `${folder}/` : ''
        const fileName = `${to}pdfjs-${version}/${place}${name}`
        this.emitFile({ type: 'asset', fileName, source: await readFile(join(from, name)) })
      }
    }
  },
}
