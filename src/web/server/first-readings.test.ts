import { expect, test, vi } from 'vitest'
import { EARLY_MS_MAX, readingOf } from './first-readings.ts'

/** Answers 1, 2, 3, ... */
const counting = () => {
  let count = 0
  return vi.fn(async (_signal?: AbortSignal) => ++count)
}

test('what was asked early is given once, then everybody asks', async () => {
  const ask = counting()
  const reading = readingOf(ask)
  reading.askEarly()
  expect([await reading.take(), await reading.take()]).toEqual([1, 2])
  expect(ask).toHaveBeenCalledTimes(2)
})

test('nothing asked early: the question carries the signal of whoever asks', async () => {
  const ask = counting()
  const { signal } = new AbortController()
  await readingOf(ask).take(signal)
  expect(ask).toHaveBeenCalledExactlyOnceWith(signal)
})

test('an early question that failed before anybody asked is asked again', async () => {
  const ask = counting().mockRejectedValueOnce(new Error('away'))
  const reading = readingOf(ask)
  reading.askEarly()
  await new Promise((go) => setTimeout(go))
  expect(await reading.take()).toBe(1)
})

test('one that fails later is not: whoever waits for a silent server waits once', async () => {
  const ask = counting().mockRejectedValueOnce(new Error('away'))
  const reading = readingOf(ask)
  reading.askEarly()
  await expect(reading.take()).rejects.toThrow('away')
  expect(ask).toHaveBeenCalledOnce()
})

test('an answer that nobody took in time is not given any more', async () => {
  vi.useFakeTimers()
  try {
    const reading = readingOf(counting())
    reading.askEarly()
    vi.advanceTimersByTime(EARLY_MS_MAX)
    expect(await reading.take()).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
