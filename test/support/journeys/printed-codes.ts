import type { Page } from '@playwright/test'
import { barsOf } from '../../../src/domain/text/code-128.ts'

/** Code 128 as a reader meets it on paper: dots of a picture, told dark from light. */

const SYMBOL_MODULES = 11
const SYMBOL_RUNS = 6
/** Less than ten modules of light at either end, and a reader finds no code there. */
const QUIET_MODULES = 10

type Box = { x: number; y: number; width: number; height: number }

/** In a page without rules for scripts: the middle line of each box, as lengths of light and dark in turn, the first one light. */
const readLines = `async ({ png, boxes, scale }) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  canvas.drawImage(bitmap, 0, 0)
  return boxes.map(({ x, y, width, height }) => {
    const [left, line] = [Math.round(x * scale), Math.round((y + height / 2) * scale)]
    const { data } = canvas.getImageData(left, line, Math.round(width * scale), 1)
    const runs = [0]
    for (let at = 0, isDark = false; at < data.length; at += 4) {
      if ((data[at] < 128) !== isDark) {
        isDark = !isDark
        runs.push(0)
      }
      runs[runs.length - 1]++
    }
    return runs
  })
}`

/** The widths of a symbol in modules, told from lengths in dots. */
function modulesOf(runs: readonly number[]): string {
  const dots = runs.reduce((sum, run) => sum + run, 0)
  return runs.map((run) => Math.round((run * SYMBOL_MODULES) / dots)).join('')
}

function widthsOf(text: string): string[] {
  const { bars, width } = barsOf(text)
  const edges = [...bars.flatMap((bar) => [bar.at, bar.at + bar.width]), width]
  const runs = edges.slice(1).map((edge, at) => edge - (edges[at] ?? 0))
  return Array.from({ length: Math.floor(runs.length / SYMBOL_RUNS) }, (_, at) =>
    runs.slice(at * SYMBOL_RUNS, (at + 1) * SYMBOL_RUNS).join(''),
  )
}

/** By the widths of its symbol: each character alone is the second one of its own code. */
const characters = new Map(
  Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).map((character) => [
    widthsOf(character)[1],
    character,
  ]),
)

/** Null where a reader would say nothing: no quiet zone, an unknown symbol, a wrong check. */
function decode([before = 0, ...rest]: readonly number[]): string | null {
  const after = rest.at(-1) ?? 0
  const runs = rest.slice(0, -1)
  const module = runs.slice(0, SYMBOL_RUNS).reduce((sum, run) => sum + run, 0) / SYMBOL_MODULES
  if (Math.min(before, after) < (QUIET_MODULES - 1) * module) return null
  const symbols = Array.from({ length: Math.floor(runs.length / SYMBOL_RUNS) }, (_, at) =>
    modulesOf(runs.slice(at * SYMBOL_RUNS, (at + 1) * SYMBOL_RUNS)),
  )
  const text = symbols.slice(1, -2).map((symbol) => characters.get(symbol))
  if (text.includes(undefined)) return null
  // start, check and stop are those of the very text
  return widthsOf(text.join('')).join() === symbols.join() ? text.join('') : null
}

/** The codes that a page shows, read from a picture of it with so many dots for each of its pixels. */
export async function readPrinted(page: Page, scale: number): Promise<(string | null)[]> {
  const png = (await page.screenshot({ fullPage: true })).toString('base64')
  const boxes: (Box | null)[] = []
  for (const code of await page.locator('svg[role=img]').all()) boxes.push(await code.boundingBox())
  const reader = await page.context().newPage()
  const lines = await reader.evaluate<number[][]>(`(${readLines})(${JSON.stringify({ png, boxes, scale })})`)
  await reader.close()
  return lines.map(decode)
}
