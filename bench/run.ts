// `npm run bench`: how fast the panel answers beside a bare server; `npm run bench -- growth`: what an answer costs as the
// history grows; `npm run bench -- screens`: what 1,000 live screens cost whoever records; `npm run bench -- scan`: how long a
// scan takes to its form in a browser; `npm run bench -- lighthouse`: what Lighthouse says of the first screens; `npm run bench --
// forecast`: how wrong forecasts of tools are, and what the list of 10,000 costs; `npm run bench -- measured`: what it costs a
// recording that somebody measured it; `npm run bench -- spc`: what control charts cost; `npm run bench -- queue`: what a delivery
// costs as a tablet's queue grows; `npm run bench -- ring`: how long after a reading outside another device rings; `npm run bench --
// shift`: whether a server becomes slower or larger in an hour of 300 tablets, and loses nothing; `npm run bench -- felt`: what a scan,
// a press and a start take on an old tablet.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureForecasts } from './forecast.ts'
import { measureGrowth } from './growth.ts'
import { measureMeasured } from './measured.ts'
import { measureScreens } from './screens.ts'
import { measureSpc } from './spc.ts'
import { measureSpeed } from './speed.ts'

const kinds: Record<string, (folder: string) => Promise<void>> = {
  speed: measureSpeed,
  growth: measureGrowth,
  screens: measureScreens,
  forecast: measureForecasts,
  spc: measureSpc,
  measured: measureMeasured,
  // with what only tests install
  queue: async (folder) => (await import('./queue.ts')).measureQueues(folder),
  scan: async () => (await import('./scan.ts')).measureScans(),
  shift: async (folder) => (await import('./shift.ts')).measureShift(folder),
  ring: async () => (await import('./ring.ts')).measureRings(),
  felt: async () => (await import('./felt.ts')).measureFelt(),
  lighthouse: async () => (await import('./lighthouse.ts')).measureLighthouse(),
}
const [kind = 'speed'] = process.argv.slice(2)
const run = kinds[kind]
if (!run) throw new Error(`the benchmark is one of ${Object.keys(kinds).join(', ')}`)

// beside the code and not in the system's temporary folder, which may be memory: there a commit costs nothing
const root = fileURLToPath(new URL('..', import.meta.url))
mkdirSync(join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist', 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))
await run(folder)
