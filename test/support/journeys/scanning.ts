import type { CDPSession } from '@playwright/test'

/** Mulberry32: the same run for the same seed. */
export function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    chance: (share: number) => next() < share,
    pick: <Of>(of: readonly Of[]) => of[between(0, of.length - 1)] as Of,
  }
}
export type Random = ReturnType<typeof randomFrom>

/** Of keys that say no character, or another one than their name. */
const codes: Partial<Record<string, number>> = { Backspace: 8, Tab: 9, Enter: 13, F8: 119 }

/**
 * A keyboard with a clock of its own, which goes by the real one only between bursts: a test machine that stops to think
 * in the middle of one makes no hand of a scanner.
 */
export function keyboardOf(devTools: CDPSession) {
  let atSeconds = 0
  const press = (key: string, gapMs: number) => {
    atSeconds += gapMs / 1000
    const common = { key, windowsVirtualKeyCode: codes[key] ?? key.charCodeAt(0), timestamp: atSeconds }
    const isSaid = key.length === 1 || key === 'Enter'
    const text = isSaid ? { text: key === 'Enter' ? '\r' : key } : {}
    return [
      devTools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...common, ...text }),
      devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ]
  }
  /** `gapMs` before each key, `beforeMs` before the first one. */
  const type = async (keys: readonly string[], gapMs: () => number, beforeMs: number) => {
    atSeconds = Math.max(atSeconds, Date.now() / 1000) + beforeMs / 1000
    await Promise.all(keys.flatMap((key, index) => press(key, index === 0 ? 0 : gapMs())))
  }
  return { type }
}
export type Keyboard = ReturnType<typeof keyboardOf>
