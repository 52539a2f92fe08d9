import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Every browser that runs Tailwind 4's CSS preloads modules by itself.
    modulePreload: { polyfill: false },
    // A data: URL would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
