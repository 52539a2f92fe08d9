import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { SharedSlots } from '../erp/gateway.ts'
import type { Db, Tx } from '../store/db/db.ts'
import { releaseSlot, renewSlot, takeSlot } from '../store/erp-slots.ts'

/** As long as a server that died keeps others, and itself after a restart, from the ERP. */
const SLOT_LEASE_MS = 15_000
const RENEW_EVERY_MS = 5000

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
      const note = (change: (tx: Tx) => Promise<void>) =>
        db
          .transaction(change)
          .catch((error: unknown) =>
            log.warn({ err: error, repeats: true }, 'the lease of a place at the ERP ends by itself'),
          )
      const renew = () => void note((tx) => renewSlot(tx, slot, owner, now() + SLOT_LEASE_MS))
      const renewing = setInterval(renew, RENEW_EVERY_MS)
      return async () => {
        clearInterval(renewing)
        await note((tx) => releaseSlot(tx, slot, owner))
      }
    },
  }
}
