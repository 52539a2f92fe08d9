// `npm run screenshots`: the journeys that stand before a picture, taken in every size, theme and size of text; with words
// (`npm run screenshots -- graficos`) only those whose name begins so. `npm run manual-pictures`: those of the manual.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folders, manualPictures, picturesTaken } from './pictures.ts'

const words = process.argv.slice(2)
const mode = words.includes('--manual') ? 'manual' : 'all'
const wanted = picturesTaken().filter(({ name }) =>
  mode === 'manual' ? manualPictures().has(name) : words.length === 0 || words.some((word) => name.startsWith(word)),
)
if (wanted.length === 0) throw new Error(`No journey takes ${words.join(', ')}`)
if (mode === 'all' && words.length === 0) rmSync(folders.all, { recursive: true, force: true })

const journeys = new Set(wanted.map(({ journey }) => journey.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(import.meta.resolve('@playwright/test/cli')),
    ...['test', '--reporter=list', '--grep', [...journeys].join('|'), '--grep-invert', 'MariaDB'],
  ],
  { stdio: 'inherit', env: { ...process.env, PICTURES: mode } },
)
console.log(`Pictures in ${folders[mode]}`)
process.exitCode = status ?? 1
