import { spawnSync } from 'node:child_process'

/** Three starts of Node at once, as many as a run has workers, on two idle cores. */
const USUAL_MS = 50
const ROUNDS = 5
const measuring = `
const { spawn } = require('node:child_process')
const start = () => new Promise((resolve) => spawn(process.execPath, ['-e', "require('node:http')"]).once('exit', resolve))
const measure = async () => {
  const tookMs = []
  for (let round = 0; round < ${ROUNDS}; round++) {
    const begunAt = performance.now()
    await Promise.all([start(), start(), start()])
    tookMs.push(performance.now() - begunAt)
  }
  console.log(tookMs.toSorted((one, other) => one - other)[${Math.floor(ROUNDS / 2)}])
}
measure()`

/** Null: nobody has said or measured it. */
export function readSlowness(text: string | undefined): number | null {
  if (!text) return null
  const factor = Number(text)
  if (!(factor >= 1)) throw new Error(`TEST_SLOW=${text} is no number from 1 on`)
  return factor
}

/** One decimal; a quick machine gets the usual limits. */
export const slownessOf = (tookMs: number): number => Math.max(1, Math.round((10 * tookMs) / USUAL_MS) / 10)

function measure(): number {
  const { stdout } = spawnSync(process.execPath, ['-e', measuring], { encoding: 'utf8' })
  const slowness = slownessOf(Number(stdout))
  if (slowness > 1) console.log(`Limits of tests are ${slowness} times the usual ones; TEST_SLOW sets another factor.`)
  return slowness
}

/**
 * How many times slower this run is than on two idle cores: TEST_SLOW, or measured by the first process of a run, of which the
 * others inherit it.
 */
const slowness = readSlowness(process.env.TEST_SLOW) ?? measure()
process.env.TEST_SLOW = String(slowness)

/**
 * A limit in real time. It says nothing about the product: a test that hangs ends by it, and one that passes never waits for
 * it. Generous therefore, and never below two seconds.
 */
export const limitMs = (usualMs: number): number => Math.round(usualMs * slowness)

/** What should happen at once. `vi.waitFor` would give it one second. */
export const SOON = { timeout: limitMs(30_000) }

/** Where the panel itself waits between its tries, or many deliveries are waited for. */
export const LONG = { timeout: limitMs(180_000) }

/** How long a step is looked at that is done again when nothing comes of it. */
export const STEP_MS = limitMs(2000)
