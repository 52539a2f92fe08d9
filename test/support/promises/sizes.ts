/**
 * How much of each promise a run checks: `small` in `npm test`, `ci` and `full` by `npm run promises`. What the promises
 * mean stands beside their tests. Small is the least at which what stands above it was noticed each time; a mistake with
 * a test of its own is planted at that size in every run. Without a small size `npm test` takes ci, or has no place for
 * it (vitest.config.ts).
 */
const sizes = {
  simulation: { small: { days: 40 }, ci: { days: 120 }, full: { days: 1200 } },
  p01: { small: { kills: 4, settled: 120 }, ci: { kills: 100, settled: 4000 }, full: { kills: 1500, settled: 60_000 } },
  p02Panel: { small: { kills: 2, settled: 20 }, ci: { kills: 10, settled: 200 }, full: { kills: 60, settled: 1200 } },
  p02Database: { small: { kills: 2, settled: 20 }, ci: { kills: 5, settled: 100 }, full: { kills: 20, settled: 400 } },
  p03: { ci: { kills: 3, settled: 100 }, full: { kills: 20, settled: 1000 } },
  p05: { small: { swallowed: 10 }, ci: { swallowed: 500 }, full: { swallowed: 5000 } },
  p06: { ci: { recordings: 50, kills: 3, seeds: 1 }, full: { recordings: 200, kills: 10, seeds: 20 } },
  p07: { ci: { tablets: 20, recordings: 10 }, full: { tablets: 20, recordings: 100 } },
  p08: { ci: { queued: 1000 }, full: { queued: 20_000 } },
  p09: { small: { deliveries: 100 }, ci: { deliveries: 1000 }, full: { deliveries: 20_000 } },
  p11: { small: { recordings: 8 }, ci: { recordings: 24 }, full: { recordings: 104 } },
  p12: { small: { races: 40 }, ci: { races: 500 }, full: { races: 10_000 } },
  p14: {
    small: { operations: 2000, shared: 900 },
    ci: { operations: 50_000, shared: 1800 },
    full: { operations: 1_000_000, shared: 60_000 },
  },
  p15: { small: { fires: 30 }, ci: { fires: 300 }, full: { fires: 1000 } },
  p16: { small: { rounds: 1 }, ci: { rounds: 2 }, full: { rounds: 10 } },
  p21: {
    small: { sqlite: 400, mariadb: 100 },
    ci: { sqlite: 8000, mariadb: 2000 },
    full: { sqlite: 240_000, mariadb: 60_000 },
  },
  p22: { ci: { sqlite: 10_000, mariadb: 400 }, full: { sqlite: 10_000, mariadb: 10_000 } },
  p23: { ci: { histories: 1000 }, full: { histories: 20_000 } },
  p24: { ci: { outages: 3 }, full: { outages: 20 } },
  p25: { ci: { recordings: 10_000 }, full: { recordings: 1_000_000 } },
  /** Of journeys: see what is tagged `@promise`. */
  scans: { small: { count: 60 }, ci: { count: 300 }, full: { count: 300 } },
  doubleYes: { small: { count: 5 }, ci: { count: 15 }, full: { count: 15 } },
  doubleFires: { small: { count: 15 }, ci: { count: 60 }, full: { count: 60 } },
  p27: { small: { restarts: 2 }, ci: { restarts: 5 }, full: { restarts: 20 } },
} as const

type Sizes = typeof sizes
type WithSmall = { [P in keyof Sizes]: Sizes[P] extends { small: object } ? P : never }[keyof Sizes]

/** What `npm run promises -- --size` takes. It hands the word on in PROMISES. */
export const sizeNames = ['ci', 'full'] as const
const wanted = sizeNames.find((name) => name === process.env.PROMISES)

/** Limits in time are asserted by the full run only; the others print what they took. */
export const isFull = wanted === 'full'

/** Also for the deliberate mistakes, at whatever size the rest is checked. */
export const smallOf = <P extends WithSmall>(promise: P) => sizes[promise].small as Sizes[P]['small']

export const sizeOf = <P extends keyof Sizes>(promise: P): Sizes[P]['ci'] => {
  const { small, ci, full } = { small: undefined, ...sizes[promise] }
  return (wanted === 'full' ? full : wanted === 'ci' ? ci : (small ?? ci)) as Sizes[P]['ci']
}

/** The same seed makes the same choices. What the operating system does in between is its own. */
export const SEED = Number(process.env.SEED ?? 20261121)
