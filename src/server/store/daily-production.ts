import { createHash } from 'node:crypto'
import type { RecordedPart } from '../../contract/recordings.ts'
import { compileOnce } from './compiled.ts'
import { isUniqueViolation, type Tx } from './db.ts'

export type ProductionOfDay = {
  productionDay: string
  branch: string
  part: RecordedPart
  machine: string
  operator: string
  unitKey: string
  terminal: string
}

const raise = compileOnce((tx, { id, pieces, recordings }: { id: string; pieces: number; recordings: number }) =>
  tx
    .updateTable('daily_production')
    .set((e) => ({ pieces: e('pieces', '+', pieces), recordings: e('recordings', '+', recordings) }))
    .where('id', '=', id),
)

/** Adds pieces and recordings (both may be negative) to the day's roll-up. */
export async function addProduction(
  tx: Tx,
  day: ProductionOfDay,
  added: { pieces: number; recordings: number },
): Promise<void> {
  const dimensions = [day.productionDay, day.branch, day.part, day.machine, day.operator, day.unitKey, day.terminal]
  const id = createHash('sha256').update(JSON.stringify(dimensions)).digest('hex')
  const add = async () => {
    const { numAffectedRows } = await raise(tx, { id, ...added })
    return numAffectedRows === 1n
  }
  if (await add()) return
  try {
    await tx
      .insertInto('daily_production')
      .values({
        id,
        production_day: day.productionDay,
        branch: day.branch,
        part: day.part,
        machine: day.machine,
        operator: day.operator,
        unit_key: day.unitKey,
        terminal: day.terminal,
        ...added,
      })
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await add()
  }
}
