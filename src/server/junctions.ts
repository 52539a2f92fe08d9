import type { Junction, JunctionDetails } from '../contract/junctions.ts'
import type { Context } from './context.ts'
import { ErpFailure } from './erp/gateway.ts'
import { againWhenStored } from './store/db.ts'
import { type JunctionPlace, listJunctionsOfOrder, saveJunctionDetails, saveJunctions } from './store/junctions.ts'

/** Reads an order's positions from the ERP, keeps the copy, and answers what the copy then says. */
export async function readJunctions(branch: string, orderNumber: string, context: Context): Promise<Junction[]> {
  const { db, erp, now } = context
  const readBegunAt = now()
  const found = await erp.searchJunctions({ branch, order: orderNumber })
  const when = { readBegunAt, fetchedAt: now() }
  await againWhenStored(() => db.transaction((tx) => saveJunctions(tx, { branch, orderNumber }, found, when)))
  return (await listJunctionsOfOrder(db.read, branch, orderNumber)).map(({ junction }) => junction)
}

/** What a search of the order left here; null when it left nothing. */
export async function copyOfJunctions(branch: string, orderNumber: string, { db }: Pick<Context, 'db'>) {
  const copies = await listJunctionsOfOrder(db.read, branch, orderNumber)
  if (copies.length === 0) return null
  return {
    value: copies.map(({ junction }) => junction),
    fetchedAt: Math.min(...copies.map((copy) => copy.fetchedAt)),
  }
}

/** Null: the ERP has no such position. */
export async function readDetails(place: JunctionPlace, context: Context): Promise<JunctionDetails | null> {
  const { db, erp, now } = context
  try {
    const { branch, orderNumber, position } = place
    const details = await erp.junctionDetails({ branch, order: orderNumber, position })
    await againWhenStored(() => db.transaction((tx) => saveJunctionDetails(tx, place, details, now())))
    return details
  } catch (error) {
    if (error instanceof ErpFailure && error.kind === 'not_found') return null
    throw error
  }
}
