import { beforeEach, expect, it, vi } from 'vitest'

const NOON = Date.parse('2026-11-21T15:00:00Z')

/** A page that was just opened, at an instant of the device's own clock. */
async function openedAt(deviceMs: number) {
  vi.resetModules()
  vi.setSystemTime(deviceMs)
  const { noteServerDate, serverNow } = await import('./clock.ts')
  return {
    serverNow,
    /** The server answers at this instant of its own, and says its second. */
    answer: (serverMs: number, tookMs: number) => {
      const sentAt = Date.now()
      vi.setSystemTime(sentAt + tookMs)
      noteServerDate(serverMs - (serverMs % 1000), sentAt)
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  return () => {
    vi.useRealTimers()
    // the next file of this worker reads a clock that nobody has set
    vi.resetModules()
  }
})

it('knows the server by a second, whatever the device believes', async () => {
  const { answer, serverNow } = await openedAt(NOON - 86_400_000)
  answer(NOON + 700, 0)
  expect(serverNow()).toBe(NOON + 500)
})

it('does not go back between two acts when a slow answer comes in between', async () => {
  const { answer, serverNow } = await openedAt(NOON)
  answer(NOON + 1, 0)
  const measuredAt = serverNow()
  // answered at once, and a second on its way back
  answer(NOON + 1, 1000)
  expect(serverNow() - measuredAt).toBe(1000)
  answer(NOON + 1001, 0)
  expect(serverNow() - measuredAt).toBe(1000)
})

it('moves as little as an answer asks for that it does not fit', async () => {
  const { answer, serverNow } = await openedAt(NOON)
  answer(NOON + 999, 0)
  expect(serverNow()).toBe(NOON + 500)
  vi.setSystemTime(NOON + 1)
  answer(NOON + 1000, 0)
  expect(serverNow()).toBe(NOON + 1000)
})

it('follows a device whose clock was set', async () => {
  const { answer, serverNow } = await openedAt(NOON)
  answer(NOON + 500, 0)
  vi.setSystemTime(NOON - 3_600_000)
  answer(NOON + 2000, 0)
  expect(Math.abs(serverNow() - (NOON + 2000))).toBeLessThanOrEqual(1000)
})
