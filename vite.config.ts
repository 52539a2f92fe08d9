import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './scripts/compressed.ts'
import { installable } from './scripts/installable.ts'
import { licencesText } from './scripts/licences.mjs'

/** Shown by 'Configurações'. */
const licences: Plugin = {
  name: 'licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licencas.txt', source: licencesText(import.meta.dirname) })
  },
}

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss(), licences, installable(join(import.meta.dirname, 'src/web')), compressed],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Every browser that runs Tailwind 4's CSS preloads modules by itself.
    modulePreload: { polyfill: false },
    // A data: URL would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The library of charts; what each chunk may weigh is tested in test/budgets.test.ts.
    chunkSizeWarningLimit: 600,
  },
})
