/**
 * How much of each promise a run checks: `tiny` while working on one, `ci` on every landing, `full` by
 * `npm run promises`. What the promises mean stands beside their tests.
 */
const sizes = {
  p01: { tiny: { kills: 6, settled: 120 }, ci: { kills: 100, settled: 4000 }, full: { kills: 1500, settled: 60_000 } },
  p02Panel: { tiny: { kills: 2, settled: 20 }, ci: { kills: 10, settled: 200 }, full: { kills: 60, settled: 1200 } },
  p02Database: { tiny: { kills: 2, settled: 20 }, ci: { kills: 5, settled: 100 }, full: { kills: 20, settled: 400 } },
  p03: { tiny: { kills: 2, settled: 40 }, ci: { kills: 3, settled: 100 }, full: { kills: 20, settled: 1000 } },
  p05: { tiny: { swallowed: 20 }, ci: { swallowed: 500 }, full: { swallowed: 5000 } },
  p06: {
    tiny: { recordings: 16, kills: 3, seeds: 1 },
    ci: { recordings: 50, kills: 3, seeds: 1 },
    full: { recordings: 200, kills: 10, seeds: 20 },
  },
  p07: {
    tiny: { tablets: 4, recordings: 10 },
    ci: { tablets: 20, recordings: 10 },
    full: { tablets: 20, recordings: 100 },
  },
  p08: { tiny: { queued: 100 }, ci: { queued: 1000 }, full: { queued: 20_000 } },
  p09: { tiny: { deliveries: 100 }, ci: { deliveries: 1000 }, full: { deliveries: 20_000 } },
  p11: { tiny: { recordings: 8 }, ci: { recordings: 24 }, full: { recordings: 104 } },
  p12: { tiny: { races: 40 }, ci: { races: 500 }, full: { races: 10_000 } },
  p14: {
    tiny: { operations: 2000, shared: 900 },
    ci: { operations: 50_000, shared: 1800 },
    full: { operations: 1_000_000, shared: 60_000 },
  },
  p15: { tiny: { fires: 30 }, ci: { fires: 300 }, full: { fires: 1000 } },
  p16: { tiny: { rounds: 1 }, ci: { rounds: 2 }, full: { rounds: 10 } },
  p21: {
    tiny: { sqlite: 400, mariadb: 100 },
    ci: { sqlite: 8000, mariadb: 2000 },
    full: { sqlite: 240_000, mariadb: 60_000 },
  },
  p22: {
    tiny: { sqlite: 400, mariadb: 400 },
    ci: { sqlite: 10_000, mariadb: 400 },
    full: { sqlite: 10_000, mariadb: 10_000 },
  },
  p23: { tiny: { histories: 60 }, ci: { histories: 1000 }, full: { histories: 20_000 } },
  p24: { tiny: { outages: 1 }, ci: { outages: 3 }, full: { outages: 20 } },
  p25: { tiny: { recordings: 10_000 }, ci: { recordings: 10_000 }, full: { recordings: 1_000_000 } },
  p27: { tiny: { restarts: 2 }, ci: { restarts: 5 }, full: { restarts: 20 } },
} as const

type Scale = 'tiny' | 'ci' | 'full'
const scales: readonly Scale[] = ['tiny', 'ci', 'full']
const wanted = process.env.PROMISES ?? 'ci'
const scale = scales.find((name) => name === wanted)
if (!scale) throw new Error(`PROMISES is one of ${scales.join(', ')}`)

/** Limits in time are asserted by the full run only; the others print what they took. */
export const isFull = scale === 'full'

export const sizeOf = <P extends keyof typeof sizes>(promise: P) => sizes[promise][scale] as (typeof sizes)[P]['ci']

/** The same seed makes the same choices. What the operating system does in between is its own. */
export const SEED = Number(process.env.SEED ?? 20261121)
