import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './scripts/compressed.ts'
import { firstFiles, isDeferred, isNeededFirst, soleScreenOf } from './scripts/first-files.ts'
import { installable } from './scripts/installable.ts'
import { licencesText } from './scripts/licences.mjs'
import { pageId } from './scripts/page-id.ts'
import { pdfExtras } from './scripts/pdf-extras.ts'

/** Shown by 'Configurações'. */
const licences: Plugin = {
  name: 'licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licencas.txt', source: licencesText(import.meta.dirname) })
  },
}

/** A call's sentence in the API's description, and its refusals, are the server's; the page asks by path alone. */
const summaries: Plugin = {
  name: 'summaries',
  enforce: 'pre',
  transform: (code, id) =>
    /src[\\/]contract[\\/]/.test(id)
      ? code
          .replace(/\bsummary:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),/g, "summary: '',")
          .replace(/^ +refusals: (\[[^\]]*\]|\w+),\n/gm, '')
          .replace(/^ {4}reply: (\w+|.*\)),\n/gm, '')
      : undefined,
}

/** Refusals that the page says by itself, by their codes; of the others it reads the server's words. */
const saidByPage = new Set(
  globSync('src/{web,domain,contract}/**/*.{ts,tsx}', { cwd: import.meta.dirname }).flatMap((path) =>
    [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/\brefusals\.(\w+)|refusalText\('(\w+)'/g)].map(
      ([, read, worded]) => read ?? worded,
    ),
  ),
)
const refusalWords: Plugin = {
  name: 'refusal-words',
  enforce: 'pre',
  transform: (code, id) =>
    /src[\\/]contract[\\/]errors\.ts$/.test(id)
      ? code.replace(/^ {2}(\w+): \{ status: \d+, message: .*\},\n/gm, (row, name: string) =>
          saidByPage.has(name) ? row : '',
        )
      : undefined,
}

/** What opens over a screen, with the library's part of it: the screens that most days begin with open nothing. */
const dialogs = /web[\\/]ui[\\/](Confirm|Form)?Dialog.*tsx$|node_modules[\\/](react-(aria|stately)|@internationalized)/
const rows = /web[\\/]ui[\\/]LongRows\.tsx$|react-virtual|virtual-core/
/** A script that comes later keeps a file of its own. */
const isOfAny = (id: string) => !dialogs.test(id) && !rows.test(id) && !isDeferred(id)
/** In the common file, anything else would come along with something that every screen needs. */
const isOfMany = (id: string) => isOfAny(id) && isNeededFirst(id)

export default defineConfig({
  root: 'src/web',
  plugins: [
    react(),
    tailwindcss(),
    licences,
    summaries,
    refusalWords,
    pdfExtras,
    firstFiles,
    pageId(import.meta.dirname),
    installable(join(import.meta.dirname, 'src/web')),
    compressed,
  ],
  build: {
    outDir: '../../dist/web',
    // the oldest that are tried and said (decision 118)
    target: ['chrome119', 'edge119', 'firefox124', 'safari17.4'],
    emptyOutDir: true,
    // Every browser that runs Tailwind 4's CSS preloads modules by itself.
    modulePreload: { polyfill: false },
    // A data: URL would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'src/web/index.html'),
        main: join(import.meta.dirname, 'src/web/app/main.tsx'),
      },
      output: {
        // Otherwise the name says each screen that shares it, and the page's header with it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          // Each file is another question over the shop floor's Wi-Fi, and six that come side by side share it evenly: what
          // runs first, what every screen needs in some that weigh about the same, and few for the rest. Fewer still would
          // bring every screen what only others use. A group takes along what its files import.
          groups: [
            { name: 'index', test: /web[\\/]index\.html$/, priority: 4 },
            { name: 'react', tags: ['$initial'], test: /node_modules[\\/](react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'main', tags: ['$initial'], test: /^(?!.*service-worker\.ts$)/, priority: 1 },
            { name: 'common', test: isOfMany, minShareCount: 2 },
            { name: soleScreenOf, debugName: 'of one screen', test: isOfAny, minShareCount: 2 },
            { name: 'rows', test: rows },
            { name: 'dialogs', test: dialogs },
            { name: 'shared', test: isOfAny, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2_000 },
          ],
        },
      },
    },
    // The library of PDF; what each chunk may weigh is tested in test/tidy/budgets.test.ts.
    chunkSizeWarningLimit: 600,
  },
})
