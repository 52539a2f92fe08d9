import type { AuditSubject } from '../../contract/audit-entries.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import { lookOf, spelledAs } from '../../domain/people/names.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { limits } from '../http/limits.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call } from '../panel.ts'
import { countDeeds } from '../store/audit-entries.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { recordAuditEvent, refuseOutdated, refusingTwins, withVersion } from '../upkeep/audit.ts'

type Register<Pair, Form> = {
  kind: AuditSubject
  /** The live changes of this pair. */
  changesOf(id: number): LiveChange[]
  list(db: Reader): Promise<Pair[]>
  find(db: Reader, id: number): Promise<Pair | null>
  insert(tx: Tx, form: Form & { at: number }): Promise<number>
  update(tx: Tx, id: number, form: Form & { versionSeen: number | null; at: number }): Promise<boolean>
  delete(tx: Tx, id: number, versionSeen: number | null): Promise<boolean>
}

const HOUR_MS = 3_600_000

/** More than a person types. Imports of whole lists are for administrators. */
async function refuseFlood(tx: Tx, { caller, now }: Call): Promise<void> {
  if (isAllowed(caller.role, 'administer')) return
  const { max } = limits.newPairsAnHour
  const made = await countDeeds(tx, { userId: caller.userId, action: 'pair_created', from: now() - HOUR_MS })
  if (made >= max) throw new Refused('too_many_pairs', { values: { max }, headers: { 'retry-after': '600' } })
}

type Names = Record<string, string>

/** The names as they are spelled here; refuses a pair that looks like another one. */
function namesBeside<Form extends object>(form: Form, id: number | null, pairs: readonly { id: number }[]): Form {
  const known = pairs as unknown as readonly (Names & { id: number })[]
  const names = Object.entries(form as Names)
  const isTwin = (pair: Names) => names.every(([field, name]) => lookOf(pair[field] ?? '') === lookOf(name))
  if (known.some((pair) => Number(pair.id) !== id && isTwin(pair))) throw new Refused('pair_exists')
  const spelled = names.map(([field, name]) => [
    field,
    spelledAs(
      name,
      known.map((pair) => pair[field] ?? ''),
    ),
  ])
  return Object.fromEntries(spelled) as Form
}

type Of = { params: { id: number } }

/** The handlers of a register of pairs. Change, audit event and live change are one commit. */
export const pairHandlers = <Pair extends { id: number; version: number }, Form extends object>(
  register: Register<Pair, Form>,
) => ({
  async get({ params: { id } }: Of, { db, reply }: Call): Promise<Pair> {
    return withVersion(await register.find(db.read, id), reply)
  },

  async create({ body }: { body: Form }, call: Call): Promise<Answer<Pair>> {
    const { db, now, reply } = call
    const id = await refusingTwins('pair_exists', () =>
      db.transaction(async (tx) => {
        await refuseFlood(tx, call)
        const names = namesBeside(body, null, await register.list(tx))
        const inserted = await register.insert(tx, { ...names, at: now() })
        await recordAuditEvent(tx, call, { action: 'pair_created', kind: register.kind, id: inserted, is: names })
        await noteChanges(tx, register.changesOf(inserted), now())
        return inserted
      }),
    )
    return new Answer(201, withVersion(await register.find(db.read, id), reply))
  },

  async update({ params: { id }, body }: Of & { body: Form }, call: Call): Promise<Pair> {
    const { db, now, versionSeen, reply } = call
    const was = await register.find(db.read, id)
    await refusingTwins('pair_exists', () =>
      db.transaction(async (tx) => {
        const names = namesBeside(body, id, await register.list(tx))
        const isUpdated = await register.update(tx, id, { ...names, versionSeen, at: now() })
        if (!isUpdated) refuseOutdated(await register.find(tx, id))
        await recordAuditEvent(tx, call, { action: 'pair_changed', kind: register.kind, id, was, is: names })
        await noteChanges(tx, register.changesOf(id), now())
      }),
    )
    return withVersion(await register.find(db.read, id), reply)
  },

  async delete({ params: { id } }: Of, call: Call): Promise<{ id: number }> {
    const { db, now, versionSeen } = call
    const was = await register.find(db.read, id)
    await db.transaction(async (tx) => {
      const isDeleted = await register.delete(tx, id, versionSeen)
      if (!isDeleted) refuseOutdated(await register.find(tx, id))
      await recordAuditEvent(tx, call, { action: 'pair_deleted', kind: register.kind, id, was })
      await noteChanges(tx, register.changesOf(id), now())
    })
    return { id }
  },
})
