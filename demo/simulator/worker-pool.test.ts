import { expect, test } from 'vitest'
import { WorkerPool } from './app-server.ts'

test('whoever waits longest is served first', async () => {
  const pool = new WorkerPool(1)
  const worker = await pool.take(0)
  const served: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const turn = await pool.take(60_000)
    served.push(name)
    if (turn) pool.release(turn)
  })
  if (worker) pool.release(worker)
  await Promise.all(waiting)
  expect(served).toEqual(['a', 'b', 'c'])
})

test('whoever gave up takes no worker from those behind', async () => {
  const pool = new WorkerPool(1)
  const worker = await pool.take(0)
  const impatient = pool.take(1)
  const patient = pool.take(60_000)
  expect(await impatient).toBeNull()
  if (worker) pool.release(worker)
  expect(await patient).toBe(worker)
})

test('a worker is replaced by a cold one after 200 requests', async () => {
  const pool = new WorkerPool(1)
  for (const _ of Array.from({ length: 199 })) {
    const worker = await pool.take(0)
    if (worker) pool.release(worker)
  }
  const last = await pool.take(0)
  expect(last?.requests).toBe(199)
  if (last) pool.release(last)
  expect((await pool.take(0))?.requests).toBe(0)
})
