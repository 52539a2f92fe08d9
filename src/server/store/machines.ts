import type { Machine } from '../../contract/machines.ts'
import type { Reader, Tx } from './db/db.ts'
import { codesOfMachines, noteCodes } from './known-codes.ts'

export async function findMachines(
  db: Reader,
  branch: string,
  machineType: string,
): Promise<{ machines: Machine[]; fetchedAt: number } | null> {
  const row = await db
    .selectFrom('erp_machines')
    .select(['rows_json', 'fetched_at'])
    .where('branch', '=', branch)
    .where('machine_type', '=', machineType)
    .executeTakeFirst()
  return row ? { machines: JSON.parse(row.rows_json) as Machine[], fetchedAt: row.fetched_at } : null
}

export async function saveMachines(
  tx: Tx,
  branch: string,
  machineType: string,
  machines: Machine[],
  fetchedAt: number,
): Promise<void> {
  await tx.deleteFrom('erp_machines').where('branch', '=', branch).where('machine_type', '=', machineType).execute()
  await tx
    .insertInto('erp_machines')
    .values({ branch, machine_type: machineType, rows_json: JSON.stringify(machines), fetched_at: fetchedAt })
    .execute()
  await noteCodes(tx, codesOfMachines(machines))
}
