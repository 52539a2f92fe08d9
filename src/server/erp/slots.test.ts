import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const gate = () => Promise.withResolvers<void>()

describe('slots', () => {
  it('lets in so many at once, first come first served', async () => {
    const slots = createSlots({ count: 2, waitMsMax: 10_000, onTooLong: () => new Error('too long') })
    const started: number[] = []
    const gates = [gate(), gate(), gate(), gate()]
    const runs = gates.map(({ promise }, n) =>
      slots.run(async () => {
        started.push(n)
        await promise
      }),
    )
    await Promise.resolve()
    expect(started).toEqual([0, 1])
    gates[1]!.resolve()
    await runs[1]
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2])
    for (const { resolve } of gates) resolve()
    await Promise.all(runs)
    expect(started).toEqual([0, 1, 2, 3])
  })

  it('lets readers take turns, however many calls of one wait', async () => {
    const slots = createSlots({ count: 1, waitMsMax: 10_000, onTooLong: () => new Error('too long') })
    const order: string[] = []
    const calls = ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map((call) =>
      slots.run(async () => order.push(call), call[0]),
    )
    await Promise.all(calls)
    expect(order.join(' ')).toBe('a1 a2 b1 c1 a3 b2 a4')
  })

  it('gives the place back after a failure', async () => {
    const slots = createSlots({ count: 1, waitMsMax: 10_000, onTooLong: () => new Error('too long') })
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(slots.run(async () => 'next')).resolves.toBe('next')
  })

  it('turns away who waited too long, and nobody behind', async () => {
    const slots = createSlots({ count: 1, waitMsMax: 5, onTooLong: () => new Error('too long') })
    const first = gate()
    const running = slots.run(() => first.promise)
    await expect(slots.run(async () => 'never')).rejects.toThrow('too long')
    const patient = slots.run(async () => 'third')
    first.resolve()
    await running
    await expect(patient).resolves.toBe('third')
  })
})
