// Compressed once by the build, so that no server has to while a tablet waits.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const texts = /\.(html|m?js|css|svg|txt|webmanifest)$/

/** Browsers ask for brotli over HTTPS only: a plant without a certificate needs gzip too. */
export const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const names = await readdir(dir, { recursive: true })
    for (const name of names.filter((each) => texts.test(each))) {
      const path = join(dir, name)
      const content = await readFile(path)
      await writeFile(`${path}.br`, brotliCompressSync(content))
      await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  },
}
