import { hash } from 'node:crypto'
import type { RemovalReason } from '../../contract/crimp-counters.ts'
import { partPlace } from '../../domain/tools/wear-parts.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'

/** Author and instant (epoch ms) of a change. */
export type By = { userId: number; name: string; at: number }

const parts = (db: Reader) =>
  db
    .selectFrom('wear_parts')
    .select(['id', 'unit_key as unitKey', 'kind', 'code', 'limit_crimps as limitOfCrimps'])
    .select(['lifetime_at_mount as lifetimeAtMount', 'used_before as usedBefore'])
    .select(['mounted_at as mountedAt', 'mounted_by as mountedBy'])

const mounted = (db: Reader) => parts(db).where('open_key', 'is not', null).orderBy('id')
const mountedOf = compiled((db, value: Place<{ key: string }>) => mounted(db).where('unit_key', '=', value('key')))

/** Mounted parts of one unit, or of all, in the order in which they were mounted. */
export const listMountedParts = (db: Reader, unitKey: string | null) =>
  unitKey === null ? mounted(db).execute() : mountedOf(db, { key: unitKey })

/** A part as it was mounted; instants in epoch ms. */
export type MountedPart = Awaited<ReturnType<typeof listMountedParts>>[number]

type RemovedPart = Pick<MountedPart, 'id' | 'kind' | 'code' | 'limitOfCrimps'> & {
  crimps: number
  reason: RemovalReason
  removedAt: number
  removedBy: string
  /** Number of the call by which it went. */
  chamado: number | null
}

/** The last removed first. */
export async function listRemovedParts(db: Reader, unitKey: string, countMax: number): Promise<RemovedPart[]> {
  const rows = await db
    .selectFrom('wear_parts as p')
    .leftJoin('maintenance_calls as c', 'c.id', 'p.call_id')
    .select(['p.id', 'p.kind', 'p.code', 'p.limit_crimps as limitOfCrimps', 'p.crimps_at_removal as crimps'])
    .select(['p.removal_reason as reason', 'p.removed_at as removedAt', 'p.removed_by as removedBy'])
    .select('c.call_number as chamado')
    .where('p.unit_key', '=', unitKey)
    .where('p.removed_at', 'is not', null)
    .orderBy('p.removed_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(countMax)
    .execute()
  return rows as RemovedPart[]
}

/** Mounted or not. */
export const findPart = async (db: Reader, id: number): Promise<MountedPart | null> =>
  (await parts(db).where('id', '=', id).executeTakeFirst()) ?? null

/** Key of one length, however long the names are: a key of all of them would be too long for InnoDB. */
const openKeyOf = (part: Pick<MountedPart, 'unitKey' | 'kind' | 'code'>) =>
  hash('sha256', JSON.stringify([part.unitKey, partPlace(part)]), 'hex')

/** Throws a unique violation where the unit has one of that kind. */
export async function insertPart(
  tx: Tx,
  part: Omit<MountedPart, 'id' | 'mountedAt' | 'mountedBy'>,
  { userId, name, at }: By,
): Promise<void> {
  await tx
    .insertInto('wear_parts')
    .values({
      unit_key: part.unitKey,
      kind: part.kind,
      code: part.code,
      limit_crimps: part.limitOfCrimps,
      lifetime_at_mount: part.lifetimeAtMount,
      used_before: part.usedBefore,
      mounted_at: at,
      mounted_by: name,
      mounted_by_id: userId,
      open_key: openKeyOf(part),
    })
    .execute()
}

/** `crimps`: what it had crimped; `callId`: the call by which it goes, if by one. */
type Removal = { crimps: number; reason: RemovalReason; callId?: string | null | undefined }

/** False when it is mounted no more. */
export async function removePart(
  tx: Tx,
  id: number,
  { crimps, reason, callId = null }: Removal,
  { userId, name, at }: By,
): Promise<boolean> {
  return await tx
    .updateTable('wear_parts')
    .set({
      removed_at: at,
      removed_by: name,
      removed_by_id: userId,
      crimps_at_removal: crimps,
      removal_reason: reason,
      call_id: callId,
      open_key: null,
    })
    .where('id', '=', id)
    .where('open_key', 'is not', null)
    .$call(changesOne)
}
