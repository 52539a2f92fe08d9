import { readFromDevice, writeToDevice } from '../device/store.ts'

const KEY = 'font'
/** On a first visit it would share the line with the first screen, which is drawn with the system's font until then. */
const AFTER_SCREEN_MS = 1000

/** Before anything is drawn, where this device has it already: the text of no later visit changes its look. */
export function showKnownFont(): void {
  if (readFromDevice(KEY) === null) return
  document.documentElement.dataset.font = 'inter'
  // with the scripts, and not once a text wants it: that one would be drawn twice, and move
  void load()
}

const load = () => document.fonts.load('1rem "Inter Variable"').catch(() => [])

async function showFont(): Promise<void> {
  const [face] = await load()
  if (!face) return
  document.documentElement.dataset.font = 'inter'
  writeToDevice(KEY, 'inter')
}

/** Once the first screen was begun. Where it does not arrive, the system's font stays. */
export function fetchFont(): void {
  if (!document.documentElement.dataset.font) setTimeout(() => void showFont(), AFTER_SCREEN_MS)
}
