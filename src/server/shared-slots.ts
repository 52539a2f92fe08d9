import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { SharedSlots } from './erp/gateway.ts'
import type { Db } from './store/db.ts'
import { releaseSlot, takeSlot } from './store/erp-slots.ts'

/** Longer than any call to the ERP may take; only a server that died holds a slot so long. */
const SLOT_LEASE_MS = 120_000

/** Several servers together open no more calls to the ERP than `count`. */
export function openSharedSlots(options: {
  db: Pick<Db, 'transaction'>
  count: number
  now: () => number
  log: Pick<FastifyBaseLogger, 'warn'>
}): SharedSlots {
  const { db, count, now, log } = options
  return {
    async take() {
      const owner = randomUUID()
      const at = now()
      const slot = await db.transaction((tx) => takeSlot(tx, { count, owner, now: at, leaseUntil: at + SLOT_LEASE_MS }))
      if (slot === null) return null
      return async () => {
        await db
          .transaction((tx) => releaseSlot(tx, slot, owner))
          .catch((error: unknown) => log.warn({ err: error }, 'a place at the ERP comes free only when its lease ends'))
      }
    },
  }
}
