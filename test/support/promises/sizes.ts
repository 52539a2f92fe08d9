/**
 * How much of each promise a run checks: `small` in `npm test`, `ci` and `full` by `npm run promises`. What the promises
 * mean stands beside their tests. Small is the least at which the mistakes named above it were noticed five times of
 * five; those with a test of their own are planted at that size in every run. Without a small size `npm test` takes ci,
 * or has no place for the promise (vitest.config.ts).
 */
const sizes = {
  // the eight of test/support/simulation/mutants.ts
  simulation: { small: { days: 40 }, ci: { days: 120 }, full: { days: 1200 } },
  // answered before the commit; sent before that is noted
  p01: { small: { kills: 6, settled: 60 }, ci: { kills: 100, settled: 4000 }, full: { kills: 1500, settled: 60_000 } },
  // answered before the commit
  p01WithoutErp: { small: { kills: 3 }, ci: { kills: 20 }, full: { kills: 200 } },
  // sent before that is noted: two kills missed it twice of five
  p02Panel: { small: { kills: 8, settled: 40 }, ci: { kills: 10, settled: 200 }, full: { kills: 60, settled: 1200 } },
  // the same: two kills missed it once
  p02Database: { small: { kills: 4, settled: 40 }, ci: { kills: 5, settled: 100 }, full: { kills: 20, settled: 400 } },
  p03: { ci: { kills: 3, settled: 100 }, full: { kills: 20, settled: 1000 } },
  // a repeated id taken for a new one
  p05: { small: { swallowed: 10 }, ci: { swallowed: 500 }, full: { swallowed: 5000 } },
  // the same, of each kind without an ERP
  p05WithoutErp: { small: { presses: 30 }, ci: { presses: 300 }, full: { presses: 3000 } },
  p06: { ci: { recordings: 50, kills: 3, seeds: 1 }, full: { recordings: 200, kills: 10, seeds: 20 } },
  p07: { ci: { tablets: 20, recordings: 10 }, full: { tablets: 20, recordings: 100 } },
  // delivered in another order than accepted
  p08: { small: { queued: 200 }, ci: { queued: 1000 }, full: { queued: 20_000 } },
  // a blind repeat; with fewer the share of bad outcomes is too much a matter of luck
  p09: { small: { deliveries: 100 }, ci: { deliveries: 1000 }, full: { deliveries: 20_000 } },
  // one call too many open at the ERP
  p11: { small: { recordings: 8 }, ci: { recordings: 24 }, full: { recordings: 104 } },
  // the balance is no part of the statement
  p12: { small: { races: 20 }, ci: { races: 500 }, full: { races: 10_000 } },
  // a reset from an old reading; a restored recording that is not counted again
  p14: {
    small: { operations: 2000, shared: 900 },
    ci: { operations: 50_000, shared: 1800 },
    full: { operations: 1_000_000, shared: 60_000 },
  },
  // an id not looked for again where the first has taken all, or where both store at once; a receipt without a mark
  p15: { small: { fires: 60 }, ci: { fires: 300 }, full: { fires: 1000 } },
  // saved, says the answer, though the disk took nothing; a roll-back that hides why
  p16: { small: { rounds: 1 }, ci: { rounds: 2 }, full: { rounds: 10 } },
  // the number of a row or an instant unchecked in one call: seen after 16 requests to that call at the latest
  p21: {
    small: { sqlite: 1500, mariadb: 1500 },
    ci: { sqlite: 8000, mariadb: 2000 },
    full: { sqlite: 240_000, mariadb: 60_000 },
  },
  p22: { ci: { sqlite: 10_000, mariadb: 400 }, full: { sqlite: 10_000, mariadb: 10_000 } },
  // a try counted after its PIN; an account of the directory that is not counted
  p22Badge: { small: { guesses: 100 }, ci: { guesses: 10_000 }, full: { guesses: 10_000 } },
  p22Directory: { small: { guesses: 100 }, ci: { guesses: 2000 }, full: { guesses: 10_000 } },
  // an old pair that lives 1 ms longer or whose use ends nothing; a lost answer's pair that outdates the other; sessions that outlive a password
  p23: { small: { histories: 120 }, ci: { histories: 1000 }, full: { histories: 20_000 } },
  // a session that outlives its badge, its station or its person
  p23Badge: { small: { histories: 60 }, ci: { histories: 200 }, full: { histories: 2000 } },
  p23OfDirectory: { small: { histories: 20 }, ci: { histories: 200 }, full: { histories: 2000 } },
  p23Directory: { ci: { people: 10 }, full: { people: 600 } },
  p24: { ci: { outages: 3 }, full: { outages: 20 } },
  p25: { ci: { recordings: 10_000 }, full: { recordings: 1_000_000 } },
  // a server that stops answers 503: two restarts missed it once
  p27: { small: { restarts: 4 }, ci: { restarts: 5 }, full: { restarts: 20 } },
  // marks that are not believed; tablets that do not say that they tried
  p30: { small: { seeds: 1 }, ci: { seeds: 3 }, full: { seeds: 20 } },
  // the time that has passed goes by the clock on the wall
  p32: { small: { steps: 30, seeds: 1 }, ci: { steps: 200, seeds: 3 }, full: { steps: 400, seeds: 20 } },
  // an act of another characteristic, or of another machine, that clears; a window that ends where nobody measured
  p33: {
    small: { recordings: 4000, acts: 400, readings: 40 },
    ci: { recordings: 20_000, acts: 1000, readings: 100 },
    full: { recordings: 200_000, acts: 10_000, readings: 300 },
  },
  // ends of sessions that nobody wrote down
  p31: { small: { deliveries: 120 }, ci: { deliveries: 1000 }, full: { deliveries: 10_000 } },
  // what is unknown taken for a confirmation, for a refusal, or for never sent
  p29: { small: { rounds: 1 }, ci: { rounds: 1 }, full: { rounds: 50 } },
  // the four of test/support/promises/preloads/storm-mistakes.ts
  storm: {
    small: { minutes: 0, acts: 200, kills: 2 },
    ci: { minutes: 3, acts: 1000, kills: 12 },
    full: { minutes: 30, acts: 10_000, kills: 120 },
  },
  /** Of journeys: see what is tagged `@promise`. */
  scans: { small: { count: 60 }, ci: { count: 300 }, full: { count: 300 } },
  formScans: { small: { count: 60 }, ci: { count: 300 }, full: { count: 300 } },
  firstScans: { small: { count: 9 }, ci: { count: 72 }, full: { count: 300 } },
  doubleYes: { small: { count: 5 }, ci: { count: 15 }, full: { count: 15 } },
  doubleFires: { small: { count: 15 }, ci: { count: 60 }, full: { count: 60 } },
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
