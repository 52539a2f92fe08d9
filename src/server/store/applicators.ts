import type { ApplicatorForm, ApplicatorPair } from '../../contract/applicators.ts'
import { LIMIT_CRIMPS_DEFAULT } from '../../contract/crimp-counters.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { keysOfName } from '../../domain/people/names.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { compiled, compiledChange, insertRows, type Place } from './db/compiled.ts'
import { changesOne, changeVersion, insertsNew, insertsRow, ofVersion, type Reader, type Tx } from './db/db.ts'
import type { LedgerReason, Tables } from './db/tables.ts'

const inOrder = (db: Reader) =>
  db
    .selectFrom('applicators')
    .select(['id', 'terminal', 'miniaplicator', 'created_at', 'updated_at', 'version'])
    .orderBy('terminal')
    .orderBy('miniaplicator')

type PairRow = Omit<Tables['applicators'], 'id' | 'terminal_key' | 'miniaplicator_key'> & { id: number }

function toPair(row: PairRow): ApplicatorPair {
  const createdAt = toInstant(row.created_at)
  return {
    id: row.id,
    terminal: row.terminal,
    miniaplicator: row.miniaplicator,
    createdAt,
    // instants are what a long list spends most on, and few pairs are ever changed
    updatedAt: row.updated_at === row.created_at ? createdAt : toInstant(row.updated_at),
    version: row.version,
  }
}

const ofTerminal = compiled((db, value: Place<{ key: string; folded: string }>) =>
  inOrder(db).where('terminal_key', 'in', [value('key'), value('folded')]),
)

export async function listApplicators(db: Reader, filter: { terminal?: string } = {}): Promise<ApplicatorPair[]> {
  const { terminal } = filter
  const [key = '', folded = key] = keysOfName(terminal ?? '')
  const rows = terminal === undefined ? inOrder(db).execute() : ofTerminal(db, { key, folded })
  return (await rows).map(toPair)
}

/** Keys of the terminals that a tool is registered for. */
export async function listTerminalKeys(db: Reader, unitKey: string): Promise<string[]> {
  const rows = await db
    .selectFrom('applicators')
    .select('terminal_key')
    .where('miniaplicator_key', '=', unitKey)
    .execute()
  return rows.map(({ terminal_key }) => terminal_key)
}

export async function findApplicator(db: Reader, id: number): Promise<ApplicatorPair | null> {
  const row = await inOrder(db).where('id', '=', id).executeTakeFirst()
  return row ? toPair(row) : null
}

const pairColumns = (pair: ApplicatorForm) => ({
  terminal: pair.terminal.trim(),
  terminal_key: nameKey(pair.terminal),
  miniaplicator: pair.miniaplicator.trim(),
  miniaplicator_key: nameKey(pair.miniaplicator),
})

/** Makes sure that its unit exists. Returns the pair's id; throws a unique violation when it is registered already. */
export async function insertApplicator(tx: Tx, pair: ApplicatorForm & { at: number }): Promise<number> {
  const id = await tx
    .insertInto('applicators')
    .values({ ...pairColumns(pair), version: 1, created_at: pair.at, updated_at: pair.at })
    .$call(insertsRow)
  await ensureUnit(tx, { name: pair.miniaplicator, at: pair.at })
  return id
}

/**
 * False when the pair is gone or is not of this version any more; null takes any. The counters of the old name and of
 * the new one stay as they are. Throws a unique violation when the new pair is registered already.
 */
export async function updateApplicator(
  tx: Tx,
  id: number,
  pair: ApplicatorForm & { versionSeen: number | null; at: number },
): Promise<boolean> {
  const { versionSeen, at } = pair
  if (!(await changeVersion(tx, 'applicators', { id, versionSeen }, { ...pairColumns(pair), updated_at: at })))
    return false
  await ensureUnit(tx, { name: pair.miniaplicator, at: pair.at })
  return true
}

/** False as for an update. The counter of the unit stays. */
export async function deleteApplicator(tx: Tx, id: number, versionSeen: number | null): Promise<boolean> {
  return await tx
    .deleteFrom('applicators')
    .where((e) => e.and({ id, ...ofVersion(versionSeen) }))
    .$call(changesOne)
}

const unitNow = compiled((db, value: Place<{ key: string }>) =>
  db.selectFrom('applicator_units').select(['cycle', 'unsafe_since']).where('name_key', '=', value('key')),
)
const findUnitNow = async (db: Reader, key: string) => (await unitNow(db, { key }))[0]

/** A unit exists from its first pair or its first crimp on; whichever comes first. */
export async function ensureUnit(
  tx: Tx,
  unit: { name: string; limitCrimps?: number; cycle?: number; at: number },
): Promise<void> {
  const key = nameKey(unit.name)
  if (await findUnitNow(tx, key)) return
  await tx
    .insertInto('applicator_units')
    .values({
      name_key: key,
      name: unit.name.trim(),
      cycle: unit.cycle ?? 1,
      crimps: 0,
      lifetime_crimps: 0,
      limit_crimps: unit.limitCrimps ?? LIMIT_CRIMPS_DEFAULT,
      version: 1,
      updated_at: unit.at,
    })
    .$call(insertsNew)
}

const wearUnit = compiledChange((tx, value: Place<{ unitKey: string; crimps: number; at: number }>) =>
  tx
    .updateTable('applicator_units')
    .set((e) => ({
      crimps: e('crimps', '+', value('crimps')),
      lifetime_crimps: e('lifetime_crimps', '+', value('crimps')),
      updated_at: value('at'),
    }))
    .where('name_key', '=', value('unitKey')),
)

/**
 * Writes one line of the ledger and moves the unit's counter by as much, both in the cycle that is open. A line with
 * the same recording and reason exists at most once: the database refuses the second, and with it the whole commit. Resolves to
 * since when the unit is declared unsafe.
 */
export async function addCrimps(
  tx: Tx,
  line: { recordingId: string; reason: LedgerReason; unitKey: string; crimps: number; at: number },
): Promise<number | null> {
  const { recordingId, reason, unitKey, crimps, at } = line
  await wearUnit(tx, { unitKey, crimps, at })
  const unit = await findUnitNow(tx, unitKey)
  if (!unit) throw new Error(`there is no unit ${unitKey}`)
  const row = { recording_id: recordingId, reason, unit_key: unitKey, cycle: unit.cycle, crimps, at }
  await insertRows(tx, 'crimp_ledger', [row])
  return unit.unsafe_since
}

/** As `addCrimps`, in a cycle that a reset may have closed meanwhile: then only the lifetime total moves. */
export async function addCrimpsToCycle(
  tx: Tx,
  line: { recordingId: string; reason: LedgerReason; unitKey: string; cycle: number; crimps: number; at: number },
): Promise<void> {
  const { unitKey, cycle, crimps, at } = line
  const unit = tx.updateTable('applicator_units').where('name_key', '=', unitKey)
  await unit.set((e) => ({ lifetime_crimps: e('lifetime_crimps', '+', crimps), updated_at: at })).execute()
  await unit
    .where('cycle', '=', cycle)
    .set((e) => ({ crimps: e('crimps', '+', crimps) }))
    .execute()
  const { recordingId, reason } = line
  const row = { recording_id: recordingId, reason, unit_key: unitKey, cycle, crimps, at }
  await tx.insertInto('crimp_ledger').values(row).execute()
}

export type CountedCrimps = { unitKey: string; cycle: number; crimps: number }

/** Where an act was counted first; null when it counted nowhere. */
async function findCounted(tx: Tx, recordingId: string, first: LedgerReason): Promise<CountedCrimps | null> {
  const line = await tx
    .selectFrom('crimp_ledger')
    .select(['unit_key', 'cycle', 'crimps'])
    .where('recording_id', '=', recordingId)
    .where('reason', '=', first)
    .executeTakeFirst()
  return line ? { unitKey: line.unit_key, cycle: line.cycle, crimps: line.crimps } : null
}

type Entry = { recordingId: string; reason: LedgerReason; at: number }

/** Reverses an act's crimps by a counter-entry in the original's cycle, and returns where they were counted. `first`: reason of that line. */
export async function takeBackCrimps(
  tx: Tx,
  entry: Entry,
  first: LedgerReason = 'recorded',
): Promise<CountedCrimps | null> {
  const counted = await findCounted(tx, entry.recordingId, first)
  if (counted) await addCrimpsToCycle(tx, { ...entry, ...counted, crimps: -counted.crimps })
  return counted
}

/** Counts again, in the cycle of the original, what had been taken back. */
export async function restoreCrimps(tx: Tx, entry: Entry): Promise<void> {
  const counted = await findCounted(tx, entry.recordingId, 'recorded')
  if (counted) await addCrimpsToCycle(tx, { ...entry, ...counted })
}

/** The ledger's own sums, beside the counters that must equal them. Empty when all is well. */
export async function listCounterDeviations(
  db: Reader,
): Promise<{ unit: string; counter: number; ledger: number; lifetime: number; lifetimeLedger: number }[]> {
  const units = await db.selectFrom('applicator_units').selectAll().execute()
  const sums = await db
    .selectFrom('crimp_ledger')
    .select(['unit_key', 'cycle', (e) => e.fn.sum('crimps').as('crimps')])
    .groupBy(['unit_key', 'cycle'])
    .execute()
  return units.flatMap((unit) => {
    const own = sums.filter((sum) => sum.unit_key === unit.name_key)
    const ledger = Number(own.find((sum) => sum.cycle === unit.cycle)?.crimps ?? 0)
    const lifetimeLedger = own.reduce((total, sum) => total + Number(sum.crimps), 0)
    const same = ledger === unit.crimps && lifetimeLedger === unit.lifetime_crimps
    return same
      ? []
      : [{ unit: unit.name, counter: unit.crimps, ledger, lifetime: unit.lifetime_crimps, lifetimeLedger }]
  })
}
