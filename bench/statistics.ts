export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] ?? 0
  return below + ((sorted[Math.ceil(at)] ?? 0) - below) * (at % 1)
}
export const median = (values: number[]) => quantile(values, 0.5)

/** How often each side has its turn. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15)
