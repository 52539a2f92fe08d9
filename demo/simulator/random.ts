/** Same seed, same sequence, on every machine. */
export type Random = {
  /** 0 up to, not including, 1. */
  next(): number
  /** Whole number, both ends included. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** `[value, weight]` pairs. */
  weighted<T>(from: readonly (readonly [T, number])[]): T
  shuffled<T>(from: readonly T[]): T[]
}

/** FNV-1a, so that a purpose can be named in words. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/**
 * One stream per purpose: adding a new kind of sample (junctions of an order, say) under a name of its own leaves
 * every older value as it was.
 */
export function randomFor(seed: number, ...purpose: string[]): Random {
  let state = hash([seed, ...purpose].join('|'))
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<T>(from: readonly T[]): T {
      return from[between(0, from.length - 1)] as T
    },
    weighted<T>(from: readonly (readonly [T, number])[]): T {
      let rest = next() * from.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of from) {
        rest -= weight
        if (rest < 0) return value
      }
      return (from.at(-1) as readonly [T, number])[0]
    },
    shuffled<T>(from: readonly T[]): T[] {
      const deck = [...from]
      for (let i = deck.length - 1; i > 0; i--) {
        const j = between(0, i)
        ;[deck[i], deck[j]] = [deck[j] as T, deck[i] as T]
      }
      return deck
    },
  }
}
