import type { Outside } from '../outside.ts'
import type { Delivery } from '../store/outbox.ts'
import { orderOf, readCopies } from './kinds.ts'

/** A second request for one order within this reads the whole order at once. */
const TOGETHER_MS = 60_000
const ORDERS_COUNT_MAX = 1000

/**
 * Reads the copy that a delivery needs. After an outage hundreds of one order wait: the first reads its own row, the second the
 * whole order, and those at the same time wait for that read.
 */
export function openCopyReads(outside: Pick<Outside, 'db' | 'erp' | 'now' | 'elapsedMs'>) {
  const readAtMs = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()
  return async (delivery: Delivery): Promise<void> => {
    const order = `${delivery.branch}|${orderOf(delivery)}`
    const already = underWay.get(order)
    if (already) return await already
    const before = readAtMs.get(order) ?? Number.NEGATIVE_INFINITY
    if (readAtMs.size >= ORDERS_COUNT_MAX) readAtMs.clear()
    readAtMs.set(order, outside.elapsedMs())
    const reading = readCopies(delivery, outside.elapsedMs() - before < TOGETHER_MS, outside).finally(() =>
      underWay.delete(order),
    )
    underWay.set(order, reading)
    await reading
  }
}
