import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { alone, ifFree, whenDoneHere } from './locks.ts'

const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const answered = () => Promise.withResolvers<string>()

/** Messages of a channel, and locks, come by turns of their own, whatever the clock says. */
const untilTrue = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve))
}

test('a lock whose tab gives no sign of life is taken from it', async () => {
  const [asleep, done] = [answered(), answered()]
  const sleeper = navigator.locks.request('fila', () => asleep.promise).catch(() => 'lost')
  let isBegun = false
  const next = alone('fila', () => {
    isBegun = true
    return done.promise
  })
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  expect(isBegun).toBe(false)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await untilTrue(() => isBegun)
  expect(await sleeper).toBe('lost')
  done.resolve('done')
  expect(await next).toBe('done')
})

test('a lock whose tab is long at it is waited for', async () => {
  const done = answered()
  const first = alone('fila', () => done.promise)
  const second = alone('fila', async () => 'second')
  let heard = 0
  const signs = new BroadcastChannel('vez:fila')
  signs.onmessage = () => heard++
  for (let sign = 1; sign <= 30; sign++) {
    await vi.advanceTimersByTimeAsync(10_000)
    await untilTrue(() => heard === sign)
  }
  signs.close()
  done.resolve('first')
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})

test('what this page does under a name is waited for, whatever becomes of it, and nothing else', async () => {
  const [first, second] = [answered(), answered()]
  const [delivery, other] = [ifFree('cabo', () => first.promise), ifFree('l1', () => second.promise)]
  const ended: string[] = []
  void whenDoneHere(['l2']).then(() => ended.push('l2'))
  await untilTrue(async () => (await ifFree('cabo', async () => 'done')) === null)
  void whenDoneHere(['cabo', 'l2']).then(() => ended.push('cabo'))
  await untilTrue(() => ended.includes('l2'))
  expect(ended).toEqual(['l2'])
  first.reject(new Error('no answer'))
  await expect(delivery).rejects.toThrow('no answer')
  await untilTrue(() => ended.includes('cabo'))
  // nobody's turn was taken by waiting
  expect(await ifFree('cabo', async () => 'next')).toBe('next')
  second.resolve('done')
  expect(await other).toBe('done')
})
