import { isUniqueViolation, type Tx } from './db.ts'

/**
 * Takes one of `count` slots by compare-and-set. Null when all are taken, or somebody was faster: then it is worth
 * another try.
 */
export async function takeSlot(
  tx: Tx,
  { count, owner, now, leaseUntil }: { count: number; owner: string; now: number; leaseUntil: number },
): Promise<number | null> {
  const slots = await tx.selectFrom('erp_slots').select(['slot', 'lease_until']).where('slot', '<', count).execute()
  const free = slots.find((one) => one.lease_until <= now)
  if (free) {
    const { numUpdatedRows } = await tx
      .updateTable('erp_slots')
      .set({ lease_owner: owner, lease_until: leaseUntil })
      .where('slot', '=', free.slot)
      .where('lease_until', '<=', now)
      .executeTakeFirst()
    return numUpdatedRows === 1n ? free.slot : null
  }
  if (slots.length === count) return null
  try {
    const slot = slots.length
    await tx.insertInto('erp_slots').values({ slot, lease_owner: owner, lease_until: leaseUntil }).execute()
    return slot
  } catch (error) {
    if (isUniqueViolation(error)) return null
    throw error
  }
}

export async function releaseSlot(tx: Tx, slot: number, owner: string): Promise<void> {
  await tx
    .updateTable('erp_slots')
    .set({ lease_until: 0 })
    .where('slot', '=', slot)
    .where('lease_owner', '=', owner)
    .execute()
}
