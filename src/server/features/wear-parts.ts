import type { FastifyInstance } from 'fastify'
import type { CrimpCounter, RemovalReason } from '../../contract/crimp-counters.ts'
import { type NewPart, REMOVED_PARTS_MAX, type ToolParts, wearParts } from '../../contract/wear-parts.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { partCrimps, partInSentence, partName, reasonTexts } from '../../domain/tools/wear-parts.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { findCrimpCounter, type StoredCounter } from '../store/crimp-counters.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  type By,
  findPart,
  insertPart,
  listMountedParts,
  listRemovedParts,
  type MountedPart,
  removePart,
} from '../store/wear-parts.ts'
import { recordAuditEvent, refusingTwins } from '../upkeep/audit.ts'
import { findUnit, type Reading } from './tool-life.ts'

type Unit = Pick<StoredCounter, 'miniaplicator' | 'lifetimeCrimps'>
type Replacement = Omit<NewPart, 'kind'> & { id: number; reason: RemovalReason }

async function partsOf(unit: CrimpCounter | null, { db }: Reading): Promise<ToolParts> {
  if (!unit) throw new Refused('not_found')
  const key = nameKey(unit.miniaplicator)
  const mountedBy = new Map((await listMountedParts(db.read, key)).map((part) => [part.id, part.mountedBy]))
  const removed = await listRemovedParts(db.read, key, REMOVED_PARTS_MAX)
  return {
    miniaplicator: unit.miniaplicator,
    mounted: (unit.pecas ?? []).map((part) => ({ ...part, mountedBy: mountedBy.get(part.id) ?? '' })),
    removed: removed.map(({ crimps, removedAt, ...part }) => ({
      ...part,
      numberOfCrimps: crimps,
      removedAt: toInstant(removedAt),
    })),
  }
}

/** Author and instant of a change. */
export const byOf = ({ caller, now }: Pick<Call, 'caller' | 'now'>): By => ({
  userId: caller.userId,
  name: caller.fullName || caller.username,
  at: now(),
})

const stateOf = (part: Pick<NewPart, 'kind' | 'code' | 'limitOfCrimps'>) => ({
  part: partName(part),
  limitOfCrimps: part.limitOfCrimps,
})

/** Mounts a part; its crimps count from the unit's lifetime of now on. */
async function insertNew(tx: Tx, call: Call, unit: Unit, { usedBefore, ...part }: NewPart): Promise<void> {
  const mounted = { ...part, unitKey: nameKey(unit.miniaplicator), usedBefore, lifetimeAtMount: unit.lifetimeCrimps }
  await refusingTwins('part_mounted', () => insertPart(tx, mounted, byOf(call)), { part: partInSentence(part) })
}

const auditedUnit = ({ miniaplicator }: Unit) => ({ kind: 'counter', id: miniaplicator, name: miniaplicator }) as const

/** A part that is to go, with its tool; it may have gone already. */
async function getPart(tx: Tx, id: number, unitKey?: string): Promise<{ part: MountedPart; unit: Unit }> {
  const part = await findPart(tx, id)
  const unit = part && (await findCrimpCounter(tx, part.unitKey))
  if (!unit || (unitKey !== undefined && part.unitKey !== unitKey)) throw new Refused('not_found')
  return { part, unit }
}

type Going = { part: MountedPart; unit: Unit; reason: RemovalReason; callId?: string | null | undefined }

async function takeOut(tx: Tx, call: Call, { part, unit, reason, callId }: Going) {
  const crimps = partCrimps(unit.lifetimeCrimps, part)
  const removal = { crimps, reason, callId }
  if (!(await removePart(tx, part.id, removal, byOf(call)))) throw new Refused('part_removed')
  return { ...stateOf(part), numberOfCrimps: crimps }
}

/**
 * Puts other parts in the places of those named, all of one unit where it is given, by a call where that is. The unit's
 * counter stays.
 */
export async function replaceParts(
  tx: Tx,
  call: Call,
  replacements: readonly Replacement[],
  { unitKey, callId }: { unitKey?: string; callId?: string } = {},
): Promise<void> {
  for (const { id, reason, ...young } of replacements) {
    const found = await getPart(tx, id, unitKey)
    const was = await takeOut(tx, call, { ...found, reason, callId })
    const part = { ...young, kind: found.part.kind }
    await insertNew(tx, call, found.unit, part)
    await recordAuditEvent(tx, call, {
      action: 'part_replaced',
      ...auditedUnit(found.unit),
      reason: reasonTexts[reason],
      was,
      is: { ...stateOf(part), numberOfCrimps: part.usedBefore },
    })
  }
}

/** Runs a change of one tool's parts and answers what it has then. */
async function changeParts(call: Call, change: (tx: Tx) => Promise<Unit>): Promise<ToolParts> {
  const { miniaplicator } = await call.db.transaction(async (tx) => {
    const unit = await change(tx)
    await noteChanges(tx, [{ topic: 'wear-parts', key: unit.miniaplicator }], call.now())
    return unit
  })
  return await partsOf(await findUnit(miniaplicator, call), call)
}

export function wearPartRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, wearParts.list, async ({ params }, call) =>
    partsOf(await findUnit(params.miniaplicador, call), call),
  )

  bind(app, context, wearParts.mount, async ({ params, body }, call) => {
    const answer = await changeParts(call, async (tx) => {
      const unit = await findCrimpCounter(tx, params.miniaplicador)
      if (!unit) throw new Refused('not_found')
      for (const part of body.parts) {
        await insertNew(tx, call, unit, part)
        const is = { ...stateOf(part), usedCrimps: part.usedBefore }
        await recordAuditEvent(tx, call, { action: 'part_mounted', ...auditedUnit(unit), is })
      }
      return unit
    })
    return new Answer(201, answer)
  })

  bind(app, context, wearParts.replace, ({ params: { id }, body }, call) =>
    changeParts(call, async (tx) => {
      const { unit } = await getPart(tx, id)
      await replaceParts(tx, call, [{ id, ...body }])
      return unit
    }),
  )

  bind(app, context, wearParts.remove, ({ params: { id }, body: { reason } }, call) =>
    changeParts(call, async (tx) => {
      const found = await getPart(tx, id)
      const was = await takeOut(tx, call, { ...found, reason })
      const event = { action: 'part_removed', ...auditedUnit(found.unit), reason: reasonTexts[reason], was } as const
      await recordAuditEvent(tx, call, event)
      return found.unit
    }),
  )
}
