import { changesOne, insertsNew, type Tx } from './db/db.ts'

/**
 * Leases one of `count` slots by compare-and-set, or finds the one that `owner` got by a commit whose answer was lost. Null
 * when all are leased, or when another one was faster: then a retry may succeed.
 */
export async function takeSlot(
  tx: Tx,
  { count, owner, now, leaseUntil }: { count: number; owner: string; now: number; leaseUntil: number },
): Promise<number | null> {
  const slots = await tx.selectFrom('erp_slots').selectAll().where('slot', '<', count).execute()
  const own = slots.find((one) => one.lease_owner === owner)
  if (own) return own.slot
  const free = slots.find((one) => one.lease_until <= now)
  if (free) {
    const isTaken = await tx
      .updateTable('erp_slots')
      .set({ lease_owner: owner, lease_until: leaseUntil })
      .where('slot', '=', free.slot)
      .where('lease_until', '<=', now)
      .$call(changesOne)
    return isTaken ? free.slot : null
  }
  if (slots.length === count) return null
  const slot = slots.length
  const leased = { slot, lease_owner: owner, lease_until: leaseUntil }
  return (await tx.insertInto('erp_slots').values(leased).$call(insertsNew)) ? slot : null
}

const setSlot = async (tx: Tx, slot: number, owner: string, to: { lease_owner?: string; lease_until: number }) =>
  await tx.updateTable('erp_slots').set(to).where('slot', '=', slot).where('lease_owner', '=', owner).execute()

export async function renewSlot(tx: Tx, slot: number, owner: string, leaseUntil: number): Promise<void> {
  await setSlot(tx, slot, owner, { lease_until: leaseUntil })
}

/** Nobody has it any more: a renewal that is late must not take it again. */
export async function releaseSlot(tx: Tx, slot: number, owner: string): Promise<void> {
  await setSlot(tx, slot, owner, { lease_owner: '', lease_until: 0 })
}
