import type { ErpSimulator } from '../../../demo/simulator/simulator.ts'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import { crimpsOf } from '../../../src/domain/acts/recordings.ts'
import { listCounterDeviations } from '../../../src/server/store/applicators.ts'
import type { Db } from '../../../src/server/store/db/db.ts'
import { APPLICATOR } from './workload.ts'

/** What people saw on both sides. */
export type Seen = {
  /** Id and content of what an operator saw as saved. */
  settled: ReadonlyMap<string, CutCrimpRecording>
  writes: ErpSimulator['state']['writes']
}

/** What is wrong after a run, a line per offence, counted from what the operators saw and what the ERP stored alone. */
export async function findOffences({ settled, writes }: Seen, db: Db): Promise<string[]> {
  const offences: string[] = []
  const atErp = new Set(writes.map(({ id }) => id))
  const twice = writes.length - atErp.size
  if (twice > 0) offences.push(`${twice} recordings are twice at the ERP`)
  const lost = [...settled.keys()].filter((id) => !atErp.has(id))
  if (lost.length > 0) offences.push(`${lost.length} recordings were seen as saved and are not at the ERP`)
  const unseen = [...atErp].filter((id) => !settled.has(id))
  if (unseen.length > 0) offences.push(`${unseen.length} recordings are at the ERP and nobody saw them as saved`)
  const rows = await db.read.selectFrom('recordings').select(['id', 'state']).execute()
  const delivered = rows.filter(({ state }) => state === 'delivered')
  if (delivered.length !== rows.length) offences.push(`${rows.length - delivered.length} recordings are not delivered`)
  const stored = new Set(delivered.map(({ id }) => id))
  const unknown = [...atErp].filter((id) => !stored.has(id))
  if (unknown.length > 0) offences.push(`${unknown.length} recordings of the ERP are unknown here`)
  const crimps = writes.filter(({ section }) => section !== 'cable').reduce((sum, { pieces }) => sum + pieces, 0)
  const unit = await db.read
    .selectFrom('applicator_units')
    .select('crimps')
    .where('name', '=', APPLICATOR)
    .executeTakeFirst()
  if (Number(unit?.crimps ?? 0) !== crimps) offences.push(`the counter says ${unit?.crimps}, the ERP ${crimps}`)
  const deviations = await listCounterDeviations(db.read)
  if (deviations.length > 0) offences.push(`${deviations.length} counters differ from their ledger`)
  const settledCrimps = [...settled.values()].reduce((sum, payload) => sum + (crimpsOf(payload)?.count ?? 0), 0)
  if (settledCrimps !== crimps) offences.push(`${settledCrimps} crimps were seen as saved, the ERP has ${crimps}`)
  return offences
}
